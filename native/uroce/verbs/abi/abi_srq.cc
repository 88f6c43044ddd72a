// Shared receive queues.
#include <errno.h>

#include <mutex>

#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/full_queue.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {

namespace {

int receive(SrqObject* srq, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  std::lock_guard guard(srq->device->lock());
  for (; wr != nullptr; wr = wr->next) {
    const int error = wr->num_sge < 0 ? refuse(EINVAL, Cause::post_negative_sges)
                                      : srq->srq->post(uroce::verbs::to_engine(*wr));
    if (error != 0) {
      *bad = wr;
      return error;
    }
  }
  return 0;
}

}  // namespace

int ops::post_srq_recv(ibv_srq* handle, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  return watch::outcome_of_post("ibv_post_srq_recv", handle, receive(object(handle), wr, bad));
}

namespace {

ibv_srq* create(ibv_pd* pd, ibv_srq_init_attr* init) {
  if (!is_live(pd)) return fail<ibv_srq>(refuse_dead());
  ContextObject* owner = ContextObject::of(pd->context);
  auto* srq = new (std::nothrow) SrqObject{};
  if (srq == nullptr) return fail<ibv_srq>(refuse_memory());
  {
    std::lock_guard guard(owner->device->lock());
    const auto made =
        owner->device->engine().create_srq(object(pd)->id, {init->attr.max_wr, init->attr.max_sge, 0});
    if (!made) {
      delete srq;
      return fail<ibv_srq>(made.error());
    }
    srq->srq = *made;
    srq->srq->user = srq;
  }
  srq->device = owner->device;
  srq->base.context = pd->context;
  srq->base.srq_context = init->srq_context;
  srq->base.pd = pd;
  pthread_mutex_init(&srq->base.mutex, nullptr);
  pthread_cond_init(&srq->base.cond, nullptr);
  srq->base.handle = handles::next();
  enter_handle(&srq->base);
  ++owner->objects;
  report::made(report::Kind::srq, srq);
  return &srq->base;
}

int modify(ibv_srq* handle, const ibv_srq_attr* attr, int mask) {
  if (!is_live(handle)) return refuse_dead();
  SrqObject* srq = object(handle);
  const int unknown = mask & ~(IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT);
  if (unknown != 0) return refuse(EINVAL, Cause::unknown_flags, static_cast<uint32_t>(unknown));
  std::lock_guard guard(srq->device->lock());
  return srq->device->engine().modify_srq(*srq->srq, {attr->max_wr, attr->max_sge, attr->srq_limit},
                                          static_cast<uint32_t>(mask));
}

int query(ibv_srq* handle, ibv_srq_attr* attr) {
  if (!is_live(handle)) return refuse_dead();
  SrqObject* srq = object(handle);
  std::lock_guard guard(srq->device->lock());
  const transport::SrqAttr now = srq->srq->query();
  *attr = {.max_wr = now.max_wr, .max_sge = now.max_sge, .srq_limit = now.limit};
  return 0;
}

int destroy(ibv_srq* handle) {
  if (!is_live(handle)) return refuse_dead();
  SrqObject* srq = object(handle);
  {
    std::lock_guard guard(srq->device->lock());
    if (const int error = srq->device->engine().destroy_srq(srq->srq); error != 0) return error;
    leave_handle(handle);
    if (report::on()) watch::forget_full(srq);
    report::gone(srq);
  }
  drain_async_events(handle->context, handle, handle->mutex, handle->cond, handle->events_completed,
                     srq->async_got, "ibv_destroy_srq");
  pthread_mutex_destroy(&handle->mutex);
  pthread_cond_destroy(&handle->cond);
  --ContextObject::of(handle->context)->objects;
  free_later(srq);
  return 0;
}

}  // namespace
}  // namespace uroce::verbs

using namespace uroce::verbs;

extern "C" {

ibv_srq* ibv_create_srq(ibv_pd* pd, ibv_srq_init_attr* init) {
  if (const int error = call_faults::injected("ibv_create_srq"); error != 0)
    return watch::outcome("ibv_create_srq", pd, fail<ibv_srq>(error));
  return watch::outcome("ibv_create_srq", pd, or_no_memory([&] { return create(pd, init); }));
}

int ibv_modify_srq(ibv_srq* srq, ibv_srq_attr* attr, int mask) {
  return watch::outcome("ibv_modify_srq", srq, modify(srq, attr, mask));
}

int ibv_query_srq(ibv_srq* srq, ibv_srq_attr* attr) {
  return watch::outcome("ibv_query_srq", srq, query(srq, attr));
}

int ibv_destroy_srq(ibv_srq* srq) { return watch::outcome("ibv_destroy_srq", srq, destroy(srq)); }

}  // extern "C"
