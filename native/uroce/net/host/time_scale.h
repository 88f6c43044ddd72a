// The factor by which short times are stretched on this machine.
//
// Threads judge each other by times (is the application still polling? does another poll before blocking
// pay?). These presume a kernel that answers a poll of an empty socket in 0.1 to 0.4 us. Where a poll takes
// longer, there are two cases.
//
// A kernel that intercepts system calls, or a guest whose every call passes a hypervisor: only calls are
// slow, and times grow in proportion to them.
//
// An emulated processor: everything is slow, threads wake much later, and the core is taken away more
// often. There an application that polls without a pause would be taken for one that has stopped, and two
// threads would run its engine and hinder each other. Measured in a virtual machine without KVM, where a
// poll takes 0.76 us: ping-pong 880 us with these times unscaled, 435 with 8x and 270 with 32x.
//
// A checksum, which makes no call, tells the cases apart: 4 KiB take 0.1 us, but 10 us and more on an
// emulated processor.
#pragma once

#include <cstdint>

namespace uroce::net {

namespace time_scale_detail {
inline uint64_t scale = 1;
}  // namespace time_scale_detail

// Costs on this machine, ns: a poll of an empty socket, and the CRC of 4 KiB.
struct MachineSpeed {
  uint64_t poll_ns;
  uint64_t crc_ns;
};

// A factor, 1 to 64.
constexpr uint64_t time_scale_of(MachineSpeed speed) {
  constexpr uint64_t kOrdinary = 400, kStep = 12, kMost = 64, kMostOfCalls = 8, kEmulatedCrc = 3000;
  if (speed.poll_ns <= kOrdinary) return 1;
  const bool emulated = speed.crc_ns > kEmulatedCrc;
  const uint64_t factor = 1 + (speed.poll_ns - kOrdinary) / (emulated ? kStep : kOrdinary);
  const uint64_t most = emulated ? kMost : kMostOfCalls;
  return factor < most ? factor : most;
}

// Measures once per process; the factor is 1 before. Takes some 10 us, on an emulated processor some 200.
void measure_time_scale();

inline uint64_t scaled(uint64_t ns) { return ns * time_scale_detail::scale; }

}  // namespace uroce::net
