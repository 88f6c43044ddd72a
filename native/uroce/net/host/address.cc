#include "uroce/net/host/address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

#include "uroce/net/host/unique_fd.h"

namespace uroce::net {
namespace {

// Room rxe keeps for headers when it turns the MTU of a link into a path MTU (RXE_MAX_HDR_LENGTH).
constexpr uint32_t kHeaderRoom = 80;
constexpr std::size_t kGidIndexIpv4 = 1;

uint32_t path_mtu_of(uint32_t link_mtu) {
  const uint32_t payload = link_mtu > kHeaderRoom ? link_mtu - kHeaderRoom : 0;
  for (uint32_t mtu : {4096u, 2048u, 1024u, 512u}) {
    if (payload >= mtu) return mtu;
  }
  return 256;
}

uint32_t interface_mtu(const char* name) {
  UniqueFd fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) fd.reset(socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (ioctl(fd.get(), SIOCGIFMTU, &request) != 0) return 1500;
  return static_cast<uint32_t>(request.ifr_mtu);
}

using Interfaces = std::unique_ptr<ifaddrs, decltype(&freeifaddrs)>;

std::expected<Interfaces, Error> interfaces() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) {
    const int error = errno;
    return std::unexpected(
        Error{error, std::string("cannot list the network interfaces: ") + std::strerror(error) + "."});
  }
  return Interfaces{list, &freeifaddrs};
}

bool has_address(const ifaddrs* entry) {
  return entry->ifa_addr != nullptr &&
         (entry->ifa_addr->sa_family == AF_INET || entry->ifa_addr->sa_family == AF_INET6);
}

LocalAddress describe(const ifaddrs* entry, const Gid& gid) {
  LocalAddress local;
  local.gid = gid;
  local.interface = entry->ifa_name;
  local.loopback = (entry->ifa_flags & IFF_LOOPBACK) != 0;
  local.mtu = interface_mtu(entry->ifa_name);
  if (entry->ifa_addr->sa_family == AF_INET6) {
    local.scope_id = reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_scope_id;
  }
  return local;
}

// The interface that holds the address; `interface` empty when none does.
LocalAddress locate(const ifaddrs* list, const Gid& gid) {
  for (const ifaddrs* e = list; e != nullptr; e = e->ifa_next) {
    if (has_address(e) && gid_from(e->ifa_addr) == gid) return describe(e, gid);
  }
  // 127.0.0.0/8 belongs to the loopback interface as a whole: every address in it can be bound.
  if (is_ipv4(gid) && is_loopback(gid)) {
    for (const ifaddrs* e = list; e != nullptr; e = e->ifa_next) {
      if (has_address(e) && (e->ifa_flags & IFF_LOOPBACK) != 0) {
        LocalAddress local = describe(e, gid);
        local.scope_id = 0;
        return local;
      }
    }
  }
  return {};
}

bool parse_gid(const std::string& text, Gid* gid) {
  Gid out{};
  if (inet_pton(AF_INET, text.c_str(), &out[12]) == 1) {
    out[10] = out[11] = 0xff;
  } else if (inet_pton(AF_INET6, text.c_str(), out.data()) != 1) {
    return false;
  }
  *gid = out;
  return true;
}

// First IPv6 address to place 0, first IPv4 address to place 1, the others behind.
void place(AddressPlan* plan, const LocalAddress& local) {
  if (plan->gids.size() < kGidIndexIpv4 + 1) plan->gids.resize(kGidIndexIpv4 + 1);
  LocalAddress& preferred = plan->gids[is_ipv4(local.gid) ? kGidIndexIpv4 : 0];
  if (is_zero(preferred.gid)) {
    preferred = local;
  } else {
    plan->gids.push_back(local);
  }
}

// FNV-1a over the addresses, behind the letters "ur": one GUID for all processes that share the addresses.
uint64_t guid_of(const AddressPlan& plan) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const LocalAddress& local : plan.gids) {
    for (uint8_t byte : local.gid) hash = (hash ^ byte) * 0x100000001b3u;
  }
  return (uint64_t{0x0275} << 48) | (hash >> 16);
}

std::expected<AddressPlan, Error> finish(AddressPlan plan) {
  uint32_t mtu = 4096;
  for (const LocalAddress& local : plan.gids) {
    if (!is_zero(local.gid)) mtu = std::min(mtu, path_mtu_of(local.mtu));
  }
  plan.path_mtu = mtu;
  plan.guid = guid_of(plan);
  return plan;
}

std::expected<AddressPlan, Error> from_list(const ifaddrs* list, const std::string& text) {
  AddressPlan plan;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, end - at);
    at = end + 1;
    Gid gid;
    if (!parse_gid(item, &gid)) {
      return std::unexpected(Error{EINVAL, "UROCE_ADDR: '" + item + "' is not an IPv4 or IPv6 address."});
    }
    const LocalAddress local = locate(list, gid);
    if (local.interface.empty()) {
      return std::unexpected(
          Error{EADDRNOTAVAIL, "UROCE_ADDR: no interface of this machine has the address " + item +
                                   ". `ip address` lists all addresses."});
    }
    const bool twice =
        std::any_of(plan.gids.begin(), plan.gids.end(), [&](const LocalAddress& l) { return l.gid == gid; });
    if (!twice) place(&plan, local);
  }
  return finish(std::move(plan));
}

std::expected<AddressPlan, Error> from_netdev(const ifaddrs* list, const std::string& name) {
  AddressPlan plan;
  bool known = false, have4 = false, have6 = false;
  for (const ifaddrs* e = list; e != nullptr; e = e->ifa_next) {
    if (name != e->ifa_name) continue;
    known = true;
    if (!has_address(e)) continue;
    const Gid gid = gid_from(e->ifa_addr);
    const bool v4 = is_ipv4(gid);
    const bool link_local = gid[0] == 0xfe && (gid[1] & 0xc0) == 0x80;
    const bool v6 = link_local || (e->ifa_flags & IFF_LOOPBACK) != 0;
    if ((v4 && !have4) || (!v4 && v6 && !have6)) place(&plan, describe(e, gid));
    have4 |= v4;
    have6 |= !v4 && v6;
  }
  if (!known) {
    return std::unexpected(Error{ENODEV, "UROCE_NETDEV: there is no network interface '" + name +
                                             "'. `ip link` lists all interfaces."});
  }
  if (!have4 && !have6) {
    return std::unexpected(Error{EADDRNOTAVAIL, "UROCE_NETDEV: the interface '" + name +
                                                    "' has neither an IPv4 nor a link-local IPv6 address."});
  }
  return finish(std::move(plan));
}

}  // namespace

Gid gid_from(const sockaddr* address) {
  Gid gid{};
  if (address->sa_family == AF_INET) {
    gid[10] = gid[11] = 0xff;
    std::memcpy(&gid[12], &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, 4);
  } else if (address->sa_family == AF_INET6) {
    std::memcpy(gid.data(), &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, 16);
  }
  return gid;
}

socklen_t to_sockaddr(const Gid& gid, uint32_t scope_id, sockaddr_storage* out, uint16_t port) {
  std::memset(out, 0, sizeof *out);
  if (is_ipv4(gid)) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(out);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    std::memcpy(&v4->sin_addr, &gid[12], 4);
    return sizeof *v4;
  }
  auto* v6 = reinterpret_cast<sockaddr_in6*>(out);
  v6->sin6_family = AF_INET6;
  v6->sin6_port = htons(port);
  std::memcpy(&v6->sin6_addr, gid.data(), 16);
  const bool link_local_group = gid[0] == 0xff && (gid[1] & 0x0f) <= 2;
  if ((gid[0] == 0xfe && (gid[1] & 0xc0) == 0x80) || link_local_group) v6->sin6_scope_id = scope_id;
  return sizeof *v6;
}

bool is_address_of_this_host(const Gid& gid, uint32_t scope_id) {
  sockaddr_storage address{};
  const socklen_t length = to_sockaddr(gid, scope_id, &address, 0);
  const UniqueFd fd(socket(address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return fd && bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) == 0;
}

bool others_have_roce_sockets() {
  for (const char* table : {"/proc/net/udp", "/proc/net/udp6"}) {
    std::ifstream file(table);
    for (std::string line; std::getline(file, line);) {
      unsigned port = 0, uid = 0;
      const bool is_socket =
          std::sscanf(line.c_str(), " %*u: %*[^:]:%x %*s %*s %*s %*s %*s %u", &port, &uid) == 2;
      if (is_socket && port == wire::kRocePort && uid != geteuid()) return true;
    }
  }
  return false;
}

std::string to_text(const Gid& gid) {
  char text[INET6_ADDRSTRLEN];
  if (is_ipv4(gid)) {
    inet_ntop(AF_INET, &gid[12], text, sizeof text);
  } else {
    inet_ntop(AF_INET6, gid.data(), text, sizeof text);
  }
  return text;
}

std::expected<AddressPlan, Error> plan_addresses(const char* addr, const char* netdev) {
  const auto known = interfaces();
  if (!known) return std::unexpected(known.error());
  const ifaddrs* list = known->get();
  if (addr != nullptr && *addr != '\0') return from_list(list, addr);
  if (netdev != nullptr && *netdev != '\0') return from_netdev(list, netdev);
  AddressPlan plan;
  for (const char* text : {"::1", "127.0.0.1"}) {
    Gid gid;
    parse_gid(text, &gid);
    const LocalAddress local = locate(list, gid);
    if (!local.interface.empty()) place(&plan, local);
  }
  if (plan.gids.empty()) {
    return std::unexpected(
        Error{EADDRNOTAVAIL,
              "No loopback address (::1 or 127.0.0.1) is up. Bring up `lo`, or name an interface with "
              "UROCE_NETDEV."});
  }
  return finish(std::move(plan));
}

bool link_is_up(const LocalAddress& address) {
  UniqueFd fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) fd.reset(socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strncpy(request.ifr_name, address.interface.c_str(), IFNAMSIZ - 1);
  if (ioctl(fd.get(), SIOCGIFFLAGS, &request) != 0) return false;
  return (request.ifr_flags & (IFF_UP | IFF_RUNNING)) == (IFF_UP | IFF_RUNNING);
}

std::optional<LinkState> query_links(const AddressPlan& plan) {
  const auto known = interfaces();
  if (!known) return std::nullopt;
  LinkState state;
  for (std::size_t i = 0; i < plan.gids.size(); ++i) {
    if (is_zero(plan.gids[i].gid)) continue;
    if (i < 64 && !locate(known->get(), plan.gids[i].gid).interface.empty()) state.present |= 1ull << i;
    state.up = state.up || link_is_up(plan.gids[i]);
  }
  return state;
}

}  // namespace uroce::net
