#include "bench/vlcalls/tracer.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace vlcalls {
namespace {

constexpr long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT;
constexpr int kSyscallStop = SIGTRAP | 0x80;

long request(int what, pid_t tid, uintptr_t address, uintptr_t data) noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): ptrace takes numbers in pointers.
  return ptrace(static_cast<__ptrace_request>(what), tid, reinterpret_cast<void*>(address),
                // NOLINTNEXTLINE(performance-no-int-to-ptr)
                reinterpret_cast<void*>(data));
}

void go_on(pid_t tid, int signal = 0) noexcept {
  request(PTRACE_SYSCALL, tid, 0, static_cast<uintptr_t>(signal));
}

}  // namespace

void Tracer::attach() {
  // An attached thread brings its children along, so a round without a new thread is the last.
  while (attach_new()) {
  }
  if (threads_.empty()) throw std::system_error(ESRCH, std::generic_category(), "ptrace");
}

bool Tracer::attach_new() {
  bool any = false;
  std::error_code error;
  const std::filesystem::path folder = "/proc/" + std::to_string(process_) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = task.path().filename();
    pid_t tid = 0;
    std::from_chars(name.data(), name.data() + name.size(), tid);
    if (threads_.contains(tid)) continue;
    if (request(PTRACE_SEIZE, tid, 0, kOptions) != 0) {
      // The thread has ended, or its parent has been seized meanwhile and brought it along.
      if (errno == ESRCH || (errno == EPERM && !threads_.empty())) continue;
      throw std::system_error(errno, std::generic_category(), "ptrace");
    }
    request(PTRACE_INTERRUPT, tid, 0, 0);
    threads_.try_emplace(tid);
    ++pending_;
    any = true;
  }
  return any;
}

bool Tracer::handle() {
  for (;;) {
    int status = 0;
    const pid_t tid = waitpid(-1, &status, WNOHANG | __WALL);
    if (tid == 0) return true;
    if (tid < 0) return errno == EINTR;
    if (WIFSTOPPED(status)) {
      stopped(tid, status);
    } else if (const auto it = threads_.find(tid); it != threads_.end()) {
      if (!it->second.begun && pending_ > 0) --pending_;
      threads_.erase(it);
    }
  }
}

void Tracer::stopped(pid_t tid, int status) {
  const auto [it, fresh] = threads_.try_emplace(tid);
  Thread& thread = it->second;
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  if (signal == kSyscallStop) {
    at_call(tid, thread);
    return go_on(tid);
  }
  if (event == PTRACE_EVENT_STOP) {
    if (!std::exchange(thread.begun, true) && !fresh && pending_ > 0) --pending_;
    // A process that a signal has stopped remains stopped.
    if (signal != SIGTRAP) {
      request(PTRACE_LISTEN, tid, 0, 0);
      return;
    }
    return go_on(tid);
  }
  if (event == PTRACE_EVENT_EXIT) {
    put(name_of_thread(tid), thread);
    thread.counts.clear();
  }
  go_on(tid, event == 0 ? signal : 0);
}

void Tracer::at_call(pid_t tid, Thread& thread) {
  __ptrace_syscall_info info{};
  if (request(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, reinterpret_cast<uintptr_t>(&info)) <= 0) return;
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
    thread.inside = true;
    thread.number = info.entry.nr;
  } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && std::exchange(thread.inside, false)) {
    Count& count = thread.counts[thread.number];
    ++count.calls;
    if (info.exit.rval == -EAGAIN) ++count.empty;
  }
}

std::string Tracer::name_of_thread(pid_t tid) const {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(process_) + "/task/" + std::to_string(tid) + "/comm"),
               name);
  return name;
}

void Tracer::put(const std::string& name, const Thread& thread) {
  for (const auto& [number, count] : thread.counts) {
    Count& sum = ended_[{name, number}];
    sum.calls += count.calls;
    sum.empty += count.empty;
  }
}

Counts Tracer::counts() const {
  Tracer all(*this);
  for (const auto& [tid, thread] : threads_) all.put(name_of_thread(tid), thread);
  return all.ended_;
}

}  // namespace vlcalls
