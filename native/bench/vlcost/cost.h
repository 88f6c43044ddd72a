// Common parts of vlcost. They call verbs and rdma_cm like any program.
#pragma once

#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "uroce/clock.h"

namespace vlcost {

using uroce::monotonic_ns;

inline double us_since(uint64_t start) { return static_cast<double>(monotonic_ns() - start) / 1e3; }

// Middle one of an odd number, upper middle one of an even number of values.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

[[noreturn]] inline void fail(const char* call, int error) {
  throw std::runtime_error(std::string(call) + ": " + std::strerror(error));
}

// Check of calls that return a pointer or set errno.
template <class T>
T* made(T* object, const char* call) {
  if (object == nullptr) fail(call, errno);
  return object;
}

// Check of calls that return 0 or an errno, and of those that return -1 and set errno.
inline void done(int result, const char* call) {
  if (result != 0) fail(call, result > 0 ? result : errno);
}

// Measurements. Each prints one JSON object to stdout; throws std::runtime_error.

// Time to lock `bytes` by mlock and by ibv_reg_mr, the same touched pages in turn, `runs` times each.
void measure_registration(uint64_t bytes, uint32_t runs);
// Makes and connects `count` queue pairs, and then does nothing for `seconds`: times, resident memory, CPU.
void measure_queue_pairs(uint32_t count, double seconds);
// Connects `count` times by the connection manager to another process of this program at `host`.
void measure_connections(const char* host, uint32_t count);
// Time from a write to an eventfd until the process that slept on it runs, `count` times, `rate` per
// second: the minimum for any wake-up of a device.
void measure_wake_ups(uint32_t count, double rate);
// `count` processes write 64 KiB messages into this one for `seconds`: the bytes of each in the same seconds.
void measure_senders(uint32_t count, double seconds);

}  // namespace vlcost
