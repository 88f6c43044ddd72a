// Choices of a seed: the network's faults, the engines' settings, the connections and their work.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "endpoint.h"
#include "network.h"

namespace uroce::sim {

struct Scenario {
  bool faultless = false;  // then nothing may be sent twice, except after RNR
  std::array<Faults, 2> faults;
  LinkShape link;
  std::array<transport::EngineConfig, 2> engine;
  Shape shape;
  uint32_t connections = 1;
  bool close_psns = true;   // all connections of node 0 begin close to the PSN wrap
  uint32_t idle_in = 2;     // a step in this many posts nothing
  uint32_t ecn = 0;         // packets marked in 10,000
  uint32_t ack_flags = 0;   // transmit flags: none, or a way to defer ACKs
  uint32_t ack_now_in = 1;  // a transmit in this many takes no flags; 1: all take them
  bool ipv6 = false;
  bool shared_words = false;
  bool shared_cq = false;
  bool shared_receives = false;
  bool stamping = false;
  bool changing_windows = false;
  // A path with its own flow control, like a ring: of 10,000 turns at sending, the number that find it full
  // for a while. 0: no such path.
  uint32_t path_full = 0;
};

Scenario make_scenario(SeededRandom& random);
std::string describe(const Scenario& scenario);

}  // namespace uroce::sim
