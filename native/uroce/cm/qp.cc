// Queue pairs of ids: creating them with what they need, and taking them through their states.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include "uroce/cm/service.h"
#include "uroce/refusal.h"
#include "uroce/report/report.h"
#include "uroce/verbs/device/call_faults.h"

namespace uroce::cm {
namespace {

constexpr uint8_t kMinRnrTimer = 0;  // 655.36 ms, as cm_init_qp_rtr_attr() of the kernel has it

void fill_address(const Id& id, const Connection& c, ibv_ah_attr* ah) {
  ah->is_global = 1;
  ah->port_num = 1;
  ah->grh.sgid_index = static_cast<uint8_t>(id.gid_index);
  ah->grh.hop_limit = 64;
  ah->grh.traffic_class = c.address.traffic_class;
  std::copy(c.address.remote.begin(), c.address.remote.end(), ah->grh.dgid.raw);
}

int init_attr(Id* id, ibv_qp_attr* attr) {
  attr->qp_state = IBV_QPS_INIT;
  attr->pkey_index = 0;
  attr->port_num = 1;
  if (id->datagram()) {
    attr->qkey = RDMA_UDP_QKEY;
    return IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY;
  }
  attr->qp_access_flags = 0;
  if (const Connection* c = id->connection) {
    attr->qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
    if (c->responder_resources != 0 || id->responder_resources != 0) {
      attr->qp_access_flags |= IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
    }
  }
  return IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
}

int rtr_attr(Id* id, ibv_qp_attr* attr) {
  if (id->datagram()) return IBV_QP_STATE;
  const Connection& c = *id->connection;
  fill_address(*id, c, &attr->ah_attr);
  attr->path_mtu = static_cast<ibv_mtu>(c.path_mtu);
  attr->dest_qp_num = c.remote_qpn;
  attr->rq_psn = id->psn;
  int mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
  if (id->base.qp_type != IBV_QPT_UC) {
    attr->max_dest_rd_atomic = c.responder_resources;
    attr->min_rnr_timer = kMinRnrTimer;
    mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  }
  return mask;
}

int rts_attr(Id* id, ibv_qp_attr* attr) {
  if (id->datagram()) {
    attr->sq_psn = 0;
    return IBV_QP_STATE | IBV_QP_SQ_PSN;
  }
  const Connection& c = *id->connection;
  attr->sq_psn = c.send_psn;
  int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
  if (id->base.qp_type != IBV_QPT_UC) {
    attr->timeout = id->ack_timeout != 0 ? id->ack_timeout : c.ack_timeout;
    attr->retry_cnt = c.retry_count;
    attr->rnr_retry = c.rnr_retry_count;
    attr->max_rd_atomic = c.initiator_depth;
    mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  }
  return mask;
}

// The attributes for attr->qp_state and their mask; negative errno. Engine lock.
int attributes(Id* id, ibv_qp_attr* attr) {
  const bool connected = id->connection != nullptr || id->datagram();
  switch (attr->qp_state) {
    case IBV_QPS_INIT:
      return init_attr(id, attr);
    case IBV_QPS_RTR:
      return connected ? rtr_attr(id, attr) : -refuse(EINVAL, Cause::cm_no_connection);
    case IBV_QPS_RTS:
      return connected ? rts_attr(id, attr) : -refuse(EINVAL, Cause::cm_no_connection);
    default:
      return -refuse(EINVAL, Cause::no_such_state, static_cast<uint64_t>(attr->qp_state));
  }
}

int advance(Id* id, ibv_qp* qp, ibv_qp_state state, const uint8_t* depth) {
  ibv_qp_attr attr{};
  attr.qp_state = state;
  int mask;
  {
    Call call(*id->service);
    mask = attributes(id, &attr);
  }
  if (mask < 0) return fail(-mask);
  if (depth != nullptr && *depth != RDMA_MAX_RESP_RES) {
    (state == IBV_QPS_RTR ? attr.max_dest_rd_atomic : attr.max_rd_atomic) = *depth;
  }
  return result(ibv_modify_qp(qp, &attr, mask));
}

void destroy_cqs(rdma_cm_id* id) {
  const auto drop = [](ibv_cq** cq, ibv_comp_channel** channel) {
    if (*cq != nullptr) ibv_destroy_cq(*cq);
    if (*channel != nullptr) ibv_destroy_comp_channel(*channel);
    *cq = nullptr;
    *channel = nullptr;
  };
  drop(&id->send_cq, &id->send_cq_channel);
  drop(&id->recv_cq, &id->recv_cq_channel);
}

int create_cq(rdma_cm_id* id, uint32_t size, ibv_cq** cq, ibv_comp_channel** channel) {
  *channel = ibv_create_comp_channel(id->verbs);
  if (*channel == nullptr) return -1;
  *cq = ibv_create_cq(id->verbs, static_cast<int>(std::max(size, 1u)), id, *channel, 0);
  return *cq != nullptr ? 0 : -1;
}

}  // namespace

// From RESET or INIT: the peer's rights are known only now.
int to_rtr(Id* id, uint8_t responder_resources) {
  if (advance(id, id->base.qp, IBV_QPS_INIT, nullptr) != 0) return -1;
  return advance(id, id->base.qp, IBV_QPS_RTR, &responder_resources);
}

int to_rts(Id* id, uint8_t initiator_depth) {
  return advance(id, id->base.qp, IBV_QPS_RTS, &initiator_depth);
}

int to_error(Id* id) {
  if (id->base.qp == nullptr || id->datagram()) return 0;
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_ERR;
  return result(ibv_modify_qp(id->base.qp, &attr, IBV_QP_STATE));
}

int init_connected_qp(Id* id, ibv_qp* qp) { return advance(id, qp, IBV_QPS_INIT, nullptr); }

int init_datagram_qp(Id* id, ibv_qp* qp) {
  for (ibv_qp_state state : {IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS}) {
    if (advance(id, qp, state, nullptr) != 0) return -1;
  }
  return 0;
}

namespace {

int create_qp(rdma_cm_id* handle, ibv_qp_init_attr_ex* attr, const char* call) {
  Id* id = object(handle);
  if (handle->qp != nullptr) return fail(refuse(EINVAL, Cause::cm_has_qp), handle, call);
  if (handle->verbs == nullptr) return fail(refuse(EINVAL, Cause::cm_no_device), handle, call);
  if ((attr->qp_type == IBV_QPT_UD) != id->datagram()) {
    const auto type = static_cast<uint64_t>(attr->qp_type);
    return fail(refuse(EINVAL, Cause::cm_qp_type, type, id->datagram()), handle, call);
  }
  if ((attr->comp_mask & IBV_QP_INIT_ATTR_PD) == 0) {
    attr->comp_mask |= IBV_QP_INIT_ATTR_PD;
    attr->pd = handle->pd;
  }
  if (attr->pd == nullptr || attr->pd->context != handle->verbs)
    return fail(refuse(EINVAL, Cause::cm_foreign), handle, call);
  if ((handle->recv_cq != nullptr && attr->recv_cq != nullptr && handle->recv_cq != attr->recv_cq) ||
      (handle->send_cq != nullptr && attr->send_cq != nullptr && handle->send_cq != attr->send_cq)) {
    return fail(refuse(EINVAL, Cause::cm_foreign), handle, call);
  }
  const report::MadeBy maker(call, "rdma_destroy_qp", report::Kind::qp);
  bool ready = true;
  if (attr->recv_cq == nullptr && handle->recv_cq == nullptr) {
    ready = create_cq(handle, attr->cap.max_recv_wr, &handle->recv_cq, &handle->recv_cq_channel) == 0;
  }
  if (ready && attr->send_cq == nullptr && handle->send_cq == nullptr) {
    ready = create_cq(handle, attr->cap.max_send_wr, &handle->send_cq, &handle->send_cq_channel) == 0;
  }
  if (attr->send_cq == nullptr) attr->send_cq = handle->send_cq;
  if (attr->recv_cq == nullptr) attr->recv_cq = handle->recv_cq;
  if (handle->srq != nullptr && attr->srq == nullptr) attr->srq = handle->srq;
  ibv_qp* qp = ready ? ibv_create_qp_ex(handle->verbs, attr) : nullptr;
  if (qp != nullptr && (id->datagram() ? init_datagram_qp(id, qp) : init_connected_qp(id, qp)) != 0) {
    const int error = errno;
    ibv_destroy_qp(qp);
    qp = nullptr;
    errno = error;
  }
  if (qp == nullptr) {
    const int error = errno;
    destroy_cqs(handle);
    return fail(error);
  }
  handle->pd = attr->pd;
  handle->qp = qp;
  return 0;
}

int create_srq(rdma_cm_id* handle, ibv_srq_init_attr_ex* attr, const char* call) {
  if (handle->srq != nullptr) return fail(refuse(EINVAL, Cause::cm_has_qp), handle, call);
  if (handle->verbs == nullptr) return fail(refuse(EINVAL, Cause::cm_no_device), handle, call);
  if ((attr->comp_mask & IBV_SRQ_INIT_ATTR_TYPE) != 0 && attr->srq_type != IBV_SRQT_BASIC) {
    return fail(refuse(EOPNOTSUPP, Cause::unsupported, attr->srq_type), handle, call);
  }
  ibv_pd* pd = (attr->comp_mask & IBV_SRQ_INIT_ATTR_PD) != 0 ? attr->pd : handle->pd;
  if (pd == nullptr || pd->context != handle->verbs)
    return fail(refuse(EINVAL, Cause::cm_foreign), handle, call);
  const report::MadeBy maker(call, "rdma_destroy_srq", report::Kind::srq);
  ibv_srq_init_attr basic{.srq_context = attr->srq_context, .attr = attr->attr};
  ibv_srq* srq = ibv_create_srq(pd, &basic);
  if (srq == nullptr) return -1;
  attr->attr = basic.attr;
  handle->pd = pd;
  handle->srq = srq;
  return 0;
}

}  // namespace
}  // namespace uroce::cm

using namespace uroce::cm;

extern "C" {

int rdma_create_qp_ex(rdma_cm_id* handle, ibv_qp_init_attr_ex* attr) try {
  return create_qp(handle, attr, "rdma_create_qp_ex");
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_create_qp(rdma_cm_id* handle, ibv_pd* pd, ibv_qp_init_attr* init) try {
  if (const int error = uroce::verbs::call_faults::injected("rdma_create_qp"); error != 0)
    return fail(error, handle);
  ibv_qp_init_attr_ex attr{};
  // The first members are those of ibv_qp_init_attr, whose padding is where comp_mask stands.
  std::memcpy(&attr, init, sizeof *init);
  attr.comp_mask = pd != nullptr ? IBV_QP_INIT_ATTR_PD : 0;
  attr.pd = pd;
  if (create_qp(handle, &attr, "rdma_create_qp") != 0) return -1;
  std::memcpy(init, &attr, sizeof *init);
  return 0;
} catch (const std::exception&) {
  return fail(ENOMEM);
}

void rdma_destroy_qp(rdma_cm_id* handle) {
  if (handle->qp != nullptr) ibv_destroy_qp(handle->qp);
  handle->qp = nullptr;
  destroy_cqs(handle);
}

int rdma_init_qp_attr(rdma_cm_id* handle, ibv_qp_attr* attr, int* mask) {
  Id* id = object(handle);
  Call call(*id->service);
  const int found = attributes(id, attr);
  if (found < 0) return fail(-found, handle);
  *mask = found;
  return 0;
}

int rdma_create_srq_ex(rdma_cm_id* handle, ibv_srq_init_attr_ex* attr) try {
  return create_srq(handle, attr, "rdma_create_srq_ex");
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_create_srq(rdma_cm_id* handle, ibv_pd* pd, ibv_srq_init_attr* attr) try {
  ibv_srq_init_attr_ex extended{};
  extended.srq_context = attr->srq_context;
  extended.attr = attr->attr;
  if (pd != nullptr) {
    extended.comp_mask = IBV_SRQ_INIT_ATTR_PD;
    extended.pd = pd;
  }
  if (create_srq(handle, &extended, "rdma_create_srq") != 0) return -1;
  attr->attr = extended.attr;
  return 0;
} catch (const std::exception&) {
  return fail(ENOMEM);
}

void rdma_destroy_srq(rdma_cm_id* handle) {
  if (handle->srq != nullptr) ibv_destroy_srq(handle->srq);
  handle->srq = nullptr;
}

}  // extern "C"
