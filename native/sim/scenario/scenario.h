// A scenario: all that a run follows from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/fabric/topology.h"
#include "sim/workload/source.h"

namespace vlsim {

struct TransportSettings {
  ConnectionSettings connection;
  uint32_t window_bytes = 1u << 18;         // per connection
  uint64_t host_window_bytes = 1ull << 40;  // all connections of a host together
  uint32_t acks_per_window = 4;             // at least so many are asked for
  uint32_t message_bytes = 1u << 20;
  uint32_t qps = 1;  // connections of each pair of hosts
  uint32_t cnp_interval_ns = 50'000;
  uroce::transport::QpPolicy policy;
  uint32_t reorder_packets = 128;   // packets that a host keeps ahead of their turn, with selective repeat
  uint32_t timeout_window_cut = 1;  // as NICs: an ACK timeout makes the window no smaller
  uint8_t timeout_stretch = 2;
};

// A change while it runs, at a virtual time, so that a run can be repeated exactly.
struct Change {
  enum class Kind : uint8_t {
    link_up,
    link_rate,
    link_loss,
    lose_every,
    lose_acks,
    receive_rate,
    window,
    ecn,
    alpha,
    route  // packets to a host leave a switch towards its neighbor, or as at the start
  } kind;
  Time at = 0;
  uint32_t host = kNone;  // its link, or itself; kNone: all
  uint32_t node = kNone;  // a switch
  uint64_t value = 0;     // up, Mb/s, loss per 10^9, bytes; of ecn: on; of a route: the neighbor
  uint32_t peer = kNone;  // a switch: only the links between both
};

struct Scenario {
  std::string name = "two hosts";
  uint64_t seed = 1;
  Time duration = kMs;
  bool until_done = false;  // ends early when all flows have finished
  bool payload = false;
  Topology topology;
  Links links;
  bool own_uplink = false;  // links.uplink was given
  HostSettings host;
  SwitchSettings at;
  TransportSettings transport;
  std::vector<TrafficSettings> traffic;
  std::vector<Change> changes;
  StopAt stop;
  Budget limits;
  Time sample = 0;            // interval of the series; 0: none
  uint32_t sample_flows = 0;  // most flows, and most links, in a sample
  uint32_t sample_links = 0;
};

// Engine settings of every host.
uroce::transport::EngineConfig engine_config(const Scenario& scenario);
// Round trip of a packet of the largest size and its ACK between two hosts that are `hops` switches apart, when nothing
// waits.
Time base_rtt(const Scenario& scenario, uint32_t hops);

}  // namespace vlsim
