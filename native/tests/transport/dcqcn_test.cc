// DCQCN's sender against the published arithmetic, by events at exact times.
#include "uroce/transport/policy/dcqcn.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "uroce/random.h"
#include "uroce/types.h"

namespace uroce::transport::test::dcqcn_test {
namespace {

constexpr uint64_t kLine = 100'000'000'000;  // bits per second
constexpr uint64_t kStart = 5'000'000;       // ns
constexpr uint64_t kMbps = 1'000'000;

double alpha(Dcqcn& dcqcn, uint64_t now) { return dcqcn.state(now).alpha / static_cast<double>(kOne); }

TEST(Dcqcn, AFlowWithoutNotificationsHasTheLine) {
  Dcqcn d(DcqcnParameters::paper(kLine));
  d.sent(4096, kStart);
  EXPECT_EQ(d.rate(kStart), 0u) << "not paced";
  EXPECT_EQ(d.state(kStart).target, 0u) << "no state";
}

TEST(Dcqcn, TheFirstCnpHalvesAndFastRecoveryReturnsHalfOfTheRestEachPeriod) {
  Dcqcn d(DcqcnParameters::paper(kLine));
  d.cnp(kStart);
  EXPECT_EQ(d.rate(kStart), kLine / 2);
  EXPECT_EQ(d.state(kStart).target, kLine);
  constexpr uint64_t kPeriod = 55'000;
  for (uint64_t n = 1; n <= 5; ++n) {  // 3/4, 7/8, 15/16, 31/32, 63/64
    const uint64_t due = kStart + n * kPeriod;
    EXPECT_EQ(d.rate(due - 1), kLine - (kLine >> n)) << n;
    EXPECT_EQ(d.rate(due), kLine - (kLine >> (n + 1))) << n;
  }
  EXPECT_EQ(d.rate(kStart + 40 * kPeriod), 0u) << "the line's rate again, and no state";
  EXPECT_EQ(d.state(kStart + 40 * kPeriod).target, 0u);
}

TEST(Dcqcn, CnpsInARowHalveEachTime) {
  Dcqcn d(DcqcnParameters::paper(kLine));
  for (uint64_t n = 0; n < 4; ++n) d.cnp(kStart + n * 50'000);  // 16 to 1: log2 16
  EXPECT_EQ(d.rate(kStart + 150'000), kLine / 16);
}

TEST(Dcqcn, AlphaFallsByGEachPeriodWithoutACnp) {
  const DcqcnParameters p = DcqcnParameters::paper(kLine);
  Dcqcn d(p);
  // Slow enough that the rate is still far below the line after so long.
  for (uint64_t n = 0; n < 10; ++n) d.cnp(kStart);
  for (uint64_t k : {0, 1, 10, 100, 177, 400, 1000}) {
    const double expected = std::pow(255.0 / 256, static_cast<double>(k));
    EXPECT_NEAR(alpha(d, kStart + k * p.alpha_period), expected, 1e-6) << k;
  }
  EXPECT_NEAR(alpha(d, kStart + 177 * p.alpha_period), 0.5, 0.001);
  // The next cut is by half of alpha, and g of what it lacks to 1 comes back.
  const uint64_t now = kStart + 177 * p.alpha_period;
  const double before = static_cast<double>(d.rate(now)), at = alpha(d, now);
  d.cnp(now);
  EXPECT_NEAR(static_cast<double>(d.rate(now)) / before, 1 - at / 2, 1e-6);
  EXPECT_NEAR(alpha(d, now), at * 255 / 256 + 1.0 / 256, 1e-6);
}

TEST(Dcqcn, ANicForgetsCongestionInMicroseconds) {
  Dcqcn d(DcqcnParameters::nic(kLine));
  for (uint64_t n = 0; n < 10; ++n) d.cnp(kStart + n * 4'000);
  const uint64_t last = kStart + 36'000;
  EXPECT_NEAR(alpha(d, last + 142'000) / alpha(d, last), 0.5, 0.005);
}

// ns from two cuts to half the line or less until the target is the line again, with no bytes counted.
uint64_t regain(const DcqcnParameters& p) {
  Dcqcn d(p);
  d.cnp(kStart);
  d.cnp(kStart + 50'000);
  EXPECT_NEAR(static_cast<double>(d.state(kStart + 50'000).target) / kLine, 0.5, 0.001);
  uint64_t now = kStart + 50'000;
  while (d.state(now).target < kLine && d.rate(now) != 0) now += p.increase_period;
  return now - kStart - 50'000;
}

TEST(Dcqcn, ThePresetsNeedMillisecondsToSecondsToRegainHalfTheLine) {
  EXPECT_NEAR(static_cast<double>(regain(DcqcnParameters::paper(kLine))) / 1e6, 68.8, 0.7);
  EXPECT_NEAR(static_cast<double>(regain(DcqcnParameters::nic(kLine))) / 1e6, 3000, 30);
  EXPECT_NEAR(static_cast<double>(regain(DcqcnParameters::ns3(kLine))) / 1e6, 750, 8);
}

TEST(Dcqcn, HyperIncreaseNeedsBothCounts) {
  const DcqcnParameters p = DcqcnParameters::paper(kLine);
  Dcqcn d(p);
  for (int n = 0; n < 8; ++n) d.cnp(kStart);
  const auto target = [&](uint64_t now) { return d.state(now).target; };
  const uint64_t first = target(kStart);
  for (int n = 0; n < 4; ++n) d.sent(10'000'000, kStart);
  EXPECT_EQ(target(kStart), first) << "fast recovery by bytes alone";
  for (int n = 4; n < 9; ++n) d.sent(10'000'000, kStart);
  EXPECT_EQ(target(kStart), first + 5 * 40 * kMbps) << "additive from the fifth on";
  // Periods: the fifth is additive as all before it now are; beyond five of both, hyper with how many beyond.
  EXPECT_EQ(target(kStart + 5 * 55'000), first + 10 * 40 * kMbps);
  EXPECT_EQ(target(kStart + 6 * 55'000), first + 10 * 40 * kMbps + 100 * kMbps);
  EXPECT_EQ(target(kStart + 7 * 55'000), first + 10 * 40 * kMbps + 300 * kMbps);
}

TEST(Dcqcn, CutsKeepTheirDistanceAndTheFloor) {
  DcqcnParameters p = DcqcnParameters::nic(kLine);
  Dcqcn d(p);
  d.cnp(kStart);
  const uint64_t once = d.rate(kStart);
  d.cnp(kStart + 3'999);
  EXPECT_EQ(d.rate(kStart + 3'999), once);
  d.cnp(kStart + 4'000);
  EXPECT_LT(d.rate(kStart + 4'000), once);
  for (uint64_t n = 2; n < 60; ++n) d.cnp(kStart + n * 4'000);
  EXPECT_EQ(d.rate(kStart + 60 * 4'000 - 1), p.min_rate);
}

TEST(Dcqcn, AskingOftenChangesNothing) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SeededRandom r(seed);
    Dcqcn seldom(DcqcnParameters::ns3(kLine)), often(DcqcnParameters::ns3(kLine));
    uint64_t now = kStart;
    for (int i = 0; i < 300; ++i) {
      const uint64_t until = now + r.below(200'000);
      while (now < until) {
        often.rate(now);
        now += 1 + r.below(20'000);
      }
      if (r.below(3) == 0) {
        seldom.cnp(now);
        often.cnp(now);
      } else {
        seldom.sent(4096, now);
        often.sent(4096, now);
      }
    }
    const CongestionState a = seldom.state(now), b = often.state(now);
    EXPECT_TRUE(a.rate == b.rate && a.target == b.target && a.alpha == b.alpha) << "seed " << seed;
  }
}

TEST(Dcqcn, ParametersOutOfRangeAreInvalid) {
  EXPECT_TRUE(DcqcnParameters::paper(kLine).valid());
  EXPECT_TRUE(DcqcnParameters::nic(kLine).valid());
  EXPECT_TRUE(DcqcnParameters::ns3(kLine).valid());
  EXPECT_FALSE(DcqcnParameters{}.valid());
  DcqcnParameters p = DcqcnParameters::paper(kLine);
  p.min_rate = kLine + 1;
  EXPECT_FALSE(p.valid());
  p = DcqcnParameters::paper(kLine);
  p.increase_period = 0;
  EXPECT_FALSE(p.valid());
}

}  // namespace
}  // namespace uroce::transport::test::dcqcn_test
