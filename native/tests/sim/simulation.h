// A simulation: two nodes, a faulty network between them, random work in both directions, in virtual time.
// Everything follows from the seed.
#pragma once

#include <cstdint>
#include <string>

#include "scenario.h"

namespace uroce::sim {

struct Outcome {
  uint64_t packets = 0;
  uint64_t work_requests = 0;
  uint64_t bytes = 0;
  uint64_t dropped = 0;
  uint64_t duplicated = 0;
  uint64_t bad_icrc = 0;
  uint64_t go_backs = 0;
  uint64_t timeouts = 0;
  uint64_t rnr = 0;
  uint64_t virtual_ns = 0;
  std::string description;  // choices of the seed

  void add(const Outcome& other);
  std::string line() const;
};

// Runs until about `packets` packets have been sent and everything posted is done. Throws Violation, whose
// text ends with the choices of the seed. recorder: receives every packet.
Outcome run_simulation(uint64_t seed, uint64_t packets, Scenario (*choose)(SeededRandom&) = make_scenario,
                       Recorder* recorder = nullptr);

}  // namespace uroce::sim
