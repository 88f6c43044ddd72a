#include "uroce/net/host/clock.h"

#include <algorithm>
#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace uroce::net::clock_detail {
namespace {

constexpr uint64_t kGood = 2'000'000;        // ns for which an anchor is good
constexpr uint64_t kFirstBase = 1'000'000;   // ns of measuring before the counter's rate is believed at all
constexpr uint64_t kLongBase = 100'000'000;  // ns of measuring after which it is exact enough for good

bool steady() {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1u << 8) != 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

// Where measuring began. Both are read at load.
struct Origin {
  uint64_t ns;
  uint64_t ticks;
  bool steady;
};
const Origin kOrigin{monotonic_ns(), ticks(), steady()};

std::atomic<double> rate{0};  // ns per tick; 0: not known yet
std::atomic<bool> exact{false};

}  // namespace

uint64_t anchor_again() {
  Anchor& a = anchor;
  const uint64_t t = ticks();
  // The last value that the old anchor can have given out.
  const uint64_t counted = std::min(t - a.ticks, a.until);
  const uint64_t previous = a.ns + static_cast<uint64_t>(static_cast<double>(counted) * a.ns_per_tick);
  const uint64_t ns = std::max(monotonic_ns(), previous);
  if (!kOrigin.steady) return ns;
  const uint64_t base = ns - kOrigin.ns;
  if (!exact.load(std::memory_order_relaxed) && base > kFirstBase) {
    rate.store(static_cast<double>(base) / static_cast<double>(t - kOrigin.ticks), std::memory_order_relaxed);
    exact.store(base > kLongBase, std::memory_order_relaxed);
  }
  const double ns_per_tick = rate.load(std::memory_order_relaxed);
  if (ns_per_tick > 0) {
    a = {.ticks = t,
         .ns = ns,
         .until = static_cast<uint64_t>(kGood / ns_per_tick),
         .ns_per_tick = ns_per_tick};
  }
  return ns;
}

}  // namespace uroce::net::clock_detail
