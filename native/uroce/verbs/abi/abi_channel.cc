// Completion channels and completion events.
//
// The thread in ibv_get_cq_event polls the engine itself while it waits: a packet wakes only that thread,
// and it takes the completion without another wake-up. The channel's descriptor counts events for programs
// that poll() it; for them the engine thread works.
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "uroce/net/host/clock.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/mutex_guard.h"
#include "uroce/verbs/device/poll_set.h"
#include "uroce/verbs/device/restart.h"
#include "uroce/verbs/device/spin_policy.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {
namespace {

void show(ChannelObject* channel) {
  const uint64_t n = channel->unsignaled;
  if (n == 0) return;
  channel->unsignaled = 0;
  [[maybe_unused]] const ssize_t written = write(channel->base.fd, &n, sizeof n);
}

// Takes the oldest event, or nullptr. The event counts as handed out at once, so that destroying the CQ
// sees it either queued or handed out. Engine lock.
CqObject* pop_event(ChannelObject* channel) {
  if (channel->events.empty()) return nullptr;
  CqObject* cq = channel->events.front();
  channel->events.pop_front();
  ++cq->events_got;
  if (channel->unsignaled > 0) {
    --channel->unsignaled;  // the descriptor never showed it
  } else {
    uint64_t one;
    [[maybe_unused]] const ssize_t n = read(channel->base.fd, &one, sizeof one);
  }
  return cq;
}

bool non_blocking(int fd) { return (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0; }

// A blocking wait for events of a channel.
class Waiter {
 public:
  explicit Waiter(ChannelObject* channel)
      : channel_(channel), device_(*channel->device), polls_sockets_(device_.thread().enter_wait()) {
    ++channel->waiters;
  }
  ~Waiter() {
    --channel_->waiters;
    device_.thread().leave_wait(polls_sockets_);
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  // The event, or nullptr with errno set (EINTR).
  CqObject* wait() {
    static thread_local SpinPolicy spin;
    bool spinning = false;
    for (;;) {
      uint64_t wake = kNever;
      bool blocked = false;
      {
        std::lock_guard guard(device_.lock());
        if (polls_sockets_) {
          // Completions of this thread's own progress need no wake-up through the descriptor.
          channel_->signal_later = true;
          if (!device_.progress(false)) device_.send_acks();
          channel_->signal_later = false;
        }
        CqObject* cq = pop_event(channel_);
        show(channel_);
        if (cq != nullptr) {
          if (spinning) spin.found(device_.progress_began());
          return cq;
        }
        if (polls_sockets_) {
          wake = device_.next_wake();
          blocked = device_.port_blocked();
        }
      }
      if (polls_sockets_) {
        const uint64_t now = net::now_ns();
        if (!spinning) spinning = !device_.has_one_core() && spin.begin(now);
        if (spinning && spin.go_on(now)) {
          cpu_relax();
          continue;
        }
        if (spinning) spin.gave_up(now);
        spinning = false;
      }
      if (!block(wake, blocked)) return nullptr;
    }
  }

 private:
  bool asleep() {
    std::lock_guard guard(device_.lock());
    return device_.sleep();
  }

  bool block(uint64_t wake, bool blocked) {
    PollSet set;
    set.add(channel_->base.fd);
    if (polls_sockets_) {
      if (!asleep()) return true;
      set.add(device_.bell());
      for (int fd : device_.sockets()) set.add(fd, blocked ? POLLIN | POLLOUT : POLLIN);
      set.add(device_.multicast_fd());
    }
    if (blocked) wake = std::min<uint64_t>(wake, net::now_ns() + kBlockedRetry);
    const int found = set.wait(wake);
    const int error = errno;
    if (polls_sockets_) device_.end_sleep();
    if (found >= 0) return true;
    errno = error;
    if (errno != EINTR) return false;
    if (restarts_after_signal()) return true;
    errno = EINTR;
    return false;
  }

  ChannelObject* channel_;
  Device& device_;
  const bool polls_sockets_;
};

}  // namespace

void forget_events(ChannelObject* channel, CqObject* cq) {
  show(channel);
  const std::size_t gone = std::erase(channel->events, cq);
  for (std::size_t i = 0; i < gone; ++i) {
    uint64_t one;
    [[maybe_unused]] const ssize_t n = read(channel->base.fd, &one, sizeof one);
  }
}

void Device::completion_event(transport::Cq& cq) {
  auto* object = static_cast<CqObject*>(cq.user);
  ChannelObject* channel = object->channel;
  if (channel == nullptr) return;
  channel->events.push_back(object);
  ++channel->unsignaled;
  if (!channel->signal_later) show(channel);
}

namespace {

ibv_comp_channel* create(ibv_context* context) {
  if (!is_live(context)) return fail<ibv_comp_channel>(refuse_dead());
  ContextObject* owner = ContextObject::of(context);
  auto* channel = new (std::nothrow) ChannelObject{};
  if (channel == nullptr) return fail<ibv_comp_channel>(refuse_memory());
  channel->device = owner->device;
  channel->base.context = context;
  channel->base.fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
  if (channel->base.fd < 0) {
    const int error = errno;
    delete channel;
    return fail<ibv_comp_channel>(error);
  }
  enter_handle(&channel->base);
  ++owner->objects;
  report::made(report::Kind::channel, channel);
  return &channel->base;
}

int destroy(ibv_comp_channel* handle) {
  if (!is_live(handle)) return refuse_dead();
  ChannelObject* channel = object(handle);
  {
    std::lock_guard guard(channel->device->lock());
    if (handle->refcnt > 0) return refuse(EBUSY, Cause::in_use, 4);
  }
  leave_handle(handle);
  close(handle->fd);
  report::gone(channel);
  --ContextObject::of(handle->context)->objects;
  free_later(channel);
  return 0;
}

}  // namespace
}  // namespace uroce::verbs

using namespace uroce::verbs;

extern "C" {

ibv_comp_channel* ibv_create_comp_channel(ibv_context* context) {
  if (const int error = call_faults::injected("ibv_create_comp_channel"); error != 0)
    return watch::outcome("ibv_create_comp_channel", context, fail<ibv_comp_channel>(error));
  return watch::outcome("ibv_create_comp_channel", context, or_no_memory([&] { return create(context); }));
}

int ibv_destroy_comp_channel(ibv_comp_channel* channel) {
  return watch::outcome("ibv_destroy_comp_channel", channel, destroy(channel));
}

int ibv_get_cq_event(ibv_comp_channel* handle, ibv_cq** cq, void** cq_context) {
  ChannelObject* channel = object(handle);
  CqObject* got;
  {
    std::lock_guard guard(channel->device->lock());
    got = pop_event(channel);
  }
  if (got == nullptr) {
    if (non_blocking(handle->fd)) {
      errno = EAGAIN;
      return -1;
    }
    got = Waiter(channel).wait();
    if (got == nullptr) return -1;
  }
  *cq = &got->base;
  *cq_context = got->base.cq_context;
  return 0;
}

void ibv_ack_cq_events(ibv_cq* cq, unsigned int nevents) {
  MutexGuard guard(cq->mutex);
  cq->comp_events_completed += nevents;
  pthread_cond_broadcast(&cq->cond);
}

}  // extern "C"
