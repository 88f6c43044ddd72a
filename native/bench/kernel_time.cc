#include "bench/kernel_time.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

#include "uroce/process_stat.h"

namespace vlbench {
namespace {

// PF_KTHREAD of include/linux/sched.h, as ProcessStat::flags shows it.
constexpr unsigned kKernelThread = 0x0020'0000;

uint64_t ns_of_ticks(unsigned long long ticks) noexcept {
  return ticks * (1'000'000'000ull / static_cast<unsigned long long>(sysconf(_SC_CLK_TCK)));
}

// The beginning of a file, as a C string; empty when it cannot be read, as when its process has ended.
template <size_t N>
bool read_text(const std::string& path, char (&text)[N]) noexcept {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t length = read(fd, text, N - 1);
  close(fd);
  text[std::max<ssize_t>(length, 0)] = 0;
  return length > 0;
}

// False for a kernel thread, and for what is gone.
bool read_process(const std::string& proc, const char* name, KernelTime::Process& out) noexcept {
  char text[1024];
  if (!read_text(proc + "/" + name + "/stat", text)) return false;
  const auto stat = uroce::parse_process_stat(text);
  if (!stat || (stat->flags & kKernelThread) != 0) return false;
  out.started = stat->started;
  out.system_ns = ns_of_ticks(stat->system);
  return true;
}

}  // namespace

std::optional<KernelTime> kernel_time(const std::string& proc) {
  char line[512];
  // cpu user nice system idle iowait irq softirq ...
  unsigned long long system = 0, irq = 0, softirq = 0;
  KernelTime out;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(proc.c_str()), closedir);
  if (!folder) return std::nullopt;
  while (const dirent* entry = readdir(folder.get())) {
    const char* end = entry->d_name + std::strlen(entry->d_name);
    KernelTime::Process process;
    const auto [parsed, error] = std::from_chars(entry->d_name, end, process.pid);
    if (error == std::errc{} && parsed == end && read_process(proc, entry->d_name, process))
      out.processes.push_back(process);
  }
  std::sort(out.processes.begin(), out.processes.end(),
            [](const auto& a, const auto& b) { return a.pid < b.pid; });
  if (!read_text(proc + "/stat", line) ||
      std::sscanf(line, "cpu %*u %*u %llu %*u %*u %llu %llu", &system, &irq, &softirq) != 3)
    return std::nullopt;
  out.machine_ns = ns_of_ticks(system + irq + softirq);
  return out;
}

uint64_t outside_processes_ns(const KernelTime& from, const KernelTime& to) noexcept {
  uint64_t charged = 0;
  auto before = from.processes.begin();
  for (const auto& process : to.processes) {
    while (before != from.processes.end() && before->pid < process.pid) ++before;
    const bool same =
        before != from.processes.end() && before->pid == process.pid && before->started == process.started;
    // A process that began meanwhile has spent all of its time meanwhile.
    const uint64_t base = same ? before->system_ns : 0;
    charged += process.system_ns > base ? process.system_ns - base : 0;
  }
  const uint64_t machine = to.machine_ns > from.machine_ns ? to.machine_ns - from.machine_ns : 0;
  return machine > charged ? machine - charged : 0;
}

}  // namespace vlbench
