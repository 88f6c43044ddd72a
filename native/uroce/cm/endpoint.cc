// Endpoints: address lists, ids made ready in one call, requests of synchronous listeners.
#include <netdb.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "uroce/cm/service.h"
#include "uroce/refusal.h"
#include "uroce/report/report.h"

namespace uroce::cm {
namespace {

constexpr int kResolveTimeout = 2000;  // ms

bool copy_address(const sockaddr* from, socklen_t length, sockaddr** to, socklen_t* to_length) {
  *to = static_cast<sockaddr*>(std::calloc(1, sizeof(sockaddr_storage)));
  if (*to == nullptr) return false;
  std::memcpy(*to, from, std::min<size_t>(length, sizeof(sockaddr_storage)));
  *to_length = length;
  return true;
}

addrinfo hints_for_system(const rdma_addrinfo& hints) {
  addrinfo out{};
  if ((hints.ai_flags & RAI_PASSIVE) != 0) out.ai_flags |= AI_PASSIVE;
  if ((hints.ai_flags & RAI_NUMERICHOST) != 0) out.ai_flags |= AI_NUMERICHOST;
  if ((hints.ai_flags & RAI_FAMILY) != 0) out.ai_family = hints.ai_family;
  const bool datagram =
      hints.ai_qp_type == IBV_QPT_UD || (hints.ai_qp_type == 0 && hints.ai_port_space == RDMA_PS_UDP);
  out.ai_socktype = datagram ? SOCK_DGRAM : SOCK_STREAM;
  out.ai_protocol = datagram ? IPPROTO_UDP : IPPROTO_TCP;
  return out;
}

// Converts the system's first address to librdmacm's format. Type and port space come from the hints.
int convert(const addrinfo& from, rdma_addrinfo* to) {
  const bool datagram = from.ai_socktype == SOCK_DGRAM;
  to->ai_family = from.ai_family;
  if (to->ai_qp_type == 0) to->ai_qp_type = datagram ? IBV_QPT_UD : IBV_QPT_RC;
  if (to->ai_port_space == 0) to->ai_port_space = datagram ? RDMA_PS_UDP : RDMA_PS_TCP;
  const bool passive = (to->ai_flags & RAI_PASSIVE) != 0;
  char** canonical = passive ? &to->ai_src_canonname : &to->ai_dst_canonname;
  const bool copied = passive
                          ? copy_address(from.ai_addr, from.ai_addrlen, &to->ai_src_addr, &to->ai_src_len)
                          : copy_address(from.ai_addr, from.ai_addrlen, &to->ai_dst_addr, &to->ai_dst_len);
  if (!copied) return ENOMEM;
  if (from.ai_canonname != nullptr) *canonical = strdup(from.ai_canonname);
  return 0;
}

// Takes a new ID through the steps that its addresses allow.
int set_up(rdma_cm_id* id, rdma_addrinfo* info) {
  if ((info->ai_flags & RAI_PASSIVE) != 0) return rdma_bind_addr(id, info->ai_src_addr);
  if (rdma_resolve_addr(id, info->ai_src_addr, info->ai_dst_addr, kResolveTimeout) != 0) return -1;
  return rdma_resolve_route(id, kResolveTimeout);
}

}  // namespace
}  // namespace uroce::cm

using namespace uroce::cm;

extern "C" {

int rdma_getaddrinfo(const char* node, const char* service, const rdma_addrinfo* hints,
                     rdma_addrinfo** out) try {
  constexpr int kFlags = RAI_PASSIVE | RAI_NUMERICHOST | RAI_NOROUTE | RAI_FAMILY;
  if (out == nullptr || (node == nullptr && service == nullptr && hints == nullptr))
    return fail(refuse(EINVAL, Cause::cm_null));
  if (hints != nullptr && (hints->ai_flags & ~kFlags) != 0) return EAI_BADFLAGS;
  const rdma_addrinfo none{};
  const rdma_addrinfo& wanted = hints != nullptr ? *hints : none;
  auto* info = static_cast<rdma_addrinfo*>(std::calloc(1, sizeof(rdma_addrinfo)));
  if (info == nullptr) return fail(ENOMEM);
  info->ai_flags = wanted.ai_flags;
  info->ai_family = wanted.ai_family;
  info->ai_qp_type = wanted.ai_qp_type;
  info->ai_port_space = wanted.ai_port_space;
  int error = 0;
  if (node != nullptr || service != nullptr) {
    const addrinfo system_hints = hints_for_system(wanted);
    addrinfo* found = nullptr;
    if (const int code = getaddrinfo(node, service, &system_hints, &found); code != 0) {
      rdma_freeaddrinfo(info);
      return code;
    }
    error = convert(*found, info);
    freeaddrinfo(found);
  }
  if (error == 0 && info->ai_src_addr == nullptr && wanted.ai_src_addr != nullptr &&
      !copy_address(wanted.ai_src_addr, wanted.ai_src_len, &info->ai_src_addr, &info->ai_src_len)) {
    error = ENOMEM;
  }
  if (error == 0 && info->ai_dst_addr == nullptr && wanted.ai_dst_addr != nullptr &&
      !copy_address(wanted.ai_dst_addr, wanted.ai_dst_len, &info->ai_dst_addr, &info->ai_dst_len)) {
    error = ENOMEM;
  }
  if (error != 0) {
    rdma_freeaddrinfo(info);
    return fail(error);
  }
  *out = info;
  return 0;
} catch (const std::exception&) {
  return fail(ENOMEM);
}

void rdma_freeaddrinfo(rdma_addrinfo* info) {
  while (info != nullptr) {
    rdma_addrinfo* next = info->ai_next;
    std::free(info->ai_src_addr);
    std::free(info->ai_dst_addr);
    std::free(info->ai_src_canonname);
    std::free(info->ai_dst_canonname);
    std::free(info->ai_route);
    std::free(info->ai_connect);
    std::free(info);
    info = next;
  }
}

int rdma_create_ep(rdma_cm_id** out, rdma_addrinfo* info, ibv_pd* pd, ibv_qp_init_attr* init) try {
  if (out == nullptr || info == nullptr) return fail(refuse(EINVAL, Cause::cm_null));
  const auto type = static_cast<ibv_qp_type>(info->ai_qp_type);
  if (type != IBV_QPT_RC && type != IBV_QPT_UC && type != IBV_QPT_UD)
    return fail(refuse(EOPNOTSUPP, Cause::qp_type, static_cast<uint64_t>(type)));
  const uroce::report::MadeBy maker("rdma_create_ep", "rdma_destroy_ep", uroce::report::Kind::cm_id);
  Id* id = make_id(nullptr, nullptr, static_cast<rdma_port_space>(info->ai_port_space), type);
  if (id == nullptr) return -1;
  rdma_cm_id* handle = &id->base;
  bool ready = set_up(handle, info) == 0;
  if (ready && (info->ai_flags & RAI_PASSIVE) != 0) {
    if (pd != nullptr) handle->pd = pd;
    if (init != nullptr) {
      id->qp_init = std::make_unique<ibv_qp_init_attr>(*init);
      id->qp_init->qp_type = type;
    }
  } else if (ready) {
    if (init != nullptr) {
      init->qp_type = type;
      ready = rdma_create_qp(handle, pd, init) == 0;
    }
    if (ready && info->ai_connect_len != 0) {
      const auto* bytes = static_cast<const uint8_t*>(info->ai_connect);
      id->connect_prefix.assign(bytes, bytes + info->ai_connect_len);
    }
  }
  if (!ready) {
    const int error = errno;
    rdma_destroy_ep(handle);
    return fail(error);
  }
  *out = handle;
  return 0;
} catch (const std::exception&) {
  return fail(ENOMEM);
}

void rdma_destroy_ep(rdma_cm_id* id) {
  if (id->qp != nullptr) rdma_destroy_qp(id);
  if (id->srq != nullptr) rdma_destroy_srq(id);
  rdma_destroy_id(id);
}

int rdma_get_request(rdma_cm_id* listener, rdma_cm_id** out) try {
  Id* id = object(listener);
  if (!id->sync) return fail(refuse(EINVAL, Cause::cm_not_sync), listener);
  if (listener->event != nullptr) {
    rdma_ack_cm_event(listener->event);
    listener->event = nullptr;
  }
  const uroce::report::MadeBy maker("rdma_get_request", "rdma_destroy_ep", uroce::report::Kind::cm_id);
  rdma_cm_event* event = nullptr;
  if (rdma_get_cm_event(listener->channel, &event) != 0) return -1;
  int error = event->status != 0 ? std::abs(event->status) : 0;
  if (error == 0 && event->event != RDMA_CM_EVENT_CONNECT_REQUEST) error = EINVAL;
  if (error != 0) {
    listener->event = event;
    return fail(error);
  }
  if (id->qp_init) {
    ibv_qp_init_attr init = *id->qp_init;
    ibv_pd* pd =
        listener->pd != nullptr && listener->pd->context == event->id->verbs ? listener->pd : nullptr;
    if (rdma_create_qp(event->id, pd, &init) != 0) {
      const int no_qp = errno;
      rdma_cm_id* request = event->id;
      rdma_ack_cm_event(event);
      rdma_destroy_id(request);
      return fail(no_qp);
    }
  }
  *out = event->id;
  (*out)->event = event;
  return 0;
} catch (const std::exception&) {
  return fail(ENOMEM);
}

}  // extern "C"
