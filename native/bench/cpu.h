// CPU accounting: time of the loop's thread, the process, the device's engine and the machine's soft
// interrupts.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "bench/kernel_time.h"
#include "bench/probe.h"

namespace vlbench {

struct ThreadUsage {
  uint64_t user_ns = 0;
  uint64_t system_ns = 0;
  uint64_t voluntary = 0;  // context switches
  uint64_t involuntary = 0;
};

struct ProcessUsage {
  uint64_t user_ns = 0;
  uint64_t system_ns = 0;
};

// CPU usage of the calling thread (getrusage RUSAGE_THREAD).
ThreadUsage this_thread_usage() noexcept;
ProcessUsage process_usage() noexcept;
// Soft interrupt time of all CPUs from /proc/stat, in steps of 10 ms; nothing if it cannot be read.
std::optional<uint64_t> softirq_ns() noexcept;

// All values at one moment.
struct Sample {
  uint64_t t_ns = 0;
  ThreadUsage thread;
  ProcessUsage process;
  std::optional<EngineCpu> engine;
  std::optional<uint64_t> softirq;
  std::vector<uint64_t> counters;
  // Only if requested: reading it visits every process.
  std::optional<KernelTime> kernel;
};

// Takes a sample. `thread` is the usage of the loop, measured by itself.
Sample take_sample(const ThreadUsage& thread, Probe* probe);

// Differences between two samples.
struct CpuFigures {
  ThreadUsage thread;
  ProcessUsage process;
  uint64_t process_at_ns = 0;  // CPU time of the process since it began, at the later sample
  std::optional<EngineCpu> engine;
  std::optional<uint64_t> softirq_ns;
  // Time of the kernel outside of every process, on the whole machine; not part of the figures below.
  std::optional<uint64_t> outside_ns;
  // Work of the loop's thread and the device's own: `nic` is engine code outside system calls, including
  // polls of the engine's thread that find nothing; `kernel` is system time, `app` the rest. They add up to
  // the CPU time of both threads.
  uint64_t app_ns = 0;
  uint64_t nic_ns = 0;
  uint64_t kernel_ns = 0;
};
// `own_calls`: the loop's thread makes its own system calls. In a thread that only polls, all time that the
// engine did not spend belongs to the application; the kernel's division into user and system time is
// sampled by ticks, good enough only for the rest.
CpuFigures difference(const Sample& from, const Sample& to, bool own_calls) noexcept;

// Splits a stretch of time interval by interval. Over a short time the kernel's clock and the engine's
// disagree, and `difference` cuts off impossible values. Each interval therefore gets the amount that its
// predecessors lack to the split of the whole stretch so far, and the parts of the intervals add up to the
// CPU time of the stretch.
class CpuSplit {
 public:
  void begin(const Sample& from) noexcept;
  // `last` and `to` are the ends of an interval of the stretch.
  CpuFigures next(const Sample& last, const Sample& to, bool own_calls) noexcept;
  // Gives `totals` the sums of the parts of all intervals so far.
  void put_sums(CpuFigures* totals) const noexcept;

 private:
  Sample from_;
  CpuFigures told_;
};

}  // namespace vlbench
