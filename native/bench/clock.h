// Time of CLOCK_MONOTONIC in nanoseconds: one clock for all loops, processes and stamps of a machine.
#pragma once

#include <time.h>

#include <cstdint>

#include "uroce/clock.h"

namespace vlbench {

using uroce::monotonic_ns;

inline uint64_t to_ns(const timespec& ts) noexcept {
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(ts.tv_nsec);
}

// Tells the CPU that this is a spin: the other hyper-thread gets the pipeline meanwhile.
inline void cpu_relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

}  // namespace vlbench
