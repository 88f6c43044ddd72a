#include "uroce/verbs/device/restart.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

namespace uroce::verbs {
namespace {

// A thread raises these by what it does itself, and a waiting thread does nothing. Sanitizers and runtimes
// handle them without SA_RESTART.
bool is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP ||
         signal == SIGSYS || signal == SIGABRT;
}

}  // namespace

bool restarts_after_signal() {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action;
    // The C library keeps two signals for itself.
    if (is_fault(signal) || sigismember(&blocked, signal) == 1 || sigaction(signal, nullptr, &action) != 0)
      continue;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) continue;
    if ((action.sa_flags & SA_RESTART) == 0) return false;
  }
  return true;
}

bool wait_readable(int fd) {
  pollfd wanted{fd, POLLIN, 0};
  while (poll(&wanted, 1, -1) < 0) {
    if (errno != EINTR) return false;
    if (!restarts_after_signal()) {
      errno = EINTR;
      return false;
    }
  }
  return true;
}

}  // namespace uroce::verbs
