#include "confine/network.h"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace vlconfine {
namespace {

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
  // The same ids as outside, so that the device still takes its own files for its user's.
  return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", user + " " + user + " 1") &&
         put("/proc/self/gid_map", group + " " + group + " 1") && loopback_up();
}

bool can_isolate_network() {
  const pid_t pid = fork();
  if (pid == 0) _exit(isolate_network() ? 0 : 1);
  int status = 0;
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace vlconfine
