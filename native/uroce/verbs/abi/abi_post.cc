// Posting work requests.
#include <errno.h>
#include <sched.h>

#include <mutex>

#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/refusal.h"

namespace uroce::verbs {
namespace {

bool sends_payload(uint32_t opcode) { return opcode < IBV_WR_RDMA_READ || opcode == IBV_WR_SEND_WITH_INV; }

uint64_t length_of(const ibv_send_wr& wr) {
  uint64_t length = 0;
  for (int i = 0; i < wr.num_sge; ++i) length += wr.sg_list[i].length;
  return length;
}

// The destination of a datagram. EINVAL without an address handle.
int to_destination(const ibv_send_wr& in, transport::UdDestination* out) {
  ibv_ah* ah = in.wr.ud.ah;
  if (ah == nullptr || object(ah)->path.cookie == 0) return refuse(EINVAL, Cause::post_without_ah);
  *out = {&object(ah)->path, in.wr.ud.remote_qpn & kQpnMask, in.wr.ud.remote_qkey, object(ah->pd)->id};
  return 0;
}

// Converts a bind request. EINVAL: no window, or no region although there are bytes.
int to_engine(const ibv_send_wr& in, transport::MwBind* out) {
  const ibv_mw_bind_info& info = in.bind_mw.bind_info;
  const ibv_mw* mw = in.bind_mw.mw;
  if (mw == nullptr) return refuse(EINVAL, Cause::post_without_mw);
  if (info.mr == nullptr && info.length != 0) return refuse(EINVAL, Cause::post_without_mr);
  *out = {.window = object(mw)->key,
          .rkey = in.bind_mw.rkey,
          .region = info.mr != nullptr ? info.mr->lkey : 0,
          .addr = info.addr,
          .length = info.length,
          .access = info.mw_access_flags};
  return 0;
}

// Shows the key of the posted request in the handle of a type 2 window, as irdma does. ibv_bind_mw does so
// for type 1.
void name_bound(const decltype(ibv_send_wr::bind_mw)& bind) {
  if (bind.mw->type == IBV_MW_TYPE_2) bind.mw->rkey = (object(bind.mw)->key & ~0xffu) | (bind.rkey & 0xff);
}

int to_engine(const ibv_send_wr& in, transport::SendWr* out, transport::MwBind* bind) {
  if (in.num_sge < 0) return refuse(EINVAL, Cause::post_negative_sges);
  const uint32_t opcode = raw(in.opcode);
  if (opcode > IBV_WR_SEND_WITH_INV) {
    const bool exists = opcode <= IBV_WR_DRIVER1 || opcode == IBV_WR_ATOMIC_WRITE;
    return exists ? refuse(EOPNOTSUPP, Cause::post_opcode_unsupported, opcode)
                  : refuse(EINVAL, Cause::post_opcode, opcode);
  }
  out->wr_id = in.wr_id;
  out->opcode = static_cast<WrOpcode>(opcode);
  out->flags = in.send_flags;
  out->sg_list = reinterpret_cast<const transport::Sge*>(in.sg_list);
  out->num_sge = static_cast<uint32_t>(in.num_sge);
  out->imm_data = in.imm_data;
  if (in.opcode == IBV_WR_BIND_MW) {
    out->bind = bind;
    return to_engine(in, bind);
  }
  if (in.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || in.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    out->remote_addr = in.wr.atomic.remote_addr;
    out->rkey = in.wr.atomic.rkey;
    out->compare_add = in.wr.atomic.compare_add;
    out->swap = in.wr.atomic.swap;
  } else {
    out->remote_addr = in.wr.rdma.remote_addr;
    out->rkey = in.wr.rdma.rkey;
  }
  return 0;
}

int translate(const ibv_send_wr& in, const ibv_qp& qp, transport::SendWr* out, transport::MwBind* bind,
              transport::UdDestination* to) {
  if (const int error = to_engine(in, out, bind); error != 0) return error;
  if (qp.qp_type != IBV_QPT_UD || !names_address(in)) return 0;
  out->ud = to;
  return to_destination(in, to);
}

// Result that posting the list would return, without posting any of it. Engine lock.
int check_list(QpObject* qp, const ibv_send_wr* wr) {
  uint32_t ahead = 0;
  for (; wr != nullptr; wr = wr->next) {
    transport::SendWr request;
    transport::MwBind bind;
    transport::UdDestination destination;
    int error = translate(*wr, qp->base(), &request, &bind, &destination);
    if (error == 0) error = qp->device->engine().check_send(*qp->qp, request, ahead++);
    if (error != 0) return error;
  }
  return 0;
}

// Posts a list. idle: state of the queue pair before. Engine lock.
int post_list(QpObject* qp, ibv_send_wr* wr, bool idle, ibv_send_wr** bad) {
  Device& device = *qp->device;
  const uint64_t now = device.now();
  uint32_t requests = 0;
  uint64_t bytes = 0;
  transport::MwBind bind;
  transport::UdDestination destination;
  int error = 0;
  for (; wr != nullptr; wr = wr->next) {
    transport::SendWr request;
    error = translate(*wr, qp->base(), &request, &bind, &destination);
    if (error == 0) error = device.engine().post_send(*qp->qp, request, now);
    if (error != 0) {
      *bad = wr;
      break;
    }
    if (wr->opcode == IBV_WR_BIND_MW) name_bound(wr->bind_mw);
    ++requests;
    if (sends_payload(raw(wr->opcode))) bytes += length_of(*wr);
  }
  if (requests > 0) {
    if (qp->base().qp_type == IBV_QPT_RC) {
      device.posted(now, idle, requests, bytes);
    } else {
      device.posted_unreliable(now, requests, bytes);
    }
  }
  return error;
}

// Posts a list, all of it or (unless `whole`) the part before the first bad one.
int post(QpObject* qp, ibv_send_wr* wr, bool whole, ibv_send_wr** bad) {
  Device& device = *qp->device;
  bool idle;
  int error = 0;
  {
    std::lock_guard guard(device.lock());
    idle = qp->qp->send_idle();
    if (whole && wr != nullptr && wr->next != nullptr) error = check_list(qp, wr);
    if (error == 0) error = post_list(qp, wr, idle, bad);
  }
  // A program may poll its memory for the answer. If it has only one core, the process that answers would
  // not run before the scheduler takes the core away.
  if (idle && device.has_one_core() && wr != nullptr && sends_payload(raw(wr->opcode))) sched_yield();
  return error;
}

}  // namespace

int post_all(QpObject* qp, ibv_send_wr* wr) {
  ibv_send_wr* bad = nullptr;
  return watch::outcome_of_post("ibv_wr_complete", qp, post(qp, wr, true, &bad));
}

int post_for(const char* call, ibv_qp* handle, ibv_send_wr* wr, ibv_send_wr** bad) {
  return watch::outcome_of_post(call, handle, post(object(handle), wr, false, bad));
}

int ops::post_send(ibv_qp* handle, ibv_send_wr* wr, ibv_send_wr** bad) {
  return post_for("ibv_post_send", handle, wr, bad);
}

namespace {

int receive(QpObject* qp, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  Device& device = *qp->device;
  std::lock_guard guard(device.lock());
  for (; wr != nullptr; wr = wr->next) {
    const int error = wr->num_sge < 0 ? refuse(EINVAL, Cause::post_negative_sges)
                                      : device.engine().post_recv(*qp->qp, uroce::verbs::to_engine(*wr));
    if (error != 0) {
      *bad = wr;
      return error;
    }
  }
  return 0;
}

}  // namespace

int ops::post_recv(ibv_qp* handle, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  return watch::outcome_of_post("ibv_post_recv", handle, receive(object(handle), wr, bad));
}

}  // namespace uroce::verbs
