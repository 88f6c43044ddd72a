// Virtual time in picoseconds, and rates: a byte at 100 Gb/s takes 80 ps, so that whole numbers are exact. 64 bits last
// for 213 days.
#pragma once

#include <cstdint>

namespace vlsim {

using Time = uint64_t;  // ps

inline constexpr Time kNs = 1000, kUs = 1000 * kNs, kMs = 1000 * kUs, kSecond = 1000 * kMs;
inline constexpr Time kForever = UINT64_MAX;

struct Rate {
  uint64_t mbps = 0;

  // Time that so many bytes take, rounded up.
  Time of(uint64_t bytes) const { return (bytes * 8'000'000 + mbps - 1) / mbps; }
  // Bytes that pass in that time; the time must be below 0.1 s at 100 Gb/s.
  uint64_t bytes_in(Time time) const { return time / 1000 * mbps / 8000; }
};

inline constexpr Rate gbps(uint64_t n) { return {n * 1000}; }

}  // namespace vlsim
