#include "bench/cpu.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "bench/clock.h"

namespace vlbench {
namespace {

uint64_t to_ns(const timeval& tv) noexcept {
  return static_cast<uint64_t>(tv.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(tv.tv_usec) * 1'000u;
}

// Growth of a time. Clocks of different sources can step back against each other by a tick.
uint64_t grown(uint64_t from, uint64_t to) noexcept { return to > from ? to - from : 0; }

}  // namespace

ThreadUsage this_thread_usage() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {to_ns(usage.ru_utime), to_ns(usage.ru_stime), static_cast<uint64_t>(usage.ru_nvcsw),
          static_cast<uint64_t>(usage.ru_nivcsw)};
}

ProcessUsage process_usage() noexcept {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {to_ns(usage.ru_utime), to_ns(usage.ru_stime)};
}

std::optional<uint64_t> softirq_ns() noexcept {
  const int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  char line[512];
  const ssize_t length = read(fd, line, sizeof line - 1);
  close(fd);
  if (length <= 0) return std::nullopt;
  line[length] = 0;
  // cpu user nice system idle iowait irq softirq ...
  unsigned long long ticks = 0;
  if (std::sscanf(line, "cpu %*u %*u %*u %*u %*u %*u %llu", &ticks) != 1) return std::nullopt;
  return ticks * (1'000'000'000ull / static_cast<unsigned long long>(sysconf(_SC_CLK_TCK)));
}

Sample take_sample(const ThreadUsage& thread, Probe* probe) {
  Sample sample;
  sample.t_ns = monotonic_ns();
  sample.thread = thread;
  sample.process = process_usage();
  sample.softirq = softirq_ns();
  if (probe != nullptr) {
    sample.engine = probe->engine_cpu();
    probe->counters(sample.counters);
  }
  return sample;
}

CpuFigures difference(const Sample& from, const Sample& to, bool own_calls) noexcept {
  CpuFigures out;
  out.thread = {grown(from.thread.user_ns, to.thread.user_ns),
                grown(from.thread.system_ns, to.thread.system_ns),
                grown(from.thread.voluntary, to.thread.voluntary),
                grown(from.thread.involuntary, to.thread.involuntary)};
  out.process = {grown(from.process.user_ns, to.process.user_ns),
                 grown(from.process.system_ns, to.process.system_ns)};
  out.process_at_ns = to.process.user_ns + to.process.system_ns;
  if (from.softirq && to.softirq) out.softirq_ns = grown(*from.softirq, *to.softirq);
  if (from.kernel && to.kernel) out.outside_ns = outside_processes_ns(*from.kernel, *to.kernel);
  if (!from.engine || !to.engine) {
    out.app_ns = out.thread.user_ns;
    out.kernel_ns = out.thread.system_ns;
    return out;
  }
  const EngineCpu& a = *from.engine;
  const EngineCpu& b = *to.engine;
  const EngineCpu engine{grown(a.user_ns, b.user_ns),
                         grown(a.kernel_ns, b.kernel_ns),
                         grown(a.app_thread_ns, b.app_thread_ns),
                         grown(a.app_user_ns, b.app_user_ns),
                         grown(a.thread_ns, b.thread_ns),
                         std::nullopt};
  out.engine = engine;
  const uint64_t loop = out.thread.user_ns + out.thread.system_ns;
  const uint64_t in_engine = std::min(engine.app_thread_ns, loop);
  const uint64_t engine_calls = grown(engine.app_user_ns, in_engine);
  const uint64_t rest = loop - in_engine;
  const uint64_t calls = own_calls ? std::min(rest, grown(engine_calls, out.thread.system_ns)) : 0;
  const uint64_t engine_thread_user = std::min(grown(engine.app_user_ns, engine.user_ns), engine.thread_ns);
  // Unproductive time of the engine thread: polls that found nothing, and the system calls of its sleeps.
  // On sockets both are the kernel's; a poll of a ring is not, and only the kernel's ticks tell them apart.
  uint64_t idle_kernel = engine.thread_ns - engine_thread_user;
  if (a.thread_system_ns && b.thread_system_ns) {
    const uint64_t measured = grown(engine_calls, engine.kernel_ns);
    idle_kernel = std::min(idle_kernel, std::max(measured, grown(*a.thread_system_ns, *b.thread_system_ns)));
  }
  out.app_ns = rest - calls;
  out.nic_ns = in_engine - engine_calls + (engine.thread_ns - idle_kernel);
  out.kernel_ns = engine_calls + calls + idle_kernel;
  return out;
}

void CpuSplit::begin(const Sample& from) noexcept {
  from_ = from;
  told_ = {};
}

CpuFigures CpuSplit::next(const Sample& last, const Sample& to, bool own_calls) noexcept {
  CpuFigures out = difference(last, to, own_calls);
  const CpuFigures whole = difference(from_, to, own_calls);
  out.app_ns = grown(told_.app_ns, whole.app_ns);
  out.nic_ns = grown(told_.nic_ns, whole.nic_ns);
  out.kernel_ns = grown(told_.kernel_ns, whole.kernel_ns);
  // A part that has become smaller cannot be taken back: the others get less, so that no time is counted
  // twice.
  const uint64_t parts = out.app_ns + out.nic_ns + out.kernel_ns;
  const uint64_t spent =
      grown(told_.app_ns + told_.nic_ns + told_.kernel_ns, whole.app_ns + whole.nic_ns + whole.kernel_ns);
  if (parts > spent) {
    const double share = static_cast<double>(spent) / static_cast<double>(parts);
    for (uint64_t* part : {&out.app_ns, &out.nic_ns, &out.kernel_ns})
      *part = static_cast<uint64_t>(static_cast<double>(*part) * share);
  }
  told_.app_ns += out.app_ns;
  told_.nic_ns += out.nic_ns;
  told_.kernel_ns += out.kernel_ns;
  return out;
}

void CpuSplit::put_sums(CpuFigures* totals) const noexcept {
  totals->app_ns = told_.app_ns;
  totals->nic_ns = told_.nic_ns;
  totals->kernel_ns = told_.kernel_ns;
}

}  // namespace vlbench
