// CPU time that the kernel spends outside of processes: soft interrupts, interrupts, kernel threads
// (kworker, ksoftirqd). A device in the kernel, such as rxe, does much of its work there.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vlbench {

// All values at one moment. Times come in the kernel's ticks, usually of 10 ms.
struct KernelTime {
  struct Process {
    pid_t pid = 0;
    uint64_t started = 0;    // ticks since boot: tells a process from a later one with the same pid
    uint64_t system_ns = 0;  // stime of all its threads
  };
  // system + irq + softirq of all CPUs since boot (/proc/stat).
  uint64_t machine_ns = 0;
  // Every process that /proc shows and that is no kernel thread, by pid.
  std::vector<Process> processes;
};

// Reads `proc`, a /proc. Nothing if it cannot be read. Takes about 10 us per process.
std::optional<KernelTime> kernel_time(const std::string& proc = "/proc");

// Time of the kernel between the two outside of every process: the machine's time in /proc/stat without the
// system time of all processes. That is right whether the kernel also charges a soft interrupt to the
// process that it interrupts (tick accounting; then it is in that process' system time, and not in here) or
// to no process (CONFIG_IRQ_TIME_ACCOUNTING). It covers the whole machine, not the work of one process.
uint64_t outside_processes_ns(const KernelTime& from, const KernelTime& to) noexcept;

}  // namespace vlbench
