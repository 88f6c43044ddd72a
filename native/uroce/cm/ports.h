// The port spaces of the connection manager (RDMA_PS_TCP, RDMA_PS_UDP, ...) on the device's addresses: who
// has which port, in this process and in the others.
//
// A port that is bound by number, or listened on, is a name of the router's for each address: another process
// finds it taken. Ports for clients come out of blocks of 64 which a process takes by one name, so a
// thousand connections do not cost a thousand descriptors. What other processes cannot see is therefore which
// ports of its block a process uses for clients; nothing is ever sent to those.
//
// No I/O: names are claimed through Neighbors. Errors are errno values.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "uroce/cm/neighbors.h"
#include "uroce/random.h"

namespace uroce::cm {

struct Binding {
  uint16_t space = 0;
  uint16_t port = 0;
  std::vector<std::size_t> gids;  // indices of the addresses it counts on
  bool wildcard = false;
  bool reuse = false;
  bool listening = false;
  bool named = false;
  void* user = nullptr;
};

// An address of the device, by its index in the GID table, and what the names of its ports begin with.
struct Place {
  Gid gid{};  // zero: this place of the table is empty
  std::string prefix;
};

class Ports {
 public:
  Ports(std::vector<Place> places, Neighbors& neighbors, RandomSource& random)
      : places_(std::move(places)), neighbors_(neighbors), random_(random) {}

  // Index of the address, or the table's size.
  std::size_t gid_index(const Gid& gid) const;
  bool has_address(const Gid& gid) const { return gid_index(gid) < places_.size(); }

  // port 0: any that is free. EADDRINUSE, EACCES (privileged), EADDRNOTAVAIL (no port left).
  std::expected<Binding*, int> bind(Binding wanted);
  // EADDRINUSE: another listener has that port.
  int listen(Binding& binding);
  // keep_names: other processes still find this one by them, until release_idle_names().
  void release(Binding* binding, bool keep_names);
  // Drops the names of released ports that are no longer busy.
  void release_idle_names(const std::function<bool(uint16_t space, uint16_t port)>& busy);
  // The listener on a port of that address: one bound to the address is preferred to one bound to all.
  const Binding* listener(uint16_t space, uint16_t port, std::size_t gid_index) const;

  // True if a process has that port by number, or listens on it.
  bool in_use(uint16_t space, uint16_t port, std::size_t gid_index) const;

  std::string name(uint16_t space, uint16_t port, std::size_t gid_index) const;

 private:
  static constexpr uint32_t kFirst = 32768, kEnd = 60992, kBlock = 64;

  static uint32_t key(const Binding& binding) { return uint32_t{binding.space} << 16 | binding.port; }
  Binding* add(Binding binding);
  bool conflicts(const Binding& wanted) const;
  int claim_names(Binding& binding);
  void drop_names(Binding& binding);
  bool claim_block(uint16_t space);
  uint16_t free_port(const Binding& wanted);

  std::vector<Place> places_;
  Neighbors& neighbors_;
  RandomSource& random_;
  std::list<Binding> bindings_;
  std::list<Binding> released_;                       // those whose names are kept
  std::unordered_map<uint32_t, uint32_t> used_;       // bindings of each space and port
  std::map<std::string, uint32_t> names_;             // how many bindings share one (REUSEADDR)
  std::map<uint16_t, std::vector<uint32_t>> blocks_;  // first ports, by space
};

}  // namespace uroce::cm
