// Asynchronous events.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "uroce/report/await_acks.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/mutex_guard.h"
#include "uroce/verbs/device/restart.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {

bool is_qp_event(ibv_event_type type) {
  switch (type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
      return true;
    default:
      return false;
  }
}

namespace {

bool is_cq_event(ibv_event_type type) { return type == IBV_EVENT_CQ_ERR; }

bool is_srq_event(ibv_event_type type) {
  return type == IBV_EVENT_SRQ_ERR || type == IBV_EVENT_SRQ_LIMIT_REACHED;
}

// The oldest event, if any. The descriptor counts those queued.
bool pop_event(ContextObject* context, AsyncEvent* event) {
  ibv_context& c = context->verbs.context;
  const Uncancelable whole;
  MutexGuard guard(c.mutex);
  const bool any = !context->events.empty();
  if (any) {
    *event = context->events.front();
    context->events.pop_front();
    uint64_t one;
    [[maybe_unused]] const ssize_t n = read(c.async_fd, &one, sizeof one);
    // While the queue's lock is held, so that destroying the object sees it either queued or handed out.
    if (is_qp_event(event->type)) ++object(static_cast<ibv_qp*>(event->element))->async_got;
    if (is_cq_event(event->type)) ++object(static_cast<ibv_cq*>(event->element))->async_got;
    if (is_srq_event(event->type)) ++object(static_cast<ibv_srq*>(event->element))->async_got;
  }
  return any;
}

}  // namespace

void raise_async(ibv_context* context, AsyncEvent event) {
  if (feed::on()) watch::raised(event);
  const Uncancelable whole;
  MutexGuard guard(context->mutex);
  ContextObject::of(context)->events.push_back(event);
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(context->async_fd, &one, sizeof one);
}

void drain_async_events(ibv_context* context, void* element, pthread_mutex_t& mutex, pthread_cond_t& cond,
                        const uint32_t& completed, const uint32_t& handed_out, const char* destroy) {
  ContextObject* object = ContextObject::of(context);
  uint32_t owed;
  {
    const Uncancelable whole;
    MutexGuard guard(context->mutex);
    std::erase_if(object->events, [&](const AsyncEvent& event) {
      if (event.element != element) return false;
      if (report::on()) watch::unread(event);
      uint64_t one;
      [[maybe_unused]] const ssize_t n = read(context->async_fd, &one, sizeof one);
      return true;
    });
    owed = handed_out;
  }
  MutexGuard guard(mutex);
  report::await_acks(mutex, cond, completed, owed, destroy, "ibv_ack_async_event");
}

void Device::qp_event(transport::Qp& qp, EventType type) {
  auto* object = static_cast<QpObject*>(qp.user);
  if (object == nullptr) return;  // a QP of which the program has no handle
  raise_async(object->base().context, {static_cast<ibv_event_type>(type), &object->base()});
}

void Device::cq_error(transport::Cq& cq) {
  auto* object = static_cast<CqObject*>(cq.user);
  if (report::on()) watch::overrun(*object);
  raise_async(object->base.context, {IBV_EVENT_CQ_ERR, &object->base});
}

void Device::srq_event(transport::Srq& srq, EventType type) {
  auto* object = static_cast<SrqObject*>(srq.user);
  raise_async(object->base.context, {static_cast<ibv_event_type>(type), &object->base});
}

void Device::unsignaled_stamps(const transport::WrStamps& stamps) {
  if (feed::on()) watch::retired(stamps);
  if (stamps_ && stamps_running_.load(std::memory_order_relaxed)) stamps_->add(stamps, 0);
}

void Device::polled(const transport::WrStamps* stamps, uint32_t n) {
  if (!stamps_running_.load(std::memory_order_relaxed)) return;
  std::shared_ptr<StampRing> ring;
  uint64_t now;
  {
    std::lock_guard guard(lock_);
    if (stamps_running_.load(std::memory_order_relaxed)) ring = stamps_;
    now = this->now();
  }
  if (!ring) return;
  for (uint32_t i = 0; i < n; ++i) {
    if (stamps[i].valid) ring->add(stamps[i], now);
  }
}

}  // namespace uroce::verbs

using namespace uroce::verbs;

extern "C" {

int ibv_get_async_event(ibv_context* context, ibv_async_event* out) {
  ContextObject* owner = ContextObject::of(context);
  AsyncEvent event;
  while (!pop_event(owner, &event)) {
    if ((fcntl(context->async_fd, F_GETFL) & O_NONBLOCK) != 0) {
      errno = EAGAIN;
      return -1;
    }
    if (!wait_readable(context->async_fd)) return -1;
  }
  out->event_type = event.type;
  if (is_qp_event(event.type)) {
    out->element.qp = static_cast<ibv_qp*>(event.element);
  } else if (is_cq_event(event.type)) {
    out->element.cq = static_cast<ibv_cq*>(event.element);
  } else if (is_srq_event(event.type)) {
    out->element.srq = static_cast<ibv_srq*>(event.element);
  } else {
    out->element.port_num = 1;
  }
  return 0;
}

void ibv_ack_async_event(ibv_async_event* event) {
  pthread_mutex_t* mutex;
  pthread_cond_t* cond;
  uint32_t* completed;
  if (is_qp_event(event->event_type)) {
    ibv_qp* qp = event->element.qp;
    mutex = &qp->mutex, cond = &qp->cond, completed = &qp->events_completed;
  } else if (is_cq_event(event->event_type)) {
    ibv_cq* cq = event->element.cq;
    mutex = &cq->mutex, cond = &cq->cond, completed = &cq->async_events_completed;
  } else if (is_srq_event(event->event_type)) {
    ibv_srq* srq = event->element.srq;
    mutex = &srq->mutex, cond = &srq->cond, completed = &srq->events_completed;
  } else {
    return;
  }
  MutexGuard guard(*mutex);
  ++*completed;
  pthread_cond_broadcast(cond);
}

}  // extern "C"
