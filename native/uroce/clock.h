// The kernel's clocks, in nanoseconds. The device's own, which is cheaper to read, is net/host/clock.h.
#pragma once

#include <time.h>

#include <cstdint>

namespace uroce {

inline uint64_t clock_ns(clockid_t clock) noexcept {
  timespec ts{};
  clock_gettime(clock, &ts);
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(ts.tv_nsec);
}

// Time of CLOCK_MONOTONIC, which all processes of a machine share: their stamps can be compared.
inline uint64_t monotonic_ns() noexcept { return clock_ns(CLOCK_MONOTONIC); }

}  // namespace uroce
