// Sums over all links and hosts.
#pragma once

#include <cstdint>

#include "sim/fabric/fabric.h"

namespace vlsim {

inline uint64_t drops_for(const Fabric& f, DropReason reason) {
  uint64_t sum = 0;
  for (const auto& port : f.ports) sum += port->dropped[static_cast<uint32_t>(reason)];
  return sum;
}

template <class Member>
uint64_t sum_counters(const Fabric& f, Member member) {
  uint64_t sum = 0;
  for (const auto& host : f.hosts) sum += host->engine().counters().*member;
  return sum;
}

}  // namespace vlsim
