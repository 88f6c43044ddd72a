// Queue pairs: create, modify, query, destroy.
#include <errno.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "uroce/verbs/abi/address_path.h"
#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/mtu.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/abi/wr_builder.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {
namespace {

int to_engine(const QpObject& qp, const ibv_qp_attr& in, uint32_t mask, QpAttr* out) {
  if (((mask & qp_mask::state) != 0 && raw(in.qp_state) > IBV_QPS_ERR) ||
      ((mask & qp_mask::cur_state) != 0 && raw(in.cur_qp_state) > IBV_QPS_ERR)) {
    return refuse(EINVAL, Cause::no_such_state,
                  (mask & qp_mask::state) != 0 && raw(in.qp_state) > IBV_QPS_ERR ? raw(in.qp_state)
                                                                                 : raw(in.cur_qp_state));
  }
  out->qp_state = static_cast<QpState>(raw(in.qp_state));
  out->cur_qp_state = static_cast<QpState>(raw(in.cur_qp_state));
  if ((mask & qp_mask::path_mtu) != 0) {
    out->path_mtu = mtu_bytes(raw(in.path_mtu));
    if (out->path_mtu == 0) return refuse(EINVAL, Cause::mtu_not_enum, raw(in.path_mtu));
  }
  out->qkey = in.qkey;
  out->rq_psn = in.rq_psn;
  out->sq_psn = in.sq_psn;
  out->dest_qp_num = in.dest_qp_num;
  out->qp_access_flags = in.qp_access_flags;
  out->pkey_index = in.pkey_index;
  out->en_sqd_async_notify = in.en_sqd_async_notify;
  out->max_rd_atomic = in.max_rd_atomic;
  out->max_dest_rd_atomic = in.max_dest_rd_atomic;
  out->min_rnr_timer = in.min_rnr_timer;
  out->port_num = in.port_num;
  out->timeout = in.timeout;
  out->retry_cnt = in.retry_cnt;
  out->rnr_retry = in.rnr_retry;
  if ((mask & qp_mask::av) == 0) return 0;
  return to_path(*qp.device, in.ah_attr, qp.sockets_only, Device::FlowHolder::queue_pair, &out->av);
}

ibv_qp* create(ibv_pd* pd, ibv_qp_init_attr* init, uint64_t send_ops, bool extended) {
  if (init->send_cq == nullptr || init->recv_cq == nullptr) return fail<ibv_qp>(refuse(EINVAL, Cause::no_cq));
  if (!is_live(pd) || !is_live(init->send_cq) || !is_live(init->recv_cq) || !is_live_or_null(init->srq))
    return fail<ibv_qp>(refuse_dead());
  if (!in_context(pd->context, init->send_cq, init->recv_cq, init->srq))
    return fail<ibv_qp>(refuse_foreign());
  const uint32_t type = raw(init->qp_type);
  const uint64_t possible = wr_ops(type);
  if (possible == 0) return fail<ibv_qp>(refuse(EOPNOTSUPP, Cause::qp_type, type));
  if ((send_ops & ~possible) != 0)
    return fail<ibv_qp>(refuse(EOPNOTSUPP, Cause::send_ops, send_ops & ~possible, type));
  Device* device = object(pd)->device;
  auto* qp = new (std::nothrow) QpObject{};
  if (qp == nullptr) return fail<ibv_qp>(refuse_memory());
  // SGEs and inline data share their room (rxe shares it too, and programs that ask for neither rely on
  // it).
  const uint32_t inline_for_sges = std::min(init->cap.max_send_sge * static_cast<uint32_t>(sizeof(ibv_sge)),
                                            device->engine().config().max_inline);
  init->cap.max_inline_data = std::max(init->cap.max_inline_data, inline_for_sges);
  transport::QpInit engine_init;
  engine_init.type = static_cast<QpType>(type);
  engine_init.pd = object(pd)->id;
  engine_init.send_cq = object(init->send_cq)->cq;
  engine_init.recv_cq = object(init->recv_cq)->cq;
  engine_init.srq = init->srq != nullptr ? object(init->srq)->srq : nullptr;
  engine_init.cap = {init->cap.max_send_wr, init->cap.max_recv_wr, init->cap.max_send_sge,
                     init->cap.max_recv_sge, init->cap.max_inline_data};
  engine_init.sq_sig_all = init->sq_sig_all != 0;
  engine_init.user = qp;
  {
    std::lock_guard guard(device->lock());
    const auto made = device->engine().create_qp(engine_init);
    if (!made) {
      delete qp;
      return fail<ibv_qp>(made.error());
    }
    qp->qp = *made;
    if (init->qp_type == IBV_QPT_UD) device->show_headers();
    ContextObject::of(pd->context)->qps.insert(qp);
  }
  qp->device = device;
  const QpCap cap = qp->qp->query().cap;
  qp->cap =
      init->cap = {cap.max_send_wr, cap.max_recv_wr, cap.max_send_sge, cap.max_recv_sge, cap.max_inline_data};
  qp->sq_sig_all = engine_init.sq_sig_all;
  ibv_qp& base = qp->base();
  base.context = pd->context;
  base.qp_context = init->qp_context;
  base.pd = pd;
  base.send_cq = init->send_cq;
  base.recv_cq = init->recv_cq;
  base.srq = init->srq;
  base.handle = handles::next();
  base.qp_num = qp->qp->qpn();
  base.state = IBV_QPS_RESET;
  base.qp_type = init->qp_type;
  pthread_mutex_init(&base.mutex, nullptr);
  pthread_cond_init(&base.cond, nullptr);
  if (extended) {
    qp->extended = true;
    qp->builder = new WrBuilder(*qp, object(pd)->td == nullptr);
    fill_wr_ops(&qp->ex, send_ops);
    if (init->qp_type == IBV_QPT_UD) fill_ud_ops(&qp->ex);
  }
  enter_handle(&base);
  report::made(report::Kind::qp, qp, base.qp_num);
  return &base;
}

void to_verbs(const QpAttr& in, const QpObject& qp, ibv_qp_attr* out) {
  *out = {};
  out->qp_state = static_cast<ibv_qp_state>(in.qp_state);
  out->cur_qp_state = out->qp_state;
  out->path_mtu = mtu_enum(in.path_mtu);
  out->path_mig_state = IBV_MIG_MIGRATED;
  out->qkey = in.qkey;
  out->rq_psn = in.rq_psn;
  out->sq_psn = in.sq_psn;
  out->dest_qp_num = in.dest_qp_num;
  out->qp_access_flags = in.qp_access_flags;
  out->cap = qp.cap;
  out->ah_attr = qp.ah_attr;
  out->pkey_index = in.pkey_index;
  out->en_sqd_async_notify = in.en_sqd_async_notify;
  out->sq_draining = in.sq_draining;
  out->max_rd_atomic = in.max_rd_atomic;
  out->max_dest_rd_atomic = in.max_dest_rd_atomic;
  out->min_rnr_timer = in.min_rnr_timer;
  out->port_num = in.port_num;
  out->timeout = in.timeout;
  out->retry_cnt = in.retry_cnt;
  out->rnr_retry = in.rnr_retry;
}

// Removes completions from before a queue pair was reset or destroyed, as mlx4, mlx5, hns and pvrdma do.
// Engine lock.
void purge(ibv_qp* handle) {
  for (ibv_cq* cq : {handle->send_cq, handle->recv_cq}) {
    std::lock_guard guard(object(cq)->poll_lock);
    if (report::on()) watch::closing(*object(cq), handle->qp_num);
    object(cq)->cq->purge(handle->qp_num);
    if (handle->send_cq == handle->recv_cq) return;
  }
}

int modify(ibv_qp* handle, ibv_qp_attr* attr, uint32_t mask) {
  if (!is_live(handle)) return refuse_dead();
  QpObject* qp = object(handle);
  Device& device = *qp->device;
  QpAttr engine_attr;
  std::unique_lock guard(device.lock());
  if (const int error = to_engine(*qp, *attr, mask, &engine_attr); error != 0) return error;
  if ((mask & qp_mask::av) != 0 && device.rings_only()) {
    const uint32_t peer = (mask & qp_mask::dest_qpn) != 0 ? attr->dest_qp_num : qp->qp->query().dest_qp_num;
    guard.unlock();
    if (const int error = device.check_reach(engine_attr.av, peer); error != 0) return error;
    guard.lock();
  }
  const uint64_t now = device.now();
  // ACKs and responses that are due are sent before the QP may be reset.
  device.push(now, 0);
  if (const int error = device.engine().modify_qp(*qp->qp, engine_attr, mask, now); error != 0) return error;
  if ((mask & (qp_mask::av | qp_mask::state)) != 0) device.peers_changed();
  if ((mask & qp_mask::av) != 0) qp->ah_attr = attr->ah_attr;
  if ((mask & qp_mask::state) != 0) handle->state = attr->qp_state;
  if (handle->state == IBV_QPS_RESET) purge(handle);
  if (report::on() && handle->state == IBV_QPS_RESET) watch::forget(qp);
  if (feed::on()) watch::modified(*qp, *attr, mask);
  device.push(now, transport::kDeferPiggybackAcks);
  device.thread().check_by(now, device.next_wake());
  return 0;
}

// Returns all attributes for any mask, like the kernel.
int query(ibv_qp* handle, ibv_qp_attr* attr, ibv_qp_init_attr* init) {
  if (!is_live(handle)) return refuse_dead();
  QpObject* qp = object(handle);
  {
    std::lock_guard guard(qp->device->lock());
    to_verbs(qp->qp->query(), *qp, attr);
    handle->state = attr->qp_state;
  }
  if (init == nullptr) return 0;
  *init = {};
  init->qp_context = handle->qp_context;
  init->send_cq = handle->send_cq;
  init->recv_cq = handle->recv_cq;
  init->srq = handle->srq;
  init->cap = qp->cap;
  init->qp_type = handle->qp_type;
  init->sq_sig_all = qp->sq_sig_all ? 1 : 0;
  return 0;
}

int destroy(ibv_qp* handle) {
  if (!is_live(handle)) return refuse_dead();
  QpObject* qp = object(handle);
  Device& device = *qp->device;
  {
    std::lock_guard guard(device.lock());
    // A deferred ACK must not be lost with the QP.
    device.push(device.now(), 0);
    if (feed::on()) watch::leaving(*qp);
    if (const int error = device.engine().destroy_qp(qp->qp); error != 0) return error;
    purge(handle);
    ContextObject::of(handle->context)->qps.erase(qp);
    leave_handle(handle);
    if (report::on()) watch::forget(qp);
    report::gone(qp);
  }
  drain_async_events(handle->context, handle, handle->mutex, handle->cond, handle->events_completed,
                     qp->async_got, "ibv_destroy_qp");
  pthread_mutex_destroy(&handle->mutex);
  pthread_cond_destroy(&handle->cond);
  delete qp->builder;
  free_later(qp);
  return 0;
}

ibv_qp* create_extended(ibv_context* context, ibv_qp_init_attr_ex* attr) {
  constexpr uint32_t kKnown =
      IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS | IBV_QP_INIT_ATTR_CREATE_FLAGS;
  if ((attr->comp_mask & ~kKnown) != 0)
    return fail<ibv_qp>(refuse(EOPNOTSUPP, Cause::unsupported, attr->comp_mask & ~kKnown));
  if ((attr->comp_mask & IBV_QP_INIT_ATTR_CREATE_FLAGS) != 0 && attr->create_flags != 0)
    return fail<ibv_qp>(refuse(EOPNOTSUPP, Cause::unsupported, attr->create_flags));
  if ((attr->comp_mask & IBV_QP_INIT_ATTR_PD) == 0 || attr->pd == nullptr)
    return fail<ibv_qp>(refuse(EINVAL, Cause::no_pd));
  if (is_live(attr->pd) && !in_context(context, attr->pd)) return fail<ibv_qp>(refuse_foreign());
  const bool extended = (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) != 0;
  const uint64_t send_ops = extended ? attr->send_ops_flags : 0;
  // The first members are those of ibv_qp_init_attr.
  return create(attr->pd, reinterpret_cast<ibv_qp_init_attr*>(attr), send_ops, extended);
}

}  // namespace

ibv_qp* ops::create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attr) {
  if (const int error = call_faults::injected("ibv_create_qp"); error != 0)
    return watch::outcome("ibv_create_qp", context, fail<ibv_qp>(error));
  return watch::outcome("ibv_create_qp_ex", (attr->comp_mask & IBV_QP_INIT_ATTR_PD) != 0 ? attr->pd : nullptr,
                        or_no_memory([&] { return create_extended(context, attr); }));
}

}  // namespace uroce::verbs

using namespace uroce::verbs;

extern "C" {

ibv_qp* ibv_create_qp(ibv_pd* pd, ibv_qp_init_attr* init) {
  if (const int error = call_faults::injected("ibv_create_qp"); error != 0)
    return watch::outcome("ibv_create_qp", pd, fail<ibv_qp>(error));
  return watch::outcome("ibv_create_qp", pd, or_no_memory([&] { return create(pd, init, 0, false); }));
}

ibv_qp_ex* ibv_qp_to_qp_ex(ibv_qp* qp) { return object(qp)->extended ? &object(qp)->ex : nullptr; }

int ibv_modify_qp(ibv_qp* handle, ibv_qp_attr* attr, int attr_mask) {
  if (const int error = call_faults::injected("ibv_modify_qp"); error != 0)
    return watch::outcome("ibv_modify_qp", handle, error);
  const auto mask = static_cast<uint32_t>(attr_mask);
  return watch::outcome("ibv_modify_qp", handle, modify(handle, attr, mask));
}

int ibv_query_qp(ibv_qp* qp, ibv_qp_attr* attr, int, ibv_qp_init_attr* init) {
  return watch::outcome("ibv_query_qp", qp, query(qp, attr, init));
}

int ibv_destroy_qp(ibv_qp* qp) { return watch::outcome("ibv_destroy_qp", qp, destroy(qp)); }

// A message is placed from its first byte to its last. The flags come from later headers than these: bit 0
// asks for the kinds of order (bit 0 whole messages, bit 1 blocks of 128 bytes). Without it, 1 means whole
// messages.
int ibv_query_qp_data_in_order(ibv_qp*, ibv_wr_opcode, uint32_t flags) { return (flags & 1) != 0 ? 3 : 1; }

}  // extern "C"
