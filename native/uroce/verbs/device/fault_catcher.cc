#include "uroce/verbs/device/fault_catcher.h"

#include <dlfcn.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "uroce/guarded.h"
#include "uroce/verbs/device/spin_lock.h"

namespace uroce::verbs::fault_catcher {
namespace {

constexpr int kCaught[] = {SIGSEGV, SIGBUS};
constexpr std::size_t kSignals = std::size(kCaught);

// The C library's functions, not this library's replacements.
template <class F>
F* next(std::atomic<F*>& known, const char* name) {
  F* function = known.load(std::memory_order_acquire);
  if (function == nullptr) {
    function = reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
    known.store(function, std::memory_order_release);
  }
  return function;
}

int real_action(int number, const struct sigaction* set, struct sigaction* old) {
  static std::atomic<decltype(::sigaction)*> known;
  return next(known, "sigaction")(number, set, old);
}

int real_mask(int how, const sigset_t* set, sigset_t* old) {
  static std::atomic<decltype(::pthread_sigmask)*> known;
  return next(known, "pthread_sigmask")(how, set, old);
}

sigset_t set_of_caught() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : kCaught) sigaddset(&set, number);
  return set;
}

// While it lives, no signal handler of this thread runs.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    real_mask(SIG_SETMASK, &all, &old_);
  }
  ~NoSignals() { real_mask(SIG_SETMASK, &old_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t old_;
};

// The program's action for one of the signals.
struct ProgramAction {
  int number;
  SpinLock lock{};  // only without signals
  struct sigaction program{};
};
ProgramAction g_program_actions[kSignals] = {{SIGSEGV, {}, {}}, {SIGBUS, {}, {}}};
std::atomic<bool> g_installed{false};
pid_t g_pid =
    0;  // the process that opened the device; a child has its own actions, and may share this memory

// Signals that the program has blocked in this thread, and that the device unblocked: a fault whose signal
// is blocked ends the process at once.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool t_unblocked[kSignals] = {};

std::size_t index_of(int number) { return number == SIGSEGV ? 0 : 1; }

bool is_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void on_fault(int number, siginfo_t* info, void* context);

// The program's handler runs inside the device's handler, with the mask and on the stack that it asked for.
void catch_with(const struct sigaction& program, int number) {
  struct sigaction action{};
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  if (is_handler(program)) {
    action.sa_flags = program.sa_flags & (SA_ONSTACK | SA_RESTART | SA_NODEFER);
    action.sa_mask = program.sa_mask;
  }
  action.sa_flags |= SA_SIGINFO;
  action.sa_sigaction = on_fault;
  real_action(number, &action, nullptr);
}

void* program_counter_after() { return reinterpret_cast<void*>(&leave_guarded); }

// Makes the thread continue behind guarded() when the handler returns.
void leave(void* context) {
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  // Below the used part of the stack, and aligned as after a call.
  constexpr uint64_t kRedZone = 256;
#if defined(__x86_64__)
  constexpr greg_t kDirection = 0x400;
  machine.gregs[REG_RSP] =
      static_cast<greg_t>(((static_cast<uint64_t>(machine.gregs[REG_RSP]) - kRedZone) & ~uint64_t{15}) - 8);
  machine.gregs[REG_RIP] = reinterpret_cast<greg_t>(program_counter_after());
  machine.gregs[REG_EFL] &= ~kDirection;
#elif defined(__aarch64__)
  machine.sp = (machine.sp - kRedZone) & ~uint64_t{15};
  machine.pc = reinterpret_cast<uint64_t>(program_counter_after());
#else
#error "Say here how a thread is made to go on at another place."
#endif
}

// Makes a short copy return false if the fault is its own. True if it was.
bool leave_short_copy([[maybe_unused]] const siginfo_t& info, [[maybe_unused]] void* context) {
#if defined(UROCE_SHORT_COPIES)
  greg_t& at = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  if (info.si_code <= 0 || at < reinterpret_cast<greg_t>(uroce_short_begin) ||
      at >= reinterpret_cast<greg_t>(uroce_short_end)) {
    return false;
  }
  t_guard.fault = reinterpret_cast<uintptr_t>(info.si_addr);
  at = reinterpret_cast<greg_t>(uroce_short_gone);
  return true;
#else
  return false;
#endif
}

// True for a fault of another copy to or from registered memory. Whole pages: the kernel may report the
// page.
bool is_ours(const siginfo_t& info) {
  if (info.si_code <= 0 || t_guard.begin == t_guard.end) return false;
  static const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<uintptr_t>(info.si_addr);
  return at >= (t_guard.begin & ~(page - 1)) && at <= ((t_guard.end - 1) | (page - 1));
}

// True if a process sent the signal, or the kernel reports a memory error that needs no action: the signal
// does not come again by itself.
bool is_sent(const siginfo_t& info) { return info.si_code <= 0 || info.si_code == BUS_MCEERR_AO; }

// Lets the default action happen, once the handler has returned.
void restore_default_action(int number, const siginfo_t& info) {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  real_action(number, &action, nullptr);
  if (is_sent(info)) raise(number);  // a fault occurs again by itself, where it happened
}

// Makes the signal pending again, since the program has blocked it.
void put_back(int number, void* context) {
  sigaddset(&static_cast<ucontext_t*>(context)->uc_sigmask, number);
  t_guard.prepared = false;
  kill(getpid(), number);
}

void pass_on(int number, siginfo_t* info, void* context) {
  if (t_unblocked[index_of(number)])
    return is_sent(*info) ? put_back(number, context) : restore_default_action(number, *info);
  ProgramAction& entry = g_program_actions[index_of(number)];
  struct sigaction program;
  {
    const NoSignals quiet;
    entry.lock.lock();
    program = entry.program;
    if ((program.sa_flags & SA_RESETHAND) != 0) entry.program = {};
    entry.lock.unlock();
  }
  if ((program.sa_flags & SA_SIGINFO) != 0) {
    program.sa_sigaction(number, info, context);
  } else if (is_handler(program)) {
    program.sa_handler(number);
  } else if (program.sa_handler == SIG_DFL || !is_sent(*info)) {
    restore_default_action(number, *info);  // a fault cannot be ignored
  }
}

void on_fault(int number, siginfo_t* info, void* context) {
  if (leave_short_copy(*info, context)) return;
  if (is_ours(*info)) {
    t_guard.fault = reinterpret_cast<uintptr_t>(info->si_addr);
    if (t_guard.fault < t_guard.begin) t_guard.fault = t_guard.begin;
    return leave(context);
  }
  const int error = errno;
  pass_on(number, info, context);
  errno = error;
}

// Enables the signals on this thread.
void prepare_thread() {
  const sigset_t caught = set_of_caught();
  sigset_t old;
  if (real_mask(SIG_UNBLOCK, &caught, &old) != 0) return;
  for (std::size_t i = 0; i < kSignals; ++i) t_unblocked[i] |= sigismember(&old, kCaught[i]) == 1;
}

}  // namespace

void install() {
  if (g_installed.load()) return;
  g_pid = getpid();
  for (ProgramAction& entry : g_program_actions) {
    const NoSignals quiet;
    entry.lock.lock();
    if (real_action(entry.number, nullptr, &entry.program) == 0) catch_with(entry.program, entry.number);
    entry.lock.unlock();
  }
  g_prepare_guard = prepare_thread;
  g_installed.store(true, std::memory_order_release);
}

// A child uses no device, so its actions are its own.
static int action_of_child(int number, const struct sigaction* set, struct sigaction* old) {
  const int error = real_action(number, set, old);
  if (error != 0 || old == nullptr) return error;
  if ((old->sa_flags & SA_SIGINFO) != 0 && old->sa_sigaction == on_fault)
    *old = g_program_actions[index_of(number)].program;
  return 0;
}

bool keeps(int number) {
  return (number == SIGSEGV || number == SIGBUS) && g_installed.load(std::memory_order_acquire);
}

int action(int number, const struct sigaction* set, struct sigaction* old) {
  if (!keeps(number)) return real_action(number, set, old);
  if (getpid() != g_pid) return action_of_child(number, set, old);
  struct sigaction wanted{}, before;
  if (set != nullptr) wanted = *set;  // a bad pointer faults here, before anything is locked
  ProgramAction& entry = g_program_actions[index_of(number)];
  {
    const NoSignals quiet;
    entry.lock.lock();
    before = entry.program;
    if (set != nullptr) {
      entry.program = wanted;
      catch_with(wanted, number);
    }
    entry.lock.unlock();
  }
  if (old != nullptr) *old = before;
  return 0;
}

int mask(int how, const sigset_t* set, sigset_t* old) {
  bool unblocked[kSignals];
  for (std::size_t i = 0; i < kSignals; ++i) unblocked[i] = t_unblocked[i];
  const int error = real_mask(how, set, old);
  if (error != 0) return error;
  for (std::size_t i = 0; i < kSignals; ++i) {
    if (old != nullptr && unblocked[i]) sigaddset(old, kCaught[i]);
    if (set == nullptr) continue;
    if (how == SIG_SETMASK || (how == SIG_UNBLOCK && sigismember(set, kCaught[i]) == 1))
      t_unblocked[i] = false;
    if (how != SIG_UNBLOCK) t_guard.prepared = false;
  }
  return 0;
}

}  // namespace uroce::verbs::fault_catcher
