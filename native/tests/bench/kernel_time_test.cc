#include "bench/kernel_time.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace vlbench {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

// A /proc of two processes and a kernel thread, one of them with a name that tries to look like more fields.
class Proc : public ::testing::Test {
 protected:
  Proc() : folder_(std::filesystem::temp_directory_path() / ("proc-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Proc() override { std::filesystem::remove_all(folder_); }

  void machine(int system, int irq, int softirq) {
    std::ofstream(folder_ / "stat") << "cpu  5 6 " << system << " 8 9 " << irq << " " << softirq
                                    << " 0 0 0\ncpu0 1\n";
  }
  void process(int pid, const std::string& name, unsigned flags, int system, int started) {
    std::filesystem::create_directories(folder_ / std::to_string(pid));
    std::ofstream(folder_ / std::to_string(pid) / "stat")
        << pid << " (" << name << ") S 1 1 1 0 -1 " << flags << " 10 0 0 0 77 " << system << " 0 0 20 0 1 0 "
        << started << " 1000 10\n";
  }
  KernelTime read() {
    const auto time = kernel_time(folder_.string());
    EXPECT_TRUE(time);
    return time.value_or(KernelTime{});
  }
  uint64_t tick_ns = kSecond / static_cast<uint64_t>(sysconf(_SC_CLK_TCK));

 private:
  std::filesystem::path folder_;
};

TEST_F(Proc, LeavesKernelThreadsAndWhatIsNoProcessOut) {
  machine(100, 20, 3);
  process(12, "app ) R 1 2", 0x00400000, 40, 900);
  process(3, "kworker/0:1", 0x04208060, 50, 2);
  const KernelTime time = read();
  EXPECT_EQ(time.machine_ns, 123 * tick_ns);
  ASSERT_EQ(time.processes.size(), 1u);
  EXPECT_EQ(time.processes[0].pid, 12);
  EXPECT_EQ(time.processes[0].system_ns, 40 * tick_ns);
  EXPECT_EQ(time.processes[0].started, 900u);
}

TEST_F(Proc, WhatNoProcessWasChargedIsOutside) {
  machine(100, 0, 0);
  process(12, "app", 0, 40, 900);
  process(13, "short", 0, 5, 901);
  const KernelTime from = read();
  machine(180, 2, 18);
  process(12, "app", 0, 70, 900);
  process(13, "another with its number", 0, 6, 990);
  process(14, "new", 0, 4, 991);
  const KernelTime to = read();
  // 100 ticks of the machine, 30 + 6 + 4 of them in processes.
  EXPECT_EQ(outside_processes_ns(from, to), 60 * tick_ns);
  EXPECT_EQ(outside_processes_ns(to, from), 0u);
}

TEST(KernelTime, ThisMachineTellsAndThisProcessIsInIt) {
  const auto time = kernel_time();
  ASSERT_TRUE(time);
  EXPECT_GT(time->machine_ns, 0u);
  const auto own = std::ranges::find(time->processes, getpid(), &KernelTime::Process::pid);
  ASSERT_NE(own, time->processes.end());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const uint64_t system = static_cast<uint64_t>(usage.ru_stime.tv_sec) * kSecond +
                          static_cast<uint64_t>(usage.ru_stime.tv_usec) * 1000;
  EXPECT_LE(own->system_ns, system + kSecond / 50);
  EXPECT_FALSE(kernel_time("/nowhere"));
}

}  // namespace
}  // namespace vlbench
