// By how much to stretch short times on this machine.
//
// The times by which threads judge each other (is the application still polling? does it pay to look once
// more before blocking?) presume a kernel that answers an empty look at a socket in 0.1 to 0.4 us. An
// emulated processor or a kernel that intercepts system calls needs many times as long, wakes threads as much
// later, and takes the core away more often: there an application that polls without a pause would be taken
// for one that has stopped, and its engine would be driven by two threads that hinder each other. Measured in
// a virtual machine without KVM, where a look takes 0.76 us: ping-pong 880 us with these times as they are,
// 435 with eight times and 270 with 32 times as long.
#pragma once

#include <cstdint>

namespace uroce::net {

namespace time_scale_detail {
inline uint64_t scale = 1;
}  // namespace time_scale_detail

// From what an empty look costs (ns) to a factor, 1 to 64.
constexpr uint64_t time_scale_of(uint64_t look_ns) {
  constexpr uint64_t kOrdinary = 400, kStep = 12, kMost = 64;
  if (look_ns <= kOrdinary) return 1;
  const uint64_t factor = 1 + (look_ns - kOrdinary) / kStep;
  return factor < kMost ? factor : kMost;
}

// Measures once in a process; before, the factor is 1. Costs some 5 us.
void measure_time_scale();

inline uint64_t scaled(uint64_t ns) { return ns * time_scale_detail::scale; }

}  // namespace uroce::net
