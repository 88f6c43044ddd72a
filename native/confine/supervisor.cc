#include "confine/supervisor.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "confine/failure.h"
#include "confine/judge.h"
#include "confine/usage.h"

namespace vlconfine {
namespace {

constexpr double kLookSeconds = 0.02;
// Reading a folder costs more than reading /proc.
constexpr double kFilesSeconds = 0.1;
constexpr unsigned kThreads = 128;

double now() {
  timespec ts{};
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return static_cast<double>(ts.tv_sec) + static_cast<double>(ts.tv_nsec) / 1e9;
}

template <class... F>
struct Cases : F... {
  using F::operator()...;
};

class Supervisor {
 public:
  Supervisor(const Options& options, const Child& child)
      : options_(options),
        child_(child),
        target_(child.pid, child.pidfd),
        judge_(options, target_, child.network) {
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes_) != 0) fail("seccomp");
    sizes_.seccomp_notif = std::max<uint16_t>(sizes_.seccomp_notif, sizeof(seccomp_notif));
    sizes_.seccomp_notif_resp = std::max<uint16_t>(sizes_.seccomp_notif_resp, sizeof(seccomp_notif_resp));
  }

  End run() {
    double look = begin_, files = begin_;
    for (;;) {
      pollfd waits[] = {{child_.pidfd, POLLIN, 0}, {child_.listener, POLLIN, 0}};
      poll(waits, 2, static_cast<int>(kLookSeconds * 1000));
      if ((waits[1].revents & POLLIN) != 0) answer();
      // All calls were answered once there is no more process to make one.
      if ((waits[1].revents & POLLHUP) != 0) child_.listener = -1;
      if ((waits[0].revents & POLLIN) != 0) break;
      const double at = now();
      if (at - look < kLookSeconds) continue;
      look = at;
      limits(at);
      if (at - files < kFilesSeconds) continue;
      files = at;
      sizes();
    }
    sizes();
    int status = 0;
    while (waitpid(child_.pid, &status, 0) < 0)
      if (errno != EINTR) fail("waitpid");
    if (WIFSIGNALED(status) && verdict_.stopped.empty()) explain(WTERMSIG(status));
    return {status, verdict_};
  }

 private:
  void stop(const Verdict& verdict) {
    if (!verdict_.stopped.empty()) return;
    verdict_ = verdict;
    // With all that it started, which only a compiler may.
    kill(options_.compiler ? -child_.pid : child_.pid, SIGKILL);
  }

  void limits(double at) {
    const Usage usage = usage_of(child_.pid);
    if (usage.cpu_seconds > options_.cpu_seconds) stop({"cpu", "", "", options_.cpu_seconds});
    if (at - begin_ > options_.seconds) stop({"time", "", "", options_.seconds});
    if (usage.resident_bytes > options_.memory_bytes) stop({"memory", "", "", options_.memory_bytes >> 20});
    if (usage.threads > kThreads) stop({"fork", "clone of thread " + std::to_string(usage.threads), "", 0});
  }

  void sizes() {
    if (files_of(child_.pid, options_.folder, options_.files_bytes) > options_.files_bytes)
      stop({"files", "", "", options_.files_bytes >> 20});
    if (rings_of(child_.pid) > options_.memory_bytes) stop({"memory", "", "", options_.memory_bytes >> 20});
  }

  // The kernel's own limits end a program by a signal.
  void explain(int signal) {
    if (signal == SIGXFSZ) verdict_ = {"files", "", "", options_.files_bytes >> 20};
    if (signal == SIGXCPU) verdict_ = {"cpu", "", "", options_.cpu_seconds};
  }

  void answer() {
    std::vector<char> room(sizes_.seccomp_notif);
    auto* asked = reinterpret_cast<seccomp_notif*>(room.data());
    if (ioctl(child_.listener, SECCOMP_IOCTL_NOTIF_RECV, asked) != 0) return;
    Ruling ruling = judge_.rule(asked->data);
    // The process may have gone while it was looked into.
    if (ioctl(child_.listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id) != 0) {
      if (const auto* open = std::get_if<Open>(&ruling)) close(open->fd);
      return;
    }
    std::vector<char> reply(sizes_.seccomp_notif_resp);
    auto* answer = reinterpret_cast<seccomp_notif_resp*>(reply.data());
    answer->id = asked->id;
    const bool answered =
        std::visit(Cases{[&](Pass) {
                           answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
                           return false;
                         },
                         [&](Refuse refuse) {
                           answer->error = -refuse.error;
                           return false;
                         },
                         [&](Done) { return false; }, [&](Open open) { return give(asked->id, open.fd); },
                         [&](const Verdict& verdict) {
                           stop(verdict);
                           answer->error = -EPERM;
                           return false;
                         }},
                   ruling);
    if (!answered) ioctl(child_.listener, SECCOMP_IOCTL_NOTIF_SEND, answer);
  }

  // False: the call is still to be answered.
  bool give(uint64_t id, int fd) {
    seccomp_notif_addfd add{};
    add.id = id;
    add.srcfd = static_cast<uint32_t>(fd);
    add.newfd_flags = O_CLOEXEC;
    add.flags = SECCOMP_ADDFD_FLAG_SEND;
    const bool given = ioctl(child_.listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) >= 0;
    close(fd);
    return given;
  }

  const Options& options_;
  Child child_;
  Target target_;
  Judge judge_;
  seccomp_notif_sizes sizes_{};
  Verdict verdict_;
  const double begin_ = now();
};

}  // namespace

End supervise(const Options& options, const Child& child) { return Supervisor(options, child).run(); }

}  // namespace vlconfine
