// Swift and TIMELY, which follow the round-trip time, and the ring that measures it.
#include <gtest/gtest.h>

#include <cmath>

#include "uroce/transport/policy/pacer.h"
#include "uroce/transport/policy/rtt.h"
#include "uroce/transport/policy/swift.h"
#include "uroce/transport/policy/timely.h"

namespace uroce::transport::test::delay_law_test {
namespace {

constexpr uint64_t kStart = 5'000'000;  // ns
constexpr uint64_t kLine = 100'000'000'000;

TEST(SmoothedRtt, CountsEachNewOneAnEighth) {
  SmoothedRtt average;
  average.add(0);
  EXPECT_EQ(average.ns(), 0u);
  average.add(8'000);
  EXPECT_EQ(average.ns(), 8'000u);
  average.add(16'000);
  EXPECT_EQ(average.ns(), 9'000u);
  average.add(0);
  EXPECT_EQ(average.ns(), 9'000u) << "none was measured";
  for (int i = 0; i < 100; ++i) average.add(1'000);
  EXPECT_NEAR(static_cast<double>(average.ns()), 1'000, 2);
}

TEST(Rtt, IsThatOfTheLastPacketWhichAskedForAnAck) {
  RttRing ring;
  ring.sent(100, 1000);
  ring.sent(110, 3000);
  ring.sent(120, 4000);
  EXPECT_EQ(ring.acked(99, 9000), 0u);
  EXPECT_EQ(ring.acked(115, 10'000), 7000u);
  EXPECT_EQ(ring.acked(115, 11'000), 0u) << "measured once";
  ring.clear();
  EXPECT_EQ(ring.acked(200, 12'000), 0u) << "what was sent twice is not measured";
  for (uint64_t psn = 0; psn < 1000; ++psn) ring.sent(psn, psn);
  EXPECT_NE(ring.acked(1000, 2000), 0u) << "more than it holds";
}

TEST(Swift, TheTargetOfASmallWindowIsLonger) {
  SwiftParameters p;
  p.initial_window = 100'000;
  EXPECT_EQ(Swift(p).target(), 20'000u) << "no scaling from 100 packets on";
  p.initial_window = 100;
  EXPECT_EQ(Swift(p).target(), 120'000u) << "all of it at a tenth of a packet";
  p.initial_window = 50;
  EXPECT_EQ(Swift(p).target(), 120'000u);
  for (double packets : {0.2, 1.0, 4.0, 12.0, 50.0}) {
    p.initial_window = static_cast<uint64_t>(packets * 1000);
    const double range = 1 / std::sqrt(0.1) - 1 / std::sqrt(100.0);
    const double expected = 20'000 + 100'000 * (1 / std::sqrt(packets) - 1 / std::sqrt(100.0)) / range;
    EXPECT_NEAR(static_cast<double>(Swift(p).target()), expected, 2) << packets;
  }
  p.scaling_range = 0;
  EXPECT_EQ(Swift(p).target(), 20'000u);
}

TEST(Swift, GrowsByOnePacketPerRoundTripBelowTheTarget) {
  SwiftParameters p;
  p.initial_window = 10'000;
  Swift s(p);
  for (int n = 0; n < 10; ++n) s.acked({kStart, 1, 15'000});
  EXPECT_NEAR(static_cast<double>(s.state(kStart).window), 11'000, 60);
  EXPECT_EQ(s.window(), s.state(kStart).window / 1000);
  EXPECT_EQ(s.rate(kStart), 0u) << "a window of whole packets is not paced";
}

TEST(Swift, ShrinksInProportionAndAtMostOncePerRoundTrip) {
  SwiftParameters p;
  p.initial_window = 100'000;
  p.scaling_range = 0;
  Swift s(p);
  s.acked({kStart, 1, 25'000});  // 5 of 25 above the target: 0.8 x 0.2
  EXPECT_NEAR(static_cast<double>(s.state(kStart).window), 84'000, 20);
  s.acked({kStart + 24'999, 1, 25'000});
  EXPECT_NEAR(static_cast<double>(s.state(kStart).window), 84'000, 20);
  s.acked({kStart + 25'000, 1, 25'000});
  EXPECT_NEAR(static_cast<double>(s.state(kStart).window), 70'560, 20);
  Swift far(p);
  far.acked({kStart, 1, 10'000'000});
  EXPECT_NEAR(static_cast<double>(far.state(kStart).window), 50'000, 20) << "by half at most";
}

TEST(Swift, AWindowBelowOnePacketBecomesAGap) {
  SwiftParameters p;
  p.initial_window = 500;
  Swift s(p);
  s.reset(4096);
  s.acked({kStart, 1, 400'000});  // above the target: half of it
  EXPECT_EQ(s.window(), 1u);
  // A packet every 400 us / 0.25.
  const double gap = (4096 + kLinkOverhead) * 8e9 / static_cast<double>(s.rate(kStart));
  EXPECT_NEAR(gap, 1'600'000, 2'000);
}

TEST(Swift, TimeoutsInARowLeaveTheSmallestWindow) {
  Swift s{SwiftParameters{}};
  s.timed_out(kStart);
  EXPECT_EQ(s.state(kStart).window / 1000, 6u);
  for (int n = 2; n <= 5; ++n) s.timed_out(kStart + n);
  EXPECT_LE(s.state(kStart).window, 1u);
}

TEST(Timely, GrowsBelowTLowAndShrinksAboveTHigh) {
  TimelyParameters p;
  p.line_rate = kLine;
  Timely t(p);
  EXPECT_EQ(t.rate(kStart), 0u) << "begins at the line's rate";
  t.acked({kStart, 1, 600'000});
  t.acked({kStart, 1, 1'000'000});  // x 1 - 0.8 (1 - 500/1000)
  EXPECT_NEAR(static_cast<double>(t.rate(kStart)) / kLine, 0.6, 1e-4);
  const uint64_t before = t.rate(kStart);
  t.acked({kStart, 1, 49'999});
  EXPECT_EQ(t.rate(kStart), before + p.step);
}

TEST(Timely, FollowsTheGradientBetween) {
  TimelyParameters p;
  p.line_rate = kLine;
  Timely t(p);
  t.acked({kStart, 1, 100'000});
  t.acked({kStart, 1, 104'000});  // average 3.5 us of 20 us: x 1 - 0.8 x 0.175
  EXPECT_NEAR(static_cast<double>(t.rate(kStart)) / kLine, 1 - 0.8 * 0.175, 2e-3);
  uint64_t before = t.rate(kStart);
  // The average falls to zero or below, then nothing changes any more: a step each, five from the fifth on.
  t.acked({kStart, 1, 100'000});
  EXPECT_EQ(t.rate(kStart), before + p.step);
  for (int n = 2; n <= 4; ++n) t.acked({kStart, 1, 100'000});
  before = t.rate(kStart);
  t.acked({kStart, 1, 99'999});
  EXPECT_EQ(t.rate(kStart), before + 5 * p.step);
}

TEST(Timely, ACutAtMostHalves) {
  TimelyParameters p;
  p.line_rate = kLine;
  Timely t(p);
  t.acked({kStart, 1, 60'000});
  t.acked({kStart, 1, 400'000});
  EXPECT_NEAR(static_cast<double>(t.rate(kStart)) / kLine, 0.5, 1e-4);
}

}  // namespace
}  // namespace uroce::transport::test::delay_law_test
