// Event channels: queues of events, and what has to be done before one is handed out.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "uroce/cm/service.h"
#include "uroce/refusal.h"
#include "uroce/report/await_acks.h"
#include "uroce/report/report.h"
#include "uroce/verbs/device/mutex_guard.h"
#include "uroce/verbs/device/restart.h"

namespace uroce::cm {
namespace {

EventObject* take_first(Channel* channel) {
  verbs::MutexGuard guard(channel->mutex);
  if (channel->events.empty()) return nullptr;
  EventObject* event = channel->events.front();
  channel->events.pop_front();
  uint64_t one;
  [[maybe_unused]] const ssize_t n = read(channel->base.fd, &one, sizeof one);
  // While the channel is locked, so that destroying the id sees it either queued or handed out.
  verbs::MutexGuard count(event->counted->mutex);
  ++event->counted->events_got;
  return event;
}

void acknowledge(EventObject* event) {
  Id* id = event->counted;
  {
    verbs::MutexGuard guard(id->mutex);
    ++id->events_acked;
    pthread_cond_broadcast(&id->cond);
  }
  delete event;
}

bool non_blocking(const Channel* channel) { return (fcntl(channel->base.fd, F_GETFL) & O_NONBLOCK) != 0; }

// Servers that hand a request to another thread often have room for one only (rping -P loses one of two that
// come together). With the kernel's connection manager there are several system calls between two events;
// here there is this pause, unless the last request has been answered meanwhile. Only where the call may
// block: a program with an event loop keeps its requests in order itself.
void leave_time_for_the_last(Id* listener) {
  constexpr uint64_t kPause = 2'000'000, kStep = 100'000;  // ns
  for (;;) {
    {
      Call call(*listener->service);
      if (!listener->service->machine().unanswered(listener->last_request)) return;
      if (call.now() - listener->last_request_time >= kPause) return;
    }
    const timespec step{0, kStep};
    nanosleep(&step, nullptr);
  }
}

// The request now belongs to the program. If the listener has its own channel, the new id gets one too.
bool hand_out_request(EventObject* event) {
  Id* id = object(event->base.id);
  Id* listener = event->counted;
  if (!non_blocking(listener->channel())) leave_time_for_the_last(listener);
  {
    Call call(*id->service);
    listener->last_request = id->connection != nullptr ? id->connection->local_id : 0;
    listener->last_request_time = call.now();
    listener->requests.erase(id);
    id->listener = nullptr;
  }
  if (!listener->sync || rdma_migrate_id(&id->base, nullptr) == 0) {
    const report::MadeBy maker("rdma_get_cm_event", "rdma_destroy_id", report::Kind::cm_id);
    report::made(report::Kind::cm_id, id);
    return true;
  }
  rdma_destroy_id(&id->base);
  return false;
}

// The peer has accepted: sets up the queue pair that the id has, and tells the peer.
void connect_qp(EventObject* event) {
  Id* id = object(event->base.id);
  if (id->base.qp == nullptr) return;  // the program's business: rdma_establish
  int error = to_rtr(id, RDMA_MAX_RESP_RES) != 0 || to_rts(id, RDMA_MAX_INIT_DEPTH) != 0 ? errno : 0;
  {
    Call call(*id->service);
    if (error == 0 && id->connection != nullptr) error = id->service->machine().send_rtu(*id->connection);
    if (error == 0) id->phase = Phase::connected;
    if (error != 0 && id->connection != nullptr) {
      id->service->machine().reject(*id->connection, wire::cm_reject::consumer_defined, {}, call.now());
    }
  }
  if (error == 0) {
    event->base.event = RDMA_CM_EVENT_ESTABLISHED;
    return;
  }
  to_error(id);
  id->connect_error = true;
  event->base.event = RDMA_CM_EVENT_CONNECT_ERROR;
  event->base.status = -error;
}

bool is_joined(const Id& id, const Multicast* group) {
  return std::any_of(id.groups.begin(), id.groups.end(), [group](const auto& g) { return g.get() == group; });
}

// False: the program has left the group meanwhile, in another thread.
bool attach_group(EventObject* event) {
  Id* id = object(event->base.id);
  Multicast* group = event->joined;
  ibv_qp* qp = id->base.qp;
  ibv_gid mgid;
  {
    Call call(*id->service);
    if (!is_joined(*id, group)) return false;
    if (qp == nullptr || group->attached) return true;
    std::copy(group->mgid.begin(), group->mgid.end(), mgid.raw);
  }
  const int error = ibv_attach_mcast(qp, &mgid, 0);
  bool left;
  {
    Call call(*id->service);
    left = !is_joined(*id, group);
    if (!left) group->attached = error == 0;
  }
  if (left) {
    if (error == 0) ibv_detach_mcast(qp, &mgid, 0);
    return false;
  }
  if (error == 0) return true;
  event->base.event = RDMA_CM_EVENT_MULTICAST_ERROR;
  event->base.status = -error;
  return true;
}

// False: the program does not see this one.
bool prepare(EventObject* event) {
  Id* id = object(event->base.id);
  switch (event->base.event) {
    case RDMA_CM_EVENT_CONNECT_REQUEST:
      return hand_out_request(event);
    case RDMA_CM_EVENT_CONNECT_RESPONSE:
      connect_qp(event);
      return true;
    case RDMA_CM_EVENT_REJECTED:
      if (id->connect_error) return false;
      to_error(id);
      return true;
    case RDMA_CM_EVENT_DISCONNECTED:
      return !id->connect_error;
    case RDMA_CM_EVENT_MULTICAST_JOIN:
      return attach_group(event);
    default:
      return true;
  }
}

}  // namespace

Channel* make_channel() {
  auto* channel = new (std::nothrow) Channel;
  if (channel == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  channel->base.fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
  if (channel->base.fd < 0) {
    delete channel;
    return nullptr;
  }
  return channel;
}

void free_channel(Channel* channel) {
  close(channel->base.fd);
  for (EventObject* event : channel->events) delete event;
  delete channel;
}

void queue_event(Channel* channel, EventObject* event) {
  const verbs::Uncancelable whole;
  verbs::MutexGuard guard(channel->mutex);
  channel->events.push_back(event);
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(channel->base.fd, &one, sizeof one);
}

void queue_event(Id* id, rdma_cm_event_type type, int status, uint64_t arg) {
  auto* event = new EventObject;
  event->base.id = &id->base;
  event->base.event = type;
  event->base.status = status;
  std::memcpy(&event->base.param, &arg, sizeof arg);
  event->counted = id;
  queue_event(id->channel(), event);
}

std::vector<EventObject*> remove_events(Channel* channel, Id* id) {
  std::vector<EventObject*> taken;
  const verbs::Uncancelable whole;
  verbs::MutexGuard guard(channel->mutex);
  std::erase_if(channel->events, [&](EventObject* event) {
    if (event->counted != id && event->base.id != &id->base) return false;
    uint64_t one;
    [[maybe_unused]] const ssize_t n = read(channel->base.fd, &one, sizeof one);
    taken.push_back(event);
    return true;
  });
  return taken;
}

void wait_for_acks(Id* id) {
  verbs::MutexGuard guard(id->mutex);
  report::await_acks(id->mutex, id->cond, id->events_acked, id->events_got, "rdma_destroy_id",
                     "rdma_ack_cm_event");
}

int complete(Id* id) {
  if (!id->sync) return 0;
  if (id->base.event != nullptr) {
    rdma_ack_cm_event(id->base.event);
    id->base.event = nullptr;
  }
  if (rdma_get_cm_event(id->base.channel, &id->base.event) != 0) return -1;
  const rdma_cm_event& event = *id->base.event;
  if (event.status == 0) return 0;
  // A reason of the connection manager is positive, an errno value negative.
  if (event.event == RDMA_CM_EVENT_REJECTED) return fail(ECONNREFUSED);
  return fail(event.status < 0 ? -event.status : event.status);
}

}  // namespace uroce::cm

using namespace uroce::cm;

extern "C" {

rdma_event_channel* rdma_create_event_channel(void) {
  Channel* channel = make_channel();
  if (channel != nullptr) uroce::report::made(uroce::report::Kind::cm_channel, channel);
  return channel != nullptr ? &channel->base : nullptr;
}

void rdma_destroy_event_channel(rdma_event_channel* channel) {
  uroce::report::gone(object(channel));
  free_channel(object(channel));
}

int rdma_get_cm_event(rdma_event_channel* handle, rdma_cm_event** out) {
  if (handle == nullptr || out == nullptr) return fail(refuse(EINVAL, Cause::cm_null));
  Channel* channel = object(handle);
  for (;;) {
    {
      // An event that is taken reaches the program.
      const uroce::verbs::Uncancelable whole;
      while (EventObject* event = take_first(channel)) {
        if (prepare(event)) {
          *out = &event->base;
          return 0;
        }
        acknowledge(event);
      }
    }
    if (non_blocking(channel)) return fail(EAGAIN);
    if (!uroce::verbs::wait_readable(handle->fd)) return -1;
  }
}

int rdma_ack_cm_event(rdma_cm_event* event) {
  if (event == nullptr) return fail(refuse(EINVAL, Cause::cm_null));
  acknowledge(reinterpret_cast<EventObject*>(event));
  return 0;
}

const char* rdma_event_str(rdma_cm_event_type event) {
  static const char* const kNames[] = {
      "RDMA_CM_EVENT_ADDR_RESOLVED", "RDMA_CM_EVENT_ADDR_ERROR", "RDMA_CM_EVENT_ROUTE_RESOLVED",
      "RDMA_CM_EVENT_ROUTE_ERROR", "RDMA_CM_EVENT_CONNECT_REQUEST", "RDMA_CM_EVENT_CONNECT_RESPONSE",
      "RDMA_CM_EVENT_CONNECT_ERROR", "RDMA_CM_EVENT_UNREACHABLE", "RDMA_CM_EVENT_REJECTED",
      "RDMA_CM_EVENT_ESTABLISHED", "RDMA_CM_EVENT_DISCONNECTED", "RDMA_CM_EVENT_DEVICE_REMOVAL",
      "RDMA_CM_EVENT_MULTICAST_JOIN", "RDMA_CM_EVENT_MULTICAST_ERROR", "RDMA_CM_EVENT_ADDR_CHANGE",
      "RDMA_CM_EVENT_TIMEWAIT_EXIT",
      // RDMACM_1.4 has these, too (addrinfo.cc).
      "RDMA_CM_EVENT_ADDRINFO_RESOLVED", "RDMA_CM_EVENT_ADDRINFO_ERROR", "RDMA_CM_EVENT_USER",
      "RDMA_CM_EVENT_INTERNAL"};
  const auto index = static_cast<std::size_t>(event);
  return index < std::size(kNames) ? kNames[index] : "UNKNOWN EVENT";
}

}  // extern "C"
