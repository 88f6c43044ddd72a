#include "bench/cpu.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "bench/clock.h"
#include "bench/thread_time.h"

namespace vlbench {
namespace {

uint64_t thread_cpu_ns() {
  timespec ts;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
  return to_ns(ts);
}

TEST(Cpu, ThreadUsageFollowsTheThreadsClock) {
  const ThreadUsage before = this_thread_usage();
  const uint64_t start = thread_cpu_ns();
  volatile uint64_t sink = 0;
  while (thread_cpu_ns() - start < 50'000'000) sink = sink + 1;
  const ThreadUsage after = this_thread_usage();
  const double spent =
      static_cast<double>(after.user_ns + after.system_ns - before.user_ns - before.system_ns);
  EXPECT_NEAR(spent / 1e6, 50, 10);
}

TEST(Cpu, WithoutEngineTheThreadsTimesAreTheSplit) {
  Sample a, b;
  b.thread = {700, 300, 5, 6};
  const CpuFigures figures = difference(a, b, true);
  EXPECT_EQ(figures.app_ns, 700u);
  EXPECT_EQ(figures.nic_ns, 0u);
  EXPECT_EQ(figures.kernel_ns, 300u);
  EXPECT_EQ(figures.thread.voluntary, 5u);
  EXPECT_FALSE(figures.engine);
}

TEST(Cpu, SplitAddsUpToBothThreads) {
  Sample a, b;
  b.thread = {600, 400, 0, 0};
  // Engine: 500 user (300 of it on the loop's thread), 350 in calls (200 there); the engine's thread ran
  // 380 in total.
  a.engine = EngineCpu{};
  b.engine =
      EngineCpu{.user_ns = 500, .kernel_ns = 350, .app_thread_ns = 500, .app_user_ns = 300, .thread_ns = 380};
  const CpuFigures polls = difference(a, b, false);
  EXPECT_EQ(polls.nic_ns, 500u);
  EXPECT_EQ(polls.app_ns, 500u);            // 1000 of the loop without 500 in the engine
  EXPECT_EQ(polls.kernel_ns, 200u + 180u);  // calls on the loop's thread, and the rest of the engine's
  EXPECT_EQ(polls.app_ns + polls.nic_ns + polls.kernel_ns, 1000u + 380u);
  const CpuFigures sleeps = difference(a, b, true);
  EXPECT_EQ(sleeps.app_ns, 300u);  // 200 more of system time than the engine's calls
  EXPECT_EQ(sleeps.kernel_ns, 580u);
  EXPECT_EQ(sleeps.app_ns + sleeps.nic_ns + sleeps.kernel_ns, 1000u + 380u);
}

// A poll of a ring is no system call: vain polls of the engine's thread are NIC work, and only time that
// the kernel charged as system time is the kernel's.
TEST(Cpu, VainPollsOfTheEngineThreadAreNotTheKernels) {
  Sample a, b;
  a.engine = EngineCpu{.thread_system_ns = 50};
  b.engine = EngineCpu{.user_ns = 300, .kernel_ns = 10, .thread_ns = 1000, .thread_system_ns = 120};
  const CpuFigures rings = difference(a, b, false);
  EXPECT_EQ(rings.kernel_ns, 70u);
  EXPECT_EQ(rings.nic_ns, 930u);
  // Measured time in calls is the minimum, and unproductive time the maximum, for any ticks.
  b.engine->thread_system_ns = 50;
  EXPECT_EQ(difference(a, b, false).kernel_ns, 10u);
  b.engine->thread_system_ns = 5000;
  EXPECT_EQ(difference(a, b, false).kernel_ns, 700u);
}

TEST(Cpu, ReadsTheSystemTimeOfAThread) {
  std::atomic<bool> stop{false};
  std::atomic<bool> named{false};
  std::thread busy([&] {
    pthread_setname_np(pthread_self(), "busy) in (calls");
    named.store(true);
    while (!stop.load()) static_cast<void>(getppid());
  });
  while (!named.load()) std::this_thread::yield();
  EXPECT_FALSE(ThreadTime::find("nobody"));
  const auto found = ThreadTime::find("busy) in (calls");
  uint64_t spent = 0;
  const uint64_t deadline = monotonic_ns() + 20'000'000'000u;
  while (found && spent < 50'000'000 && monotonic_ns() < deadline) spent = found->system_ns().value_or(0);
  stop.store(true);
  busy.join();
  ASSERT_TRUE(found);
  EXPECT_GE(spent, 50'000'000u);
  EXPECT_FALSE(found->system_ns());
}

TEST(Cpu, IntervalsAddUpToTheirStretchWhereTheClocksDisagree) {
  // The kernel charges the loop's thread late: in the first interval the engine seems to have run longer
  // than it.
  Sample a, b, c;
  a.engine = EngineCpu{};
  b.thread = {100, 0, 0, 0};
  b.engine = EngineCpu{.user_ns = 300, .kernel_ns = 0, .app_thread_ns = 300, .app_user_ns = 300};
  c.thread = {1000, 0, 0, 0};
  c.engine = EngineCpu{.user_ns = 600, .kernel_ns = 0, .app_thread_ns = 600, .app_user_ns = 600};
  const CpuFigures whole = difference(a, c, false);
  EXPECT_EQ(whole.app_ns, 400u);
  EXPECT_EQ(whole.nic_ns, 600u);
  CpuSplit split;
  split.begin(a);
  const CpuFigures first = split.next(a, b, false);
  const CpuFigures second = split.next(b, c, false);
  EXPECT_EQ(first.app_ns + first.nic_ns + first.kernel_ns, 100u);
  EXPECT_EQ(first.app_ns + second.app_ns, whole.app_ns);
  EXPECT_EQ(first.nic_ns + second.nic_ns, whole.nic_ns);
  EXPECT_EQ(first.kernel_ns + second.kernel_ns, whole.kernel_ns);
  EXPECT_EQ(second.thread.user_ns, 900u);
}

// The engine's time on the loop's thread is an estimate: time that an interval gave to the application may
// have been the engine's after all.
TEST(Cpu, NoTimeIsToldTwiceWhenAPartShrinks) {
  Sample a, b, c;
  a.engine = EngineCpu{};
  b.engine = EngineCpu{.user_ns = 200, .app_thread_ns = 200, .app_user_ns = 200};
  b.thread.user_ns = 1000;
  c.engine = EngineCpu{.user_ns = 900, .app_thread_ns = 900, .app_user_ns = 900};
  c.thread.user_ns = 1500;
  CpuSplit split;
  split.begin(a);
  const CpuFigures first = split.next(a, b, false);
  EXPECT_EQ(first.app_ns, 800u);
  EXPECT_EQ(first.nic_ns, 200u);
  const CpuFigures second = split.next(b, c, false);
  EXPECT_EQ(second.app_ns, 0u);
  EXPECT_EQ(second.nic_ns, 500u);
  CpuFigures sums = difference(a, c, false);
  EXPECT_EQ(sums.app_ns, 600u);
  split.put_sums(&sums);
  EXPECT_EQ(sums.app_ns, 800u);
  EXPECT_EQ(sums.nic_ns, 700u);
  EXPECT_EQ(sums.app_ns + sums.nic_ns + sums.kernel_ns, c.thread.user_ns);
}

TEST(Cpu, AClockThatStepsBackGivesZero) {
  Sample a, b;
  a.thread = {100, 100, 1, 1};
  b.thread = {90, 120, 1, 1};
  const CpuFigures figures = difference(a, b, true);
  EXPECT_EQ(figures.app_ns, 0u);
  EXPECT_EQ(figures.kernel_ns, 20u);
}

TEST(Cpu, SoftirqIsReadableHere) {
  const auto first = softirq_ns();
  ASSERT_TRUE(first);
  EXPECT_GE(*softirq_ns(), *first);
}

}  // namespace
}  // namespace vlbench
