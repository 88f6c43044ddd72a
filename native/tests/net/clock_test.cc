// The device's clock compared with the kernel's, while threads lose their CPU at the worst moments.
#include "uroce/net/host/clock.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr uint64_t kInterruption = 20'000;  // ns
constexpr int kEvery = 3;                   // calls

thread_local bool interrupting = false;
thread_local int calls = 0;
thread_local int64_t ahead = 0;  // ns, of this thread's clock

uint64_t kernel_ns() {
  timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

// Replaces the C library's function.
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock,
                                                                    timespec* time) noexcept {
  if (clock == CLOCK_MONOTONIC && interrupting && ++calls % kEvery == 0) {
    for (const uint64_t begin = kernel_ns(); kernel_ns() - begin < kInterruption;) {
    }
  }
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_MONOTONIC) {
    const int64_t ns = time->tv_nsec + ahead;
    time->tv_sec += ns / 1'000'000'000;
    time->tv_nsec = ns % 1'000'000'000;
  }
  return result;
}

namespace uroce::net::test {
namespace {

constexpr uint64_t kTolerance = 500;  // ns

// Largest distance of the device's clock from the kernel's within `during` ns; UINT64_MAX: it went back.
uint64_t farthest(uint64_t during) {
  uint64_t worst = 0, last = 0;
  for (const uint64_t begin = kernel_ns(); kernel_ns() - begin < during;) {
    const uint64_t before = kernel_ns();
    const uint64_t now = now_ns();
    const uint64_t after = kernel_ns();
    if (now < std::exchange(last, now)) return UINT64_MAX;
    if (now < before) worst = std::max(worst, before - now);
    if (now > after) worst = std::max(worst, now - after);
  }
  return worst;
}

TEST(Clock, AgreesWithTheKernelsWhereThreadsAreInterruptedBetweenTheirReads) {
  constexpr int kThreads = 4;
  constexpr uint64_t kDuring = 150'000'000;  // beyond the first long measuring of the counter's rate
  std::vector<uint64_t> worst(kThreads);
  std::vector<std::thread> threads;
  for (uint64_t& one : worst) {
    threads.emplace_back([&one] {
      interrupting = true;
      one = farthest(kDuring);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const uint64_t one : worst) EXPECT_LE(one, kTolerance);
}

TEST(Clock, ThatWasAheadSlowsDownUntilItIsRight) {
  constexpr int64_t kAhead = 500'000;
  constexpr uint64_t kPatience = 60'000'000'000;
  EXPECT_LE(farthest(5'000'000), kTolerance);
  ahead = kAhead;
  const uint64_t begin = kernel_ns();
  uint64_t last = now_ns();
  while (last < kernel_ns() + kAhead / 2 && kernel_ns() - begin < kPatience) last = now_ns();
  ahead = 0;
  EXPECT_GE(now_ns(), last);
  uint64_t worst = UINT64_MAX;
  while (worst > kTolerance && kernel_ns() - begin < kPatience) {
    worst = farthest(1'000'000);
    ASSERT_NE(worst, UINT64_MAX);
  }
  EXPECT_LE(worst, kTolerance);
}

}  // namespace
}  // namespace uroce::net::test
