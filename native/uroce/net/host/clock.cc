#include "uroce/net/host/clock.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace uroce::net::clock_detail {
namespace {

constexpr uint64_t kGood = 2'000'000;        // ns for which an anchor is valid
constexpr uint64_t kFirstBase = 1'000'000;   // ns of measuring before the counter's rate is used at all
constexpr uint64_t kLongBase = 100'000'000;  // ns after which the rate is exact enough for all threads
constexpr double kSteady = 0.01;             // NTP changes the clock's rate by a twentieth of this at most
constexpr double kMostSlower = 0.5;

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
const bool kIsSteady = steady();

std::atomic<double> rate{0};  // ns per tick, measured over kLongBase by any thread; 0: not known

// Ticks between the two reads of the closest pair of all threads.
std::atomic<uint64_t> closest_ever{UINT64_MAX};

// The thread may lose its CPU between the two reads, so the closest of a few pairs counts; of more pairs if
// all of them took far longer than a pair can.
Reading read_both() {
  constexpr int kPairs = 3, kMostPairs = 16;
  constexpr uint64_t kFar = 8;
  Reading closest;
  uint64_t apart = UINT64_MAX;
  const uint64_t ever = closest_ever.load(std::memory_order_relaxed);
  for (int i = 0; i < kPairs || (i < kMostPairs && apart / kFar > ever); ++i) {
    const uint64_t before = ticks();
    const uint64_t ns = monotonic_ns();
    const uint64_t between = ticks() - before;
    if (between >= apart) continue;
    apart = between;
    closest = {.ticks = before + between / 2, .ns = ns};
  }
  if (apart < ever) closest_ever.store(apart, std::memory_order_relaxed);
  return closest;
}

// ns per tick, 0 while unknown. `base` is where this thread's measurement began.
double rate_at(const Reading& now, Reading& base) {
  const double known = rate.load(std::memory_order_relaxed);
  if (base.ns == 0) base = now;
  const uint64_t measured_ns = now.ns - base.ns;
  if (measured_ns < (known > 0 ? kLongBase : kFirstBase)) return known;
  const double measured = static_cast<double>(measured_ns) / static_cast<double>(now.ticks - base.ticks);
  if (measured_ns < kLongBase) return measured;
  base = now;
  // After a suspension or a migration of the machine, the measurement starts over.
  const bool believed = known == 0 || std::abs(measured / known - 1) < kSteady;
  rate.store(believed ? measured : 0, std::memory_order_relaxed);
  return believed ? measured : 0;
}

}  // namespace

uint64_t anchor_again() {
  if (!kIsSteady) return monotonic_ns();
  Anchor& a = anchor;
  const Reading now = read_both();
  // The time of the old anchor now, at most the latest time that it has returned.
  const uint64_t counted = std::min(now.ticks - a.ticks, a.until);
  const uint64_t previous = a.ns + static_cast<uint64_t>(static_cast<double>(counted) * a.ns_per_tick);
  const double true_rate = rate_at(now, a.base);
  a.ticks = now.ticks;
  a.ns = std::max(now.ns, previous);
  if (true_rate == 0) {
    a.until = 0;
    return a.ns = std::max(monotonic_ns(), a.ns);
  }
  // A counter that is ahead runs slower until the clock has caught up.
  const double ahead = static_cast<double>(a.ns - now.ns) / static_cast<double>(kGood);
  a.ns_per_tick = true_rate * (1 - std::min(ahead, kMostSlower));
  a.until = static_cast<uint64_t>(kGood / true_rate);
  const uint64_t since = std::min(ticks() - now.ticks, a.until);
  return a.ns + static_cast<uint64_t>(static_cast<double>(since) * a.ns_per_tick);
}

}  // namespace uroce::net::clock_detail
