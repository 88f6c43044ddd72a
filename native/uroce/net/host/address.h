// The device's addresses: its GID table. The table follows rxe's layout, since users call programs with `-g
// 1`: GID[0] is an IPv6 address, GID[1] the IPv4 address as ::ffff:a.b.c.d, both RoCE v2. A missing one is
// the zero GID here (programs see GID[0] filled, AddressPlan::entry).
//
// Without configuration the device uses loopback (::1 and 127.0.0.1), so nothing leaves the machine.
//   UROCE_ADDR=<address>[,<address>...]   these addresses instead
//   UROCE_NETDEV=<interface>              its link-local IPv6 and its first IPv4 address
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "uroce/error.h"
#include "uroce/types.h"
#include "uroce/wire/ip.h"

namespace uroce::net {

inline constexpr bool is_zero(const Gid& gid) { return gid == Gid{}; }

Gid gid_from(const sockaddr* address);
// Fills a socket address (port 4791 by default); returns its length. scope_id is for link-local IPv6
// addresses and groups.
socklen_t to_sockaddr(const Gid& gid, uint32_t scope_id, sockaddr_storage* out,
                      uint16_t port = wire::kRocePort);
// True if a socket of this process can bind the address.
bool is_address_of_this_host(const Gid& gid, uint32_t scope_id);
// True if another user has a socket on the RoCE port, at any address.
bool others_have_roce_sockets();
// "127.0.0.1" or "fe80::1".
std::string to_text(const Gid& gid);

struct LocalAddress {
  Gid gid{};              // zero: this place in the GID table is empty
  uint32_t scope_id = 0;  // link-local IPv6 only
  uint32_t mtu = 0;       // bytes; the interface's
  bool loopback = false;
  std::string interface;
};

struct AddressPlan {
  std::vector<LocalAddress> gids;  // index is the GID index
  uint32_t path_mtu = 1024;        // bytes of payload, the smallest over all addresses, as rxe computes it
  uint64_t guid = 0;               // node GUID, host order, same for every process with these addresses

  // The index in `gids` for a GID index of a program. Without an IPv6 address the first IPv4 address is at
  // index 0 too: RoCE NICs always have a GID there, and many programs use index 0 unchecked.
  std::size_t entry(std::size_t index) const {
    return index == 0 && gids.size() > 1 && is_zero(gids[0].gid) ? 1 : index;
  }
};

// Either argument may be null. Errors: EINVAL (not an address), ENODEV (no such interface), EADDRNOTAVAIL
// (no interface has the address).
std::expected<AddressPlan, Error> plan_addresses(const char* addr, const char* netdev);

// True when the interface that holds the address is up and running.
bool link_is_up(const LocalAddress& address);

// Current state of the addresses of a plan.
struct LinkState {
  bool up = false;       // an interface with one of the addresses is up and running
  uint64_t present = 0;  // bit i: GID i is on an interface. Indices from 64 on are not reported
};
// nullopt when the machine's addresses cannot be listed.
std::optional<LinkState> query_links(const AddressPlan& plan);

}  // namespace uroce::net
