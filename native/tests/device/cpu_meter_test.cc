// The estimate of the engine's CPU time from the calls that are timed.
#include "uroce/verbs/device/cpu_meter.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>

namespace uroce::verbs::test {
namespace {

// Calls of these lengths (ns), over and over.
CpuMeter::Figures meter(std::span<const uint64_t> lengths, uint32_t calls) {
  CpuMeter cpu;
  uint64_t now = 1;
  for (uint32_t i = 0; i < calls; ++i) {
    const uint64_t length = lengths[i % lengths.size()];
    if (cpu.begin()) {
      cpu.add(now, now + length, 0, false);
    } else {
      cpu.skipped();
    }
    now += length;
  }
  return cpu.figures();
}

uint64_t sum(std::span<const uint64_t> lengths, uint32_t calls) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < calls; ++i) total += lengths[i % lengths.size()];
  return total;
}

constexpr uint32_t kCalls = 200'000;

// A program that posts (much work) and polls (little) in turns: no rhythm may be in step with the sampling.
TEST(CpuMeter, CountsCallsThatTakeTurns) {
  constexpr std::array<uint64_t, 16> kLengths = {10'000, 100, 100, 100, 100, 100, 100, 100,
                                                 100,    100, 100, 100, 100, 100, 100, 100};
  for (const std::size_t period : {2, 4, 8, 16}) {
    const std::span lengths(kLengths.data(), period);
    const CpuMeter::Figures figures = meter(lengths, kCalls);
    const auto spent = static_cast<double>(sum(lengths, kCalls));
    EXPECT_NEAR(static_cast<double>(figures.engine_user_ns), spent, 0.06 * spent) << "period " << period;
    EXPECT_EQ(figures.app_user_ns, figures.engine_user_ns);
    EXPECT_EQ(figures.progress_calls, kCalls);
  }
}

TEST(CpuMeter, TimesEachOfTheFirstCalls) {
  constexpr std::array<uint64_t, 2> kLengths = {7'000, 300};
  EXPECT_EQ(meter(kLengths, 500).engine_user_ns, sum(kLengths, 500));
}

}  // namespace
}  // namespace uroce::verbs::test
