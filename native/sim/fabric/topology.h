// Topologies: which hosts and switches there are, their links, and the ways to each host.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/fabric/fabric.h"

namespace vlsim {

inline constexpr uint32_t kMostHosts = 4095;

enum class TopologyKind : uint8_t { back_to_back, star, leaf_spine, fat_tree, rail, ring };

struct Topology {
  TopologyKind kind = TopologyKind::star;
  uint32_t hosts = 2;       // star; of a rail fabric the servers, with a NIC at each rail
  uint32_t leaves = 2;      // leaf-spine
  uint32_t spines = 2;      // leaf-spine; rail: 0 has no way between rails
  uint32_t per_switch = 4;  // hosts at each leaf, or at each switch of a ring
  uint32_t arity = 4;       // fat tree: ports of a switch, even
  uint32_t rails = 2;       // rail
  uint32_t switches = 3;    // ring
  bool clockwise = false;   // ring: all packets go one way round
  bool same_seed = false;   // all switches hash alike: polarization
  bool loop =
      false;  // clockwise ring: no switch knows host 0, so that packets to it go round (a routing loop)
};

struct Links {
  LinkSettings host;    // between hosts and switches
  LinkSettings uplink;  // between switches
};

// Hosts and switches that the topology has.
uint32_t host_count(const Topology& topology);
uint32_t switch_count(const Topology& topology);
// Calls f(a, b) for each link between switches a and b, in the order in which they are made.
void each_uplink(const Topology& topology, const std::function<void(uint32_t a, uint32_t b)>& f);
// True if there is a way from one host to the other.
bool reaches(const Topology& topology, uint32_t from, uint32_t to);

// Builds it. `config` is that of every engine.
void build(Fabric& fabric, const Topology& topology, const Links& links, const HostSettings& host,
           const SwitchSettings& at, const uroce::transport::EngineConfig& config, uint64_t seed);

// From now on packets to that host leave the switch towards its neighbor, by any of the links between them; as at the start
// if the neighbor is the switch itself.
void set_route(Fabric& fabric, Switch& at, uint32_t host, uint32_t neighbor);

// What is said of a topology that cannot be; empty if it can.
std::string refused(const Topology& topology);

}  // namespace vlsim
