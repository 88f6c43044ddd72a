#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "confine/confine.h"

namespace vlconfine {
namespace {

constexpr rlim_t kOpenFiles = 128;

// Report of the child to its launcher, in memory that both map.
struct Report {
  int listener;
  char failure[512];
};

void limit(int what, rlim_t value) {
  const rlimit both{value, value};
  if (setrlimit(static_cast<__rlimit_resource>(what), &both) != 0) fail("setrlimit");
}

// Drops all capabilities: not even root keeps one, nor gets one by executing a program.
void drop_capabilities() {
  for (int one = 0; prctl(PR_CAPBSET_READ, one, 0, 0, 0) >= 0; ++one) prctl(PR_CAPBSET_DROP, one, 0, 0, 0);
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2]{};
  if (syscall(SYS_capset, &header, none) != 0) fail("capset");
}

void become(const Options& options, bool isolated, Report* report, int told, int go) {
  const pid_t launcher = getppid();
  setsid();
  // Not half-isolated: the device would be in a network without an address, as an unknown user.
  if (isolated && !isolate_network()) fail("a network for the program");
  drop_capabilities();
  // Must follow the change of credentials, which clears it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(125);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, options.cpu_seconds + 2);
  limit(RLIMIT_FSIZE, options.files_bytes);
  limit(RLIMIT_NOFILE, kOpenFiles);
  if (chdir(options.folder.c_str()) != 0) fail("chdir to " + options.folder);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs");
  restrict_files(options);
  report->listener = install_filter(options.compiler);
  // No calls that the filter asks about, until the launcher listens.
  char byte = 0;
  if (write(told, &byte, 1) != 1 || read(go, &byte, 1) != 1) _exit(125);
  execve(options.command[0], options.command.data(), environ);
  _exit(errno == ENOENT ? 127 : 126);
}

bool put(const char* path, const std::string& text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool done = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return done;
}

bool loopback_up() {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool done = ioctl(fd, SIOCSIFFLAGS, &request) == 0;
  close(fd);
  return done;
}

}  // namespace

bool isolate_network() {
  const auto user = std::to_string(geteuid());
  const auto group = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) != 0) return false;
  // IDs stay those outside, so that the device still takes its own files for its user's.
  return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", user + " " + user + " 1") &&
         put("/proc/self/gid_map", group + " " + group + " 1") && loopback_up();
}

bool can_isolate_network() {
  const pid_t pid = fork();
  if (pid == 0) _exit(isolate_network() ? 0 : 1);
  int status = 0;
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Child start_child(const Options& options) {
  const bool isolated = can_isolate_network();
  auto* report = static_cast<Report*>(
      mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int told[2], go[2];
  if (report == MAP_FAILED || pipe2(told, O_CLOEXEC) != 0 || pipe2(go, O_CLOEXEC) != 0) fail("pipe");
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    close(told[0]);
    close(go[1]);
    try {
      become(options, isolated, report, told[1], go[0]);
    } catch (const Error& error) {
      std::snprintf(report->failure, sizeof report->failure, "%s", error.text.c_str());
    }
    _exit(125);
  }
  close(told[1]);
  close(go[0]);
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) fail("pidfd_open");
  char byte = 0;
  if (read(told[0], &byte, 1) != 1)
    throw Error{0, report->failure[0] != '\0' ? report->failure : "the program could not be confined"};
  const int listener = static_cast<int>(syscall(SYS_pidfd_getfd, pidfd, report->listener, 0));
  if (listener < 0) {
    const int error = errno;
    kill(pid, SIGKILL);
    errno = error;
    fail("the launcher may not look into its own program (kernel.yama.ptrace_scope must be 0 or 1)");
  }
  const Child child{pid, pidfd, listener, isolated};
  if (write(go[1], &byte, 1) != 1) fail("write");
  close(told[0]);
  close(go[1]);
  munmap(report, sizeof(Report));
  return child;
}

}  // namespace vlconfine
