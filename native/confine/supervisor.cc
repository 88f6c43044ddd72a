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
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "confine/confine.h"
#include "confine/judge.h"
#include "confine/usage.h"
#include "uroce/clock.h"
#include "uroce/json.h"

namespace vlconfine {
namespace {

constexpr double kLookSeconds = 0.02;
// Reading a folder costs more than reading /proc.
constexpr double kFilesSeconds = 0.1;
constexpr unsigned kThreads = 128;
constexpr uint32_t kCarryOut = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
// Calls reported at most: more would say nothing new.
constexpr size_t kTried = 16;

double now() { return static_cast<double>(uroce::monotonic_ns()) / 1e9; }  // seconds

template <class... F>
struct Cases : F... {
  using F::operator()...;
};

void send_reply(int listener, size_t size, uint64_t id, int error, uint32_t flags) {
  std::vector<char> room(size);
  auto* answer = reinterpret_cast<seccomp_notif_resp*>(room.data());
  answer->id = id;
  answer->error = -error;
  answer->flags = flags;
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer);
}

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
      // All calls were answered once no process is left to make one.
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
    // Processes that a compiler left behind. Until the child is waited for, its number belongs to no other
    // process.
    if (options_.compiler) kill(-child_.pid, SIGKILL);
    int status = 0;
    while (waitpid(child_.pid, &status, 0) < 0)
      if (errno != EINTR) fail("waitpid");
    if (WIFSIGNALED(status) && verdict_.stopped.empty()) explain(WTERMSIG(status));
    return {status, verdict_};
  }

 private:
  void stop(const Verdict& verdict) {
    if (!verdict_.stopped.empty()) return;
    settle(verdict);
    // Kills the program, and for a compiler all processes that it started.
    kill(options_.compiler ? -child_.pid : child_.pid, SIGKILL);
  }

  void settle(Verdict verdict) {
    verdict.tried = std::move(verdict_.tried);
    verdict_ = std::move(verdict);
  }

  // Only a compiler has several, and finding them costs more.
  std::vector<pid_t> processes() const {
    return options_.compiler ? session_of(child_.pid) : std::vector<pid_t>{child_.pid};
  }

  void limits(double at) {
    const Usage usage = usage_of(processes());
    if (usage.cpu_seconds > options_.cpu_seconds) stop({"cpu", "", "", options_.cpu_seconds});
    if (at - begin_ > options_.seconds) stop({"time", "", "", options_.seconds});
    if (usage.memory_bytes > options_.memory_bytes) stop({"memory", "", "", options_.memory_bytes >> 20});
    if (first_exit_ && usage.threads == 1) reply(*std::exchange(first_exit_, std::nullopt), 0, kCarryOut);
    if (usage.threads > kThreads) stop({"fork", "clone of thread " + std::to_string(usage.threads), "", 0});
  }

  void sizes() {
    // Descriptors in sockets: those of the device are there only for a moment.
    const uint64_t sent = options_.compiler ? 0 : descriptors_in_sockets(child_.pid);
    const uint64_t kept = std::min(sent, std::exchange(sent_, sent)) * options_.files_bytes;
    if (kept + files_of(processes(), options_.folder, options_.files_bytes) > options_.files_bytes)
      stop({"files", "", "", options_.files_bytes >> 20});
    if (rings_of(child_.pid) > options_.memory_bytes) stop({"memory", "", "", options_.memory_bytes >> 20});
  }

  // Names the limit of the kernel whose signal ended the program.
  void explain(int signal) {
    if (signal == SIGXFSZ) settle({"files", "", "", options_.files_bytes >> 20});
    if (signal == SIGXCPU) settle({"cpu", "", "", options_.cpu_seconds});
  }

  void answer() {
    std::vector<char> room(sizes_.seccomp_notif);
    auto* asked = reinterpret_cast<seccomp_notif*>(room.data());
    if (ioctl(child_.listener, SECCOMP_IOCTL_NOTIF_RECV, asked) != 0) return;
    if (asked->data.nr == SYS_exit) return exits(*asked);
    Ruling ruling = judge_.rule(asked->data);
    // The process may have gone during the checks.
    if (ioctl(child_.listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id) != 0) {
      if (const auto* open = std::get_if<Open>(&ruling)) close(open->fd);
      if (const auto* connect = std::get_if<Connect>(&ruling)) close(connect->fd);
      return;
    }
    const uint64_t id = asked->id;
    std::visit(Cases{[&](Pass) { reply(id, 0, kCarryOut); }, [&](Refuse refuse) { reply(id, refuse.error); },
                     [&](Done) { reply(id, 0); }, [&](Open open) { give(id, open.fd); },
                     [&](const Connect& connect) { connected(id, connect); },
                     [&](const Tried& tried) {
                       if (verdict_.tried.size() < kTried) verdict_.tried.insert(tried.call);
                       reply(id, tried.error);
                     },
                     [&](const Verdict& verdict) {
                       stop(verdict);
                       reply(id, EPERM);
                     }},
               ruling);
  }

  // /proc shows neither memory nor descriptors of a process whose first thread has ended, so the first
  // thread waits for the others.
  void exits(const seccomp_notif& asked) {
    if (static_cast<pid_t>(asked.pid) == child_.pid)
      first_exit_ = asked.id;
    else
      reply(asked.id, 0, kCarryOut);
  }

  void reply(uint64_t id, int error, uint32_t flags = 0) const {
    send_reply(child_.listener, sizes_.seccomp_notif_resp, id, error, flags);
  }

  // Connects in another thread: a local peer that accepts no connection, possibly the program itself, would
  // keep this thread from checking the limits. That thread ends when the peer answers or is gone, or with
  // this process.
  void connected(uint64_t id, const Connect& what) {
    const auto connect_now = [listener = child_.listener, size = sizes_.seccomp_notif_resp, id, what] {
      const int error = connect(what.fd, &what.to.any, what.length) == 0 ? 0 : errno;
      close(what.fd);
      send_reply(listener, size, id, error, 0);
    };
    if (what.to.any.sa_family != AF_UNIX) return connect_now();
    try {
      std::thread(connect_now).detach();
    } catch (const std::system_error&) {
      close(what.fd);
      reply(id, EAGAIN);
    }
  }

  void give(uint64_t id, int fd) {
    seccomp_notif_addfd add{};
    add.id = id;
    add.srcfd = static_cast<uint32_t>(fd);
    add.newfd_flags = O_CLOEXEC;
    add.flags = SECCOMP_ADDFD_FLAG_SEND;
    const bool given = ioctl(child_.listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) >= 0;
    close(fd);
    if (!given) reply(id, EMFILE);
  }

  const Options& options_;
  Child child_;
  Target target_;
  Judge judge_;
  seccomp_notif_sizes sizes_{};
  Verdict verdict_;
  std::optional<uint64_t> first_exit_;  // requested by the first thread, and not answered
  uint64_t sent_ = 0;                   // descriptors that waited in sockets at the last check
  const double begin_ = now();
};

// A JSON string with question marks for bytes that are not printable ASCII: a path may hold any bytes.
std::string quoted(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return uroce::json_quoted(text);
}

}  // namespace

std::string to_json(const Verdict& verdict, bool network) {
  std::string out = "{\"network\":" + std::string(network ? "true" : "false");
  if (!verdict.stopped.empty()) out += ",\"stopped\":" + quoted(verdict.stopped);
  if (!verdict.call.empty()) out += ",\"call\":" + quoted(verdict.call);
  if (!verdict.path.empty()) out += ",\"path\":" + quoted(verdict.path);
  if (verdict.limit != 0) out += ",\"limit\":" + std::to_string(verdict.limit);
  std::string tried;
  for (const auto& call : verdict.tried) tried += (tried.empty() ? "" : ",") + quoted(call);
  if (!tried.empty()) out += ",\"tried\":[" + tried + "]";
  return out + "}\n";
}

End supervise(const Options& options, const Child& child) { return Supervisor(options, child).run(); }

}  // namespace vlconfine
