// By how much to stretch short times on this machine.
//
// The times by which threads judge each other (is the application still polling? does it pay to look once
// more before blocking?) presume a kernel that answers an empty look at a socket in 0.1 to 0.4 us. Where a look
// takes longer, there are two cases.
//
// A kernel that intercepts system calls, or a guest whose every call passes a hypervisor: only calls are slow,
// and times grow in proportion to them.
//
// An emulated processor: all is slow, threads wake much later, and the core is taken away more often. There an
// application that polls without a pause would be taken for one that has stopped, and its engine would be driven
// by two threads that hinder each other. Measured in a virtual machine without KVM, where a look takes 0.76 us:
// ping-pong 880 us with these times as they are, 435 with eight times and 270 with 32 times as long.
//
// A checksum that makes no call tells them apart: 4 KiB take 0.1 us, and 10 us and more on an emulated processor.
#pragma once

#include <cstdint>

namespace uroce::net {

namespace time_scale_detail {
inline uint64_t scale = 1;
}  // namespace time_scale_detail

// What a machine takes, ns: for an empty look at a socket, and for the CRC of 4 KiB.
struct MachineSpeed {
  uint64_t look;
  uint64_t crc;
};

// A factor, 1 to 64.
constexpr uint64_t time_scale_of(MachineSpeed speed) {
  constexpr uint64_t kOrdinary = 400, kStep = 12, kMost = 64, kMostOfCalls = 8, kEmulatedCrc = 3000;
  if (speed.look <= kOrdinary) return 1;
  const bool emulated = speed.crc > kEmulatedCrc;
  const uint64_t factor = 1 + (speed.look - kOrdinary) / (emulated ? kStep : kOrdinary);
  const uint64_t most = emulated ? kMost : kMostOfCalls;
  return factor < most ? factor : most;
}

// Measures once in a process; before, the factor is 1. Costs some 10 us, on an emulated processor some 200.
void measure_time_scale();

inline uint64_t scaled(uint64_t ns) { return ns * time_scale_detail::scale; }

}  // namespace uroce::net
