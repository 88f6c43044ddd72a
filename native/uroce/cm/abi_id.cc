// Ids: create, destroy, migrate, options.
#include <cstring>
#include <exception>

#include "uroce/cm/service.h"
#include "uroce/refusal.h"
#include "uroce/report/report.h"
#include "uroce/verbs/device/call_faults.h"

namespace uroce::cm {
namespace {

// Deletes events. The ID of a connection request that was never handed out is deleted with its event.
void discard(const std::vector<EventObject*>& events) {
  for (EventObject* event : events) {
    Id* id = object(event->base.id);
    const bool unseen = event->base.event == RDMA_CM_EVENT_CONNECT_REQUEST && event->counted != id;
    delete event;
    if (unseen) rdma_destroy_id(&id->base);
  }
}

template <class T>
int read_option(const void* value, size_t length, T* out) {
  if (value == nullptr || length != sizeof(T))
    return refuse(EINVAL, Cause::cm_option_size, length, sizeof(T));
  std::memcpy(out, value, sizeof(T));
  return 0;
}

int set_id_option(Id* id, int name, const void* value, size_t length) {
  int number = 0;
  int error = 0;
  switch (name) {
    case RDMA_OPTION_ID_TOS:
      return read_option(value, length, &id->tos);
    case RDMA_OPTION_ID_ACK_TIMEOUT: {
      uint8_t timeout = 0;
      error = read_option(value, length, &timeout);
      if (error == 0 && timeout > 31)
        error = refuse(EINVAL, Cause::attribute_range, qp_mask::timeout, timeout, 31);
      if (error == 0) id->ack_timeout = timeout;
      return error;
    }
    case RDMA_OPTION_ID_REUSEADDR:
      error = read_option(value, length, &number);
      if (error != 0) return error;
      // A bound port keeps its options, except that sharing may be switched on.
      if (number == 0 && id->phase != Phase::idle) return refuse_phase(*id, Phase::idle);
      id->reuse = number != 0;
      if (id->binding != nullptr) id->binding->reuse = id->reuse;
      return 0;
    case RDMA_OPTION_ID_AFONLY:
      error = read_option(value, length, &number);
      if (error == 0 && id->phase != Phase::idle) error = refuse_phase(*id, Phase::idle);
      if (error == 0) id->afonly = number != 0;
      return error;
    default:
      return refuse(ENOSYS, Cause::cm_option, RDMA_OPTION_ID, static_cast<uint64_t>(name));
  }
}

}  // namespace

Id* make_id(Channel* channel, void* context, rdma_port_space ps, ibv_qp_type type) {
  const Shared* shared = acquire_shared();
  if (shared == nullptr) return nullptr;
  auto* id = new (std::nothrow) Id;
  Channel* own = nullptr;
  if (id != nullptr && channel == nullptr) own = make_channel();
  if (id == nullptr || (channel == nullptr && own == nullptr)) {
    const int error = id == nullptr ? ENOMEM : errno;
    delete id;
    release_shared();
    errno = error;
    return nullptr;
  }
  id->service = shared->service;
  id->sync = own != nullptr;
  id->base.channel = own != nullptr ? &own->base : &channel->base;
  id->base.context = context;
  id->base.ps = ps;
  id->base.qp_type = type;
  Call call(*id->service);
  id->psn = id->service->device().random().next() & kPsnMask;
  id->service->ids_changed(id, true);
  report::made(report::Kind::cm_id, id);
  return id;
}

}  // namespace uroce::cm

using namespace uroce::cm;

extern "C" {

int rdma_create_id(rdma_event_channel* channel, rdma_cm_id** out, void* context, rdma_port_space ps) try {
  if (const int error = uroce::verbs::call_faults::injected("rdma_create_id"); error != 0)
    return fail(error, nullptr);
  if (out == nullptr) return fail(refuse(EINVAL, Cause::cm_null));
  ibv_qp_type type;
  switch (ps) {
    case RDMA_PS_TCP:
    case RDMA_PS_IB:
      type = IBV_QPT_RC;
      break;
    case RDMA_PS_UDP:
    case RDMA_PS_IPOIB:
      type = IBV_QPT_UD;
      break;
    default:
      return fail(refuse(EINVAL, Cause::cm_port_space, ps));
  }
  Id* id = make_id(channel != nullptr ? object(channel) : nullptr, context, ps, type);
  if (id == nullptr) return -1;
  *out = &id->base;
  return 0;
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_destroy_id(rdma_cm_id* handle) {
  Id* id = object(handle);
  {
    Call call(*id->service);
    id->service->forget(id, call.now());
  }
  // Nothing on the network finds the ID from here on. Queued events are deleted; events handed out are
  // waited for.
  discard(remove_events(id->channel(), id));
  if (handle->event != nullptr) {
    rdma_ack_cm_event(handle->event);
    handle->event = nullptr;
  }
  wait_for_acks(id);
  if (id->sync) free_channel(id->channel());
  std::free(handle->route.path_rec);
  if (id->resolved != nullptr) rdma_freeaddrinfo(id->resolved);
  pthread_mutex_destroy(&id->mutex);
  pthread_cond_destroy(&id->cond);
  uroce::report::gone(id);
  delete id;
  release_shared();
  return 0;
}

int rdma_migrate_id(rdma_cm_id* handle, rdma_event_channel* target) try {
  Id* id = object(handle);
  if (id->sync && target == nullptr) return fail(refuse(EINVAL, Cause::cm_null), handle);
  Channel* to = target != nullptr ? object(target) : make_channel();
  if (to == nullptr) return -1;
  Channel* from = id->channel();
  const bool was_sync = id->sync;
  if (was_sync && handle->event != nullptr) {
    rdma_ack_cm_event(handle->event);
    handle->event = nullptr;
  }
  {
    // No event can arrive meanwhile.
    Call call(*id->service);
    for (EventObject* event : remove_events(from, id)) queue_event(to, event);
    for (Id* request : id->requests) {
      for (EventObject* event : remove_events(from, request)) queue_event(to, event);
      request->base.channel = &to->base;
    }
    handle->channel = &to->base;
    id->sync = target == nullptr;
  }
  wait_for_acks(id);
  if (was_sync) free_channel(from);
  return 0;
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_set_option(rdma_cm_id* handle, int level, int name, void* value, size_t length) {
  Id* id = object(handle);
  if (level == RDMA_OPTION_IB)
    return fail(refuse(EOPNOTSUPP, Cause::cm_option, RDMA_OPTION_IB, static_cast<uint64_t>(name)),
                handle);  // paths come from the addresses
  if (level != RDMA_OPTION_ID) {
    const auto asked = static_cast<uint64_t>(static_cast<unsigned>(level));
    return fail(refuse(ENOSYS, Cause::cm_option, asked, static_cast<uint64_t>(name)), handle);
  }
  Call call(*id->service);
  return result(set_id_option(id, name, value, length), handle);
}

int rdma_set_local_ece(rdma_cm_id*, ibv_ece*) { return fail(EOPNOTSUPP); }
int rdma_get_remote_ece(rdma_cm_id*, ibv_ece*) { return fail(EOPNOTSUPP); }

}  // extern "C"
