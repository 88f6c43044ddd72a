#include "bench/cpu.h"

#include <gtest/gtest.h>
#include <time.h>

#include "bench/clock.h"

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
  // Engine: 500 user (300 of it on the loop's thread), 350 in calls (200 there); its own thread ran 380 in
  // all.
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
