#include "uroce/verbs/device/bulk_policy.h"

#include <gtest/gtest.h>

namespace uroce::verbs {
namespace {

constexpr uint64_t kUs = 1000, kMs = 1000 * kUs, kKiB = 1024;

// The machine's time scale while one lives.
class TimeScale {
 public:
  explicit TimeScale(uint64_t factor) : before_(net::time_scale_detail::scale) {
    net::time_scale_detail::scale = factor;
  }
  ~TimeScale() { net::time_scale_detail::scale = before_; }

 private:
  uint64_t before_;
};

// A peer that sends at a steady rate (bytes/us) until `window` bytes are unanswered, and a target that takes
// in what waits, answers it, and asks the policy. After a while, of one second:
struct Outcome {
  double share = 0;  // part of the rate that got through
  uint64_t sleeps = 0;
  uint64_t longest = 0;  // ns
};

Outcome run(uint64_t rate, uint64_t window) {
  constexpr uint64_t kLook = 5 * kUs, kBegin = 1000 * kMs, kEnd = 2000 * kMs;
  BulkPolicy bulk;
  Outcome outcome;
  uint64_t bytes = 0, begun = 0;
  for (uint64_t now = kMs; now < kEnd;) {
    if (now < kBegin) begun = bytes;
    uint64_t passed = kLook;
    if (bulk.sleep(now, bytes)) {
      passed = bulk.length();
      if (now >= kBegin) {
        ++outcome.sleeps;
        outcome.longest = std::max(outcome.longest, passed);
      }
    }
    now += passed;
    bytes += std::min(rate * passed / kUs, window);
  }
  outcome.share = static_cast<double>(bytes - begun) / static_cast<double>(rate * (kEnd - kBegin) / kUs);
  return outcome;
}

TEST(BulkPolicy, SleepsSixtyMicrosecondsAtATimeOnAnOrdinaryMachine) {
  const Outcome fast = run(3500, 512 * kKiB);
  EXPECT_GT(fast.share, 0.99);
  EXPECT_EQ(fast.longest, 60 * kUs);
  EXPECT_GT(fast.sleeps, 10'000u);
}

TEST(BulkPolicy, StaysAwakeForWhatIsNotBulk) { EXPECT_EQ(run(1, 512 * kKiB).sleeps, 0u); }

TEST(BulkPolicy, GivesUpWherePeersWaitForAnswers) {
  const Outcome waiting = run(3500, 64 * kKiB);
  EXPECT_LT(waiting.sleeps, 50u);
  EXPECT_GT(waiting.share, 0.99);
}

// A program that posts the next messages when the last hundred have completed: a burst of `burst` bytes
// begins once all but `left` of the last one are answered. The target receives 64 KiB at a time, a quarter
// faster than they are sent.
Outcome run_in_bursts(uint64_t rate, uint64_t burst, uint64_t left, bool may_sleep) {
  constexpr uint64_t kStep = 64 * kKiB, kLook = kUs, kBegin = 1000 * kMs, kEnd = 2000 * kMs;
  BulkPolicy bulk;
  Outcome outcome;
  uint64_t posted = burst, sent = 0, taken = 0, begun = 0;
  for (uint64_t now = kMs; now < kEnd;) {
    if (now < kBegin) begun = taken;
    uint64_t passed = kLook;
    if (const uint64_t waiting = std::min(sent - taken, kStep); waiting != 0) {
      taken += waiting;
      passed = waiting * kUs * 4 / (5 * rate);
      if (posted - taken <= left) posted += burst;
    } else if (may_sleep && bulk.sleep(now, taken)) {
      passed = bulk.length();
      if (now >= kBegin) ++outcome.sleeps;
    }
    now += passed;
    sent = std::min(sent + rate * passed / kUs, posted);
  }
  outcome.share = static_cast<double>(taken - begun) / static_cast<double>(rate * (kEnd - kBegin) / kUs);
  return outcome;
}

TEST(BulkPolicy, GivesUpWherePeersWaitForAnswersBetweenBursts) {
  const uint64_t burst = 400 * kKiB, left = 32 * kKiB;
  const double awake = run_in_bursts(4000, burst, left, false).share;
  const Outcome waiting = run_in_bursts(4000, burst, left, true);
  EXPECT_GT(waiting.share, 0.95 * awake);
  EXPECT_GT(waiting.sleeps, 0u) << "tries again now and then";
  EXPECT_LT(waiting.sleeps, 1000u);
}

// Another rate than when the peer was last seen awake: measured again, a target sleeps again.
TEST(BulkPolicy, SleepsAgainWhenThePeerHasBecomeSlower) {
  BulkPolicy bulk;
  uint64_t bytes = 0, sleeps = 0;
  for (uint64_t now = kMs; now < 2000 * kMs;) {
    const bool slept = bulk.sleep(now, bytes);
    const uint64_t passed = slept ? bulk.length() : 5 * kUs;
    sleeps += slept && now >= 1500 * kMs;
    now += passed;
    bytes += (now < 1000 * kMs ? 5000 : 2500) * passed / kUs;
  }
  EXPECT_GT(sleeps, 5'000u);
}

TEST(BulkPolicy, SleepsLongerWhereLessComes) {
  const TimeScale slow(31);
  const Outcome outcome = run(300, 512 * kKiB);
  EXPECT_GT(outcome.share, 0.99);
  EXPECT_GT(outcome.longest, 300 * kUs);
  EXPECT_LT(outcome.sleeps, 4000u);
}

// 31 times as long as elsewhere would be 1.9 ms: a window of 128 KiB lets 70 MB/s through then, of 300.
TEST(BulkPolicy, DoesNotSleepThroughTheEndOfAWindow) {
  const TimeScale slow(31);
  for (uint64_t window : {128u, 192u, 256u, 512u, 1024u}) {
    EXPECT_GT(run(300, window * kKiB).share, 0.85) << window;
  }
}

TEST(BulkPolicy, GivesUpOnASlowMachineAsWell) {
  const TimeScale slow(31);
  const Outcome waiting = run(300, 32 * kKiB);
  EXPECT_LT(waiting.sleeps, 200u);
  EXPECT_GT(waiting.share, 0.95);
}

}  // namespace
}  // namespace uroce::verbs
