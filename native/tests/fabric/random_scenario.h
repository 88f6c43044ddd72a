// Scenarios at random, as JSON: topologies, links, buffers, policies, traffic, faults and changes while they run.
#pragma once

#include <cstdint>
#include <string>

namespace vlsim {

struct RandomScenario {
  std::string json;
  bool payload;  // bytes are to be carried: all hosts write to host 0
};

RandomScenario random_scenario(uint64_t seed);

}  // namespace vlsim
