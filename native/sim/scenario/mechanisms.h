// Each mechanism of a fabric: whether it has acted, and how near it came.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/simulation.h"

namespace vlsim {

// A mechanism, how often it acted, and how far it was from acting.
struct Mechanism {
  const char* name;
  uint64_t fired = 0;
  // What decides whether it acts: the highest value reached, and the value at which it acts; 0, 0 if there is none.
  uint64_t reached = 0, limit = 0;
  std::string says;  // a sentence
};

std::vector<Mechanism> mechanisms(const Simulation& run);

}  // namespace vlsim
