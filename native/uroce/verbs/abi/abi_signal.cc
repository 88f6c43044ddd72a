// Functions that set what signals do, in front of the C library's: SIGSEGV and SIGBUS (fault_catcher.h),
// and the default of those that end a process (exit_notice.h).
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>

#include "uroce/verbs/device/exit_notice.h"
#include "uroce/verbs/device/fault_catcher.h"

namespace {

namespace exit_notice = uroce::verbs::exit_notice;
using Handler = void (*)(int);

bool keeps(int number) { return uroce::verbs::fault_catcher::keeps(number) || exit_notice::watches(number); }

bool is_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

int set_action(int number, const struct sigaction* set, struct sigaction* old) {
  struct sigaction watching;
  if (set != nullptr && exit_notice::watches(number) && is_default(*set)) {
    watching = exit_notice::watching();
    set = &watching;
  }
  const int error = uroce::verbs::fault_catcher::action(number, set, old);
  if (error == 0 && old != nullptr) exit_notice::show_default(*old);
  return error;
}

Handler set_handler(int number, Handler handler, int flags) {
  struct sigaction action{}, old{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if ((flags & SA_NODEFER) == 0) sigaddset(&action.sa_mask, number);
  return set_action(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

Handler next(const char* name, int number, Handler handler) {
  const auto function = reinterpret_cast<Handler (*)(int, Handler)>(dlsym(RTLD_NEXT, name));
  if (function != nullptr) return function(number, handler);
  errno = ENOSYS;
  return SIG_ERR;
}

constexpr int kBsd = SA_RESTART;
constexpr int kSystemV = SA_RESETHAND | SA_NODEFER;

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int sigaction(int number, const struct sigaction* set, struct sigaction* old) noexcept {
  return set_action(number, set, old);
}

Handler signal(int number, Handler handler) noexcept {
  return keeps(number) ? set_handler(number, handler, kBsd) : next("signal", number, handler);
}

Handler bsd_signal(int number, Handler handler) noexcept {
  return keeps(number) ? set_handler(number, handler, kBsd) : next("bsd_signal", number, handler);
}

Handler sysv_signal(int number, Handler handler) noexcept {
  return keeps(number) ? set_handler(number, handler, kSystemV) : next("sysv_signal", number, handler);
}

Handler __sysv_signal(int number, Handler handler) noexcept {
  return keeps(number) ? set_handler(number, handler, kSystemV) : next("__sysv_signal", number, handler);
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return uroce::verbs::fault_catcher::mask(how, set, old);
}

int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  const int error = uroce::verbs::fault_catcher::mask(how, set, old);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // extern "C"
