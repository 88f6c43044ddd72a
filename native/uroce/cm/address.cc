// Addresses of ids: binding, and finding the way to a destination.
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "uroce/cm/service.h"
#include "uroce/net/host/unique_fd.h"
#include "uroce/refusal.h"
#include "uroce/verbs/abi/mtu.h"
#include "uroce/verbs/device/call_faults.h"

namespace uroce::cm {
namespace {

bool is_any(const sockaddr* address) {
  const Gid gid = net::gid_from(address);
  const auto begin = address->sa_family == AF_INET ? gid.begin() + 12 : gid.begin();
  return std::all_of(begin, gid.end(), [](uint8_t byte) { return byte == 0; });
}

// 127.0.0.1 or ::1.
bool is_localhost(const Gid& gid) {
  return is_loopback(gid) && std::all_of(gid.begin() + 13, gid.end() - 1, [](uint8_t b) { return b == 0; }) &&
         gid.back() == 1;
}

// The device's address to use for a loopback address, of the same family if there is one.
std::size_t stand_in(const Service& service, const Gid& localhost) {
  const auto& gids = service.plan().gids;
  std::size_t found = gids.size();
  for (std::size_t i = gids.size(); i-- > 0;) {
    if (net::is_zero(gids[i].gid)) continue;
    const bool same = is_ipv4(gids[i].gid) == is_ipv4(localhost);
    if (found == gids.size() || same) found = i;
  }
  return found;
}

// True if the destination is the device itself: 127.0.0.1 and ::1 are, as in the kernel. If the device has
// another loopback address, those two may belong to another device. Then a listener on the port decides.
bool means_ourselves(const Service& service, const Id& id, const sockaddr* destination) {
  const Gid to = net::gid_from(destination);
  const std::size_t i = stand_in(service, to);
  if (!is_localhost(to) || service.gid_index(to) < service.plan().gids.size()) return false;
  return !is_loopback(service.plan().gids[i].gid) ||
         service.ports().in_use(static_cast<uint16_t>(id.base.ps), port_in(destination), i);
}

// The address that the system would send from: connect() of a datagram socket sends nothing.
std::expected<Gid, int> source_for(const sockaddr* destination) {
  net::UniqueFd fd(socket(destination->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) return std::unexpected(errno);
  sockaddr_storage to{};
  std::memcpy(&to, destination, length_of(destination));
  auto* address = reinterpret_cast<sockaddr*>(&to);
  set_port(address, wire::kRocePort);
  if (connect(fd.get(), address, length_of(destination)) != 0) return std::unexpected(errno);
  sockaddr_storage from{};
  socklen_t length = sizeof from;
  if (getsockname(fd.get(), reinterpret_cast<sockaddr*>(&from), &length) != 0) return std::unexpected(errno);
  return net::gid_from(reinterpret_cast<sockaddr*>(&from));
}

// Index of the device's address to reach the destination from. The error is an errno value.
std::expected<std::size_t, int> route(const Service& service, const Id& id, const sockaddr* destination) {
  const auto& gids = service.plan().gids;
  const Gid to = net::gid_from(destination);
  const auto fits = [&](std::size_t i) {
    return !net::is_zero(gids[i].gid) && is_ipv4(gids[i].gid) == is_ipv4(to);
  };
  if (!id.binding->wildcard) {
    if (!fits(id.gid_index)) return std::unexpected(refuse(EINVAL, Cause::cm_route));
    return id.gid_index;
  }
  for (std::size_t i = 0; i < gids.size(); ++i) {
    if (gids[i].gid == to) return i;
  }
  const auto source = source_for(destination);
  if (source) {
    const std::size_t i = service.gid_index(*source);
    if (i < gids.size()) return i;
  }
  for (std::size_t i = 0; i < gids.size(); ++i) {
    if (fits(i) && (is_multicast(to) || (is_loopback(to) && is_loopback(gids[i].gid)))) return i;
  }
  return std::unexpected(source ? ENODEV : source.error());
}

void show_gids(Id* id, const Gid& local, const Gid& remote) {
  rdma_ib_addr& ib = id->base.route.addr.addr.ibaddr;
  std::copy(local.begin(), local.end(), ib.sgid.raw);
  std::copy(remote.begin(), remote.end(), ib.dgid.raw);
  ib.pkey = htons(kDefaultPkey);
}

// Resolves the addresses. Returns an errno value if the call is wrong; a routing failure becomes an event.
// Engine lock.
int resolve(Id* id, const sockaddr* source, const sockaddr* destination) {
  if (length_of(destination) == 0) return refuse_family(destination, EAFNOSUPPORT);
  if (id->phase == Phase::idle) {
    sockaddr_storage any{};
    any.ss_family = destination->sa_family;
    const auto* from = source != nullptr ? source : reinterpret_cast<const sockaddr*>(&any);
    if (const int error = bind(id, from); error != 0) return error;
  }
  if (id->phase != Phase::bound) return refuse_phase(*id, Phase::bound);
  const bool ourselves = means_ourselves(*id->service, *id, destination);
  const auto index = ourselves && id->binding->wildcard ? stand_in(*id->service, net::gid_from(destination))
                                                        : route(*id->service, *id, destination);
  if (!index) {
    if (index.error() == EINVAL) return EINVAL;
    queue_event(id, RDMA_CM_EVENT_ADDR_ERROR, -index.error());
    return 0;
  }
  rdma_addr& address = id->base.route.addr;
  const net::LocalAddress& local = id->service->plan().gids[*index];
  id->gid_index = *index;
  std::memcpy(&address.dst_storage, destination, length_of(destination));
  if (ourselves && id->binding->wildcard) {
    address.src_storage = address.dst_storage;
    set_port(&address.src_addr, id->binding->port);
  } else {
    address.src_storage = to_sockaddr_of(local.gid, id->binding->port, local.scope_id);
  }
  // "Any" as a destination means this machine, as with ordinary sockets.
  if (is_any(destination)) {
    address.dst_storage = to_sockaddr_of(local.gid, port_in(destination), local.scope_id);
  }
  show_gids(id, local.gid, ourselves ? local.gid : net::gid_from(&address.dst_addr));
  assign_device(id);
  id->phase = Phase::addr_resolved;
  queue_event(id, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
  return 0;
}

// The path record that an SA would give; on Ethernet it follows from the addresses.
int make_path(Id* id) {
  auto* path = static_cast<ibv_sa_path_rec*>(std::calloc(1, sizeof(ibv_sa_path_rec)));
  if (path == nullptr) return ENOMEM;
  const rdma_ib_addr& ib = id->base.route.addr.addr.ibaddr;
  path->sgid = ib.sgid;
  path->dgid = ib.dgid;
  path->pkey = ib.pkey;
  path->hop_limit = 64;
  path->traffic_class = id->tos;
  path->reversible = 1;
  path->numb_path = 1;
  path->mtu_selector = path->rate_selector = path->packet_life_time_selector = 2;  // exactly
  path->mtu = static_cast<uint8_t>(verbs::mtu_enum(id->service->plan().path_mtu));
  path->rate = IBV_RATE_2_5_GBPS;
  path->packet_life_time = 16;
  std::free(id->base.route.path_rec);
  id->base.route.path_rec = path;
  id->base.route.num_paths = 1;
  return 0;
}

}  // namespace

socklen_t length_of(const sockaddr* address) {
  if (address == nullptr) return 0;
  switch (address->sa_family) {
    case AF_INET:
      return sizeof(sockaddr_in);
    case AF_INET6:
      return sizeof(sockaddr_in6);
    default:
      return 0;
  }
}

uint16_t port_in(const sockaddr* address) {
  switch (address->sa_family) {
    case AF_INET:
      return ntohs(reinterpret_cast<const sockaddr_in*>(address)->sin_port);
    case AF_INET6:
      return ntohs(reinterpret_cast<const sockaddr_in6*>(address)->sin6_port);
    default:
      return 0;
  }
}

void set_port(sockaddr* address, uint16_t port) {
  if (address->sa_family == AF_INET) reinterpret_cast<sockaddr_in*>(address)->sin_port = htons(port);
  if (address->sa_family == AF_INET6) reinterpret_cast<sockaddr_in6*>(address)->sin6_port = htons(port);
}

sockaddr_storage to_sockaddr_of(const Gid& gid, uint16_t port, uint32_t scope_id) {
  sockaddr_storage out;
  net::to_sockaddr(gid, scope_id, &out, port);
  return out;
}

int refuse_family(const sockaddr* address, int error) {
  if (address == nullptr) return refuse(error, Cause::cm_null);
  return address->sa_family == AF_IB ? refuse(error, Cause::cm_af_ib)
                                     : refuse(error, Cause::cm_family, address->sa_family);
}

int bind(Id* id, const sockaddr* address) {
  if (id->phase != Phase::idle) return refuse_phase(*id, Phase::idle);
  if (length_of(address) == 0) return refuse_family(address, EAFNOSUPPORT);
  Service& service = *id->service;
  const auto& gids = service.plan().gids;
  Binding wanted;
  wanted.space = static_cast<uint16_t>(id->base.ps);
  wanted.port = port_in(address);
  // Like the kernel, 127.0.0.1 and ::1 stand for any address of the device, unless it has exactly that one.
  const Gid named = net::gid_from(address);
  const bool localhost = is_localhost(named) && service.gid_index(named) == gids.size();
  wanted.wildcard = is_any(address) || localhost;
  wanted.reuse = id->reuse;
  wanted.user = id;
  if (wanted.wildcard) {
    for (std::size_t i = 0; i < gids.size(); ++i) {
      const bool v4 = is_ipv4(gids[i].gid);
      const bool fits = localhost || (address->sa_family == AF_INET ? v4 : !v4 || !id->afonly);
      if (fits && !net::is_zero(gids[i].gid)) wanted.gids.push_back(i);
    }
  } else if (const std::size_t i = service.gid_index(named); i < gids.size()) {
    wanted.gids.push_back(i);
  }
  if (wanted.gids.empty()) return refuse(EADDRNOTAVAIL, Cause::cm_address);
  const bool any = wanted.wildcard && !localhost;
  const std::size_t first = localhost ? stand_in(service, named) : wanted.gids.front();
  const auto binding = service.ports().bind(std::move(wanted));
  if (!binding) return binding.error();
  id->binding = *binding;
  id->gid_index = first;
  std::memcpy(&id->base.route.addr.src_storage, address, length_of(address));
  set_port(&id->base.route.addr.src_addr, id->binding->port);
  if (!any) {
    show_gids(id, gids[first].gid, Gid{});
    assign_device(id);
  }
  id->phase = Phase::bound;
  return 0;
}

}  // namespace uroce::cm

using namespace uroce::cm;

extern "C" {

int rdma_bind_addr(rdma_cm_id* handle, sockaddr* address) try {
  if (const int error = uroce::verbs::call_faults::injected("rdma_bind_addr"); error != 0)
    return fail(error, handle);
  if (length_of(address) == 0) return fail(refuse_family(address, EINVAL), handle);
  Id* id = object(handle);
  Call call(*id->service);
  return result(bind(id, address), handle);
} catch (const std::exception&) {
  return fail(ENOMEM);
}

// The route is known at once, so the timeout does not matter.
int rdma_resolve_addr(rdma_cm_id* handle, sockaddr* source, sockaddr* destination, int) try {
  if (const int error = uroce::verbs::call_faults::injected("rdma_resolve_addr"); error != 0)
    return fail(error, handle);
  if (length_of(destination) == 0) return fail(refuse_family(destination, EINVAL), handle);
  if (source != nullptr && length_of(source) == 0) return fail(refuse_family(source, EINVAL), handle);
  Id* id = object(handle);
  int error;
  {
    Call call(*id->service);
    error = resolve(id, source, destination);
  }
  return error != 0 ? fail(error, handle) : complete(id);
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_resolve_route(rdma_cm_id* handle, int) try {
  if (const int error = uroce::verbs::call_faults::injected("rdma_resolve_route"); error != 0)
    return fail(error, handle);
  Id* id = object(handle);
  int error = 0;
  {
    Call call(*id->service);
    if (id->phase != Phase::addr_resolved) error = refuse_phase(*id, Phase::addr_resolved);
    if (error == 0) error = make_path(id);
    if (error == 0) {
      id->phase = Phase::route_resolved;
      queue_event(id, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
    }
  }
  return error != 0 ? fail(error, handle) : complete(id);
} catch (const std::exception&) {
  return fail(ENOMEM);
}

__be16 rdma_get_src_port(rdma_cm_id* id) { return htons(port_in(&id->route.addr.src_addr)); }
__be16 rdma_get_dst_port(rdma_cm_id* id) { return htons(port_in(&id->route.addr.dst_addr)); }

}  // extern "C"
