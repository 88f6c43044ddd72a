#include "uroce/verbs/device/spin_policy.h"

#include <gtest/gtest.h>

namespace uroce::verbs {
namespace {

constexpr uint64_t kUs = 1000, kMs = 1000 * kUs, kLook = 500;  // ns

// Polls from `now` on until the policy ends the session, or the packet is there: how long it polled.
uint64_t session(SpinPolicy& spin, uint64_t now, uint64_t packet_at) {
  uint64_t t = now;
  if (!spin.begin(t)) return 0;
  while (spin.go_on(t)) {
    if (t >= packet_at) {
      spin.found(t);
      return t - now;
    }
    t += kLook;
  }
  spin.gave_up(t);
  return t - now;
}

constexpr uint64_t kNoPacket = ~uint64_t{0};

TEST(SpinPolicy, PollsForFiftyMicroseconds) {
  SpinPolicy spin;
  EXPECT_EQ(session(spin, kMs, kNoPacket), 50 * kUs);
}

TEST(SpinPolicy, PollsMoreRarelyWhenNothingComes) {
  SpinPolicy spin;
  uint64_t polled = 0;
  for (uint64_t now = 0; now < 1000 * kMs; now += 100 * kUs) polled += session(spin, now, kNoPacket);
  EXPECT_LT(polled, 20 * kMs);
  EXPECT_GT(polled, 1 * kMs);
}

TEST(SpinPolicy, PollsEachTimeAgainOnceAPacketWasFound) {
  SpinPolicy spin;
  for (uint64_t now = 0; now < 1000 * kMs; now += 100 * kUs) session(spin, now, kNoPacket);
  uint64_t now = 2000 * kMs;
  ASSERT_GT(session(spin, now, now + 5 * kUs), 0u);
  now += 10 * kUs;
  EXPECT_EQ(session(spin, now, now + 5 * kUs), 5 * kUs);
}

// Another thread's timer takes the core for a moment, five thousand times a second.
TEST(SpinPolicy, ForgivesBriefInterruptions) {
  SpinPolicy spin;
  uint64_t now = kMs, refused = 0, sessions = 0;
  for (uint64_t next_interruption = now; now < 1000 * kMs; ++sessions) {
    if (!spin.begin(now))
      ++refused;
    else if (now >= next_interruption) {
      next_interruption = now + 200 * kUs;
      now += 12 * kUs;
      spin.found(now);
    } else {
      now += 3 * kUs;
      spin.found(now);
    }
    now += 2 * kUs;
  }
  EXPECT_LT(refused, sessions / 4);
}

// A rival that computes gets its core: having been kept waiting for a scheduler's slice, the thread blocks.
TEST(SpinPolicy, LeavesTheCoreToOneWhoNeedsIt) {
  SpinPolicy spin;
  uint64_t now = kMs;
  ASSERT_TRUE(spin.begin(now));
  now += 3 * kMs;
  spin.found(now);
  EXPECT_FALSE(spin.begin(now));
  EXPECT_FALSE(spin.begin(now + 15 * kMs));
  EXPECT_TRUE(spin.begin(now + 30 * kMs));
}

}  // namespace
}  // namespace uroce::verbs
