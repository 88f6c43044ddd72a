// The device's clock: ns of CLOCK_MONOTONIC.
//
// The device reads the clock several times per message, and clock_gettime costs 40 to 90 ns in a virtual
// machine where the CPU's own counter costs 20. Where that counter is steady (x86-64 with an invariant TSC,
// arm64 always), a thread reads clock_gettime every two milliseconds and counts on from there. The error is
// some 10 ns; the clock never runs backwards in one thread.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>

#include "uroce/clock.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace uroce::net {

// CPU time of the calling thread; a system call, so not for every packet.
inline uint64_t thread_cpu_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

namespace clock_detail {

inline uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t value;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return 0;
#endif
}

// Counter and clock at one moment.
struct Reading {
  uint64_t ticks = 0;
  uint64_t ns = 0;
};

struct Anchor {
  uint64_t ticks = 0;
  uint64_t ns = 0;
  uint64_t until = 0;  // ticks after the anchor for which it is valid; 0: not set
  double ns_per_tick = 0;
  Reading base;  // start of this thread's measurement of the counter's rate; 0 ns: not yet
};
inline thread_local Anchor anchor;

// Reads clock_gettime and anchors the thread again.
uint64_t anchor_again();

}  // namespace clock_detail

inline uint64_t now_ns() {
  const clock_detail::Anchor& a = clock_detail::anchor;
  const uint64_t passed = clock_detail::ticks() - a.ticks;
  if (passed < a.until) [[likely]] {
    return a.ns + static_cast<uint64_t>(static_cast<double>(passed) * a.ns_per_tick);
  }
  return clock_detail::anchor_again();
}

// A clock for times that are compared with each other, since the clocks of two threads differ by a little.
// Read under one lock, it never runs backwards.
class OrderedClock {
 public:
  uint64_t now() { return last_ = std::max(last_, now_ns()); }

 private:
  uint64_t last_ = 0;
};

}  // namespace uroce::net
