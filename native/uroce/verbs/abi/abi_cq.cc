// Completion queues.
#include <errno.h>
#include <sched.h>

#include <algorithm>
#include <mutex>

#include "uroce/net/host/clock.h"
#include "uroce/report/await_acks.h"
#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/mutex_guard.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {
namespace {

constexpr uint32_t kPollsBeforeYield = 48;
constexpr uint32_t kYieldEvery = 8;

// The lock among threads that poll one CQ. Held for as long as it takes to copy some completions.
using PollLock = std::lock_guard<SpinLock>;

uint32_t poll_completions(CqObject* cq, uint32_t n, ibv_wc* wc, uint64_t* times) {
  if (cq->cq->count() == 0) return 0;
  static_assert(sizeof(ibv_wc) == sizeof(transport::Completion));
  auto* out = reinterpret_cast<transport::Completion*>(wc);
  if (!cq->device->stamping()) [[likely]] {
    PollLock guard(cq->poll_lock);
    return cq->cq->poll(out, n, nullptr, times);
  }
  constexpr uint32_t kBatch = 64;
  transport::WrStamps stamps[kBatch];
  n = std::min(n, kBatch);
  uint32_t got;
  {
    PollLock guard(cq->poll_lock);
    got = cq->cq->poll(out, n, stamps, times);
  }
  if (got > 0) {
    if (feed::on()) watch::polled(wc, stamps, got);
    cq->device->polled(stamps, got);
  }
  return got;
}

// Hardware rounds up, and programs rely on it: perftest with events makes a CQ of one entry and at times
// has two completions in it.
int refuse_entries(int cqe) { return refuse(EINVAL, Cause::cqe, static_cast<uint64_t>(cqe)); }
uint32_t entries(int cqe) { return std::max(static_cast<uint32_t>(cqe), 2u); }

}  // namespace

CqObject* create_cq(ibv_context* context, int cqe, void* cq_context, ibv_comp_channel* channel,
                    int comp_vector, bool timed) {
  if (!is_live(context) || !is_live_or_null(channel)) return fail<CqObject>(refuse_dead());
  ContextObject* owner = ContextObject::of(context);
  if (!in_context(context, channel)) return fail<CqObject>(refuse_foreign());
  if (cqe <= 0) return fail<CqObject>(refuse_entries(cqe));
  if (comp_vector < 0 || comp_vector >= context->num_comp_vectors) {
    return fail<CqObject>(refuse(EINVAL, Cause::comp_vector, static_cast<uint64_t>(comp_vector),
                                 static_cast<uint64_t>(context->num_comp_vectors)));
  }
  auto* cq = new (std::nothrow) CqObject{};
  if (cq == nullptr) return fail<CqObject>(refuse_memory());
  {
    std::lock_guard guard(owner->device->lock());
    const auto made = owner->device->engine().create_cq(entries(cqe), timed || report::on());
    if (!made) {
      delete cq;
      return fail<CqObject>(made.error());
    }
    cq->cq = *made;
    cq->cq->user = cq;
    if (channel != nullptr) ++channel->refcnt;
  }
  cq->device = owner->device;
  cq->channel = channel != nullptr ? object(channel) : nullptr;
  cq->base.context = context;
  cq->base.channel = channel;
  cq->base.cq_context = cq_context;
  cq->base.cqe = static_cast<int>(cq->cq->capacity());
  pthread_mutex_init(&cq->base.mutex, nullptr);
  pthread_cond_init(&cq->base.cond, nullptr);
  cq->base.handle = cq->handle = handles::next();
  enter_handle(&cq->base);
  ++owner->objects;
  report::made(report::Kind::cq, cq);
  return cq;
}

uint32_t poll_cq(CqObject* cq, uint32_t wanted, ibv_wc* wc, uint64_t* times) {
  Device& device = *cq->device;
  uint32_t got = poll_completions(cq, wanted, wc, times);
  if (got > 0 && !device.posts_waited_long()) return got;
  // The thread that has the lock already makes progress.
  bool worked = true;
  if (std::unique_lock guard(device.lock(), std::try_to_lock); guard) worked = device.progress(false);
  if (got < wanted)
    got += poll_completions(cq, wanted - got, wc + got, times != nullptr ? times + got : nullptr);
  static thread_local uint32_t empty_polls = 0;
  empty_polls = worked || got > 0 ? 0 : empty_polls + 1;
  // Nothing for some 20 us: if the peer (or our own engine thread) waits for this core, it should have it. On
  // an idle machine this costs a fraction of a microsecond.
  if (empty_polls >= kPollsBeforeYield && empty_polls % kYieldEvery == 0) sched_yield();
  return got;
}

int ops::poll_cq(ibv_cq* handle, int n, ibv_wc* wc) {
  if (n <= 0) return n < 0 ? -EINVAL : 0;
  return static_cast<int>(uroce::verbs::poll_cq(object(handle), static_cast<uint32_t>(n), wc, nullptr));
}

int ops::req_notify_cq(ibv_cq* handle, int solicited_only) {
  CqObject* cq = object(handle);
  if (handle->handle != cq->handle) return watch::outcome("ibv_req_notify_cq", handle, refuse_dead());
  if (const int error = call_faults::injected("ibv_req_notify_cq"); error != 0)
    return watch::outcome("ibv_req_notify_cq", handle, error);
  std::lock_guard guard(cq->device->lock());
  cq->cq->arm(solicited_only != 0);
  return 0;
}

namespace {

int resize(ibv_cq* handle, int cqe) {
  if (!is_live(handle)) return refuse_dead();
  CqObject* cq = object(handle);
  if (cqe <= 0) return refuse_entries(cqe);
  const uint32_t most = cq->device->engine().config().max_cqe;
  if (static_cast<uint32_t>(cqe) > most)
    return refuse(EINVAL, Cause::cap, Limit::cqe, static_cast<uint64_t>(cqe), most);
  std::lock_guard guard(cq->device->lock());
  PollLock poll_guard(cq->poll_lock);
  const int error = cq->cq->resize(entries(cqe));
  if (error == 0) handle->cqe = static_cast<int>(cq->cq->capacity());
  return error;
}

int destroy(ibv_cq* handle) {
  if (!is_live(handle)) return refuse_dead();
  CqObject* cq = object(handle);
  ChannelObject* channel = cq->channel;
  uint32_t owed;
  {
    std::lock_guard guard(cq->device->lock());
    if (report::on() && cq->cq->references == 0) watch::closing(*cq);
    if (const int error = cq->device->engine().destroy_cq(cq->cq); error != 0) return error;
    leave_handle(handle);
    report::gone(cq);
    if (channel != nullptr) {
      forget_events(channel, cq);
      --channel->base.refcnt;
    }
    owed = cq->events_got;
  }
  {
    MutexGuard guard(handle->mutex);
    report::await_acks(handle->mutex, handle->cond, handle->comp_events_completed, owed, "ibv_destroy_cq",
                       "ibv_ack_cq_events");
  }
  drain_async_events(handle->context, handle, handle->mutex, handle->cond, handle->async_events_completed,
                     cq->async_got, "ibv_destroy_cq");
  pthread_mutex_destroy(&handle->mutex);
  pthread_cond_destroy(&handle->cond);
  --ContextObject::of(handle->context)->objects;
  free_later(cq);
  return 0;
}

}  // namespace
}  // namespace uroce::verbs

using namespace uroce::verbs;

extern "C" {

ibv_cq* ibv_create_cq(ibv_context* context, int cqe, void* cq_context, ibv_comp_channel* channel,
                      int comp_vector) {
  if (const int error = call_faults::injected("ibv_create_cq"); error != 0)
    return watch::outcome("ibv_create_cq", context, fail<ibv_cq>(error));
  CqObject* cq =
      or_no_memory([&] { return create_cq(context, cqe, cq_context, channel, comp_vector, false); });
  return watch::outcome("ibv_create_cq", context, cq != nullptr ? &cq->base : nullptr);
}

int ibv_resize_cq(ibv_cq* cq, int cqe) {
  if (const int error = call_faults::injected("ibv_resize_cq"); error != 0)
    return watch::outcome("ibv_resize_cq", cq, error);
  return watch::outcome("ibv_resize_cq", cq, or_no_memory([&] { return resize(cq, cqe); }));
}

int ibv_destroy_cq(ibv_cq* cq) { return watch::outcome("ibv_destroy_cq", cq, destroy(cq)); }

}  // extern "C"
