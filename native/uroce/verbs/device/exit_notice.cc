#include "uroce/verbs/device/exit_notice.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "uroce/clock.h"
#include "uroce/net/host/clock.h"
#include "uroce/report/last_words.h"
#include "uroce/report/report.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs {
namespace {

// Another thread that gets the engine lock now may never give it back.
struct KeptLock {
  void lock() {}
  void unlock() {}
};

}  // namespace

void Device::exit_notice(uint32_t parts) {
  if (lock_.lock_within(EngineLock::kAtTheEnd)) {
    const uint64_t now = this->now();
    if ((parts & exit_notice::kLeave) != 0) {
      leaving_ = true;
      management_->at_exit(now);
    }
    push(now, 0);
    push_held_back(monotonic_ns() + exit_notice::kOpening);
    if ((parts & exit_notice::kLeave) != 0) flush_pcapng();
    if ((parts & exit_notice::kStatistics) != 0) print_statistics();
    lock_.unlock();
  }
  if ((parts & exit_notice::kReport) != 0) report::finish_here();
}

// A ring holds packets back until the peer has taken it. After a while they take the sockets.
void Device::push_held_back(uint64_t deadline) {
  while (roce_port_->next_wake() != kNever && monotonic_ns() < deadline) {
    pollfd answer{share_->fd(), POLLIN, 0};
    poll(&answer, 1, 1);
    share_->serve();
    KeptLock kept;
    if (rings_) rings_->accept_rings(kept);
    push(now(), 0);
  }
  if (roce_port_->next_wake() == kNever) return;
  rings_->stop_opening();
  push(now(), 0);
}

namespace exit_notice {
namespace {

constexpr uint64_t kTimeout =
    3'000'000'000;                    // ns: on a busy machine the engine thread may wait long for a core
constexpr long kGrace = 20'000'000;   // ns
constexpr uint32_t kReportMs = 3000;  // for the report of a process that a signal ends

// Signals that end a process by default. Not SIGTRAP, SIGPROF and SIGVTALRM, which belong to debuggers and
// profilers.
constexpr int kFatal[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGABRT, SIGBUS,  SIGFPE,  SIGSEGV,
                          SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGSYS};

// Raises the signal a little later, at any point of the process.
bool raise_later(int number, long ns) {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = number;
  int timer = 0;
  // The C library's functions of this name allocate memory, and this runs in a signal handler.
  if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) != 0) return false;
  const itimerspec soon{{0, 0}, {ns / 1'000'000'000, ns % 1'000'000'000}};
  return syscall(SYS_timer_settime, timer, 0, &soon, nullptr) == 0;
}

std::atomic<bool> g_watching{false};

bool send_within(uint32_t parts, bool cut) {
  const int error = errno;
  const Device::Use use;
  Device* device = Device::current();
  const bool sent = device == nullptr || device->thread().give_exit_notice(parts, kTimeout, cut);
  errno = error;
  return sent;
}

// SA_RESETHAND has already restored the default disposition.
void on_signal(int number, siginfo_t* info, void*) {
  // A fault occurs again on return and ends the process where it happened.
  const bool fault =
      (number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE) && info->si_code > 0;
  const int error = errno;
  const bool sent = send_within(kAcks | kLeave, true);
  const bool reports = report::last_words::ask(number, !sent && !fault);
  if (reports && (sent || fault)) report::last_words::done_within(kReportMs);
  // If the signal interrupted this thread while it held the engine lock, the thread has to release the lock
  // first.
  if (!fault && (sent || !raise_later(number, reports ? kReportMs * 1'000'000L : kGrace))) raise(number);
  errno = error;
}

}  // namespace

bool send(uint32_t parts) { return send_within(parts, (parts & kReport) == 0); }

bool watches(int number) {
  return g_watching.load() && std::find(std::begin(kFatal), std::end(kFatal), number) != std::end(kFatal);
}

struct sigaction watching() {
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_ONSTACK | SA_RESTART;
  return action;
}

void show_default(struct sigaction& action) {
  if ((action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal) action = {};
}

// Gives this thread a stack for signal handlers if it has none: one that has used up its own could not run
// ours.
void lend_signal_stack() {
  constexpr std::size_t kSize = 64 << 10;
  stack_t own{};
  if (sigaltstack(nullptr, &own) != 0 || (own.ss_flags & SS_DISABLE) == 0) return;
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t lent{};
  lent.ss_sp = memory;
  lent.ss_size = kSize;
  if (sigaltstack(&lent, nullptr) != 0) munmap(memory, kSize);
}

void watch_signals() {
  if (g_watching.exchange(true)) return;
  lend_signal_stack();
  for (const int number : kFatal) {
    struct sigaction action{};
    if (sigaction(number, nullptr, &action) != 0) continue;
    if ((action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != SIG_DFL) continue;
    action = watching();
    sigaction(number, &action, nullptr);
  }
}

}  // namespace exit_notice
}  // namespace uroce::verbs
