#include "confine/inspect.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/network.h"

namespace vlconfine {
namespace {

bool read_from(pid_t pid) {
  // At the same address as here: the child is a copy.
  static const int there = 1;
  int here = 0;
  const iovec local{&here, sizeof here};
  const iovec remote{const_cast<int*>(&there), sizeof there};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) == sizeof here;
}

bool take_from(pid_t pid, int descriptor) {
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) return false;
  const int copy = static_cast<int>(syscall(SYS_pidfd_getfd, pidfd, descriptor, 0));
  close(pidfd);
  if (copy >= 0) close(copy);
  return copy >= 0;
}

}  // namespace

bool can_inspect() {
  const bool isolated = can_isolate_network();
  int told[2];
  if (pipe(told) != 0) return false;
  const pid_t pid = fork();
  if (pid == 0) {
    if (isolated) isolate_network();
    char byte = 0;
    if (write(told[1], &byte, 1) == 1) pause();
    _exit(1);
  }
  char byte = 0;
  const bool able = pid > 0 && read(told[0], &byte, 1) == 1 && read_from(pid) && take_from(pid, told[1]);
  close(told[0]);
  close(told[1]);
  if (pid > 0) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  return able;
}

}  // namespace vlconfine
