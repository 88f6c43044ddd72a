// Simulation of UC and UD: two nodes, a faulty network between them, and work that is never acknowledged. Every
// message tells by its bytes which one it is, so whatever is received is held against what was sent: a
// message comes whole and right or not at all, never more often than its last packet came over the wire, and
// nothing is written outside of the buffers. Everything follows from the seed.
#pragma once

#include <cstdint>
#include <string>

namespace uroce::sim {

struct UnreliableOutcome {
  uint64_t packets = 0;
  uint64_t messages = 0;  // sent: SENDs, WRITEs with immediate data, datagrams (a copy for each attached QP)
  uint64_t received = 0;
  uint64_t dropped = 0;  // by the receiving engines: gaps, no receive, too long, no right, wrong Q_Key
  uint64_t refused = 0;  // times that the sink had no room
  std::string description;

  void add(const UnreliableOutcome& other);
  std::string line() const;
};

// Until about `packets` packets have been sent. Throws Violation, whose text ends with what the seed chose.
UnreliableOutcome run_unreliable(uint64_t seed, uint64_t packets);

}  // namespace uroce::sim
