#include "uroce/net/share/share_message.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "uroce/net/share/user_key.h"
#include "uroce/process_stat.h"

namespace uroce::net::share {
namespace {

// Checks of a name that is bound and does not listen yet, or whose backlog is full, a millisecond apart.
constexpr int kTries = 20;
// Generations that one call may end. No other user has seen a tag of a generation that has just begun.
constexpr int kGenerations = 8;

socklen_t abstract_address(const std::string& name, sockaddr_un* out) {
  std::memset(out, 0, sizeof *out);
  out->sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof out->sun_path - 1);
  std::memcpy(out->sun_path + 1, name.data(), length);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

std::optional<ucred> credentials(int fd) {
  ucred peer{};
  socklen_t length = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return std::nullopt;
  return peer;
}

UniqueFd new_socket() { return UniqueFd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

int listen_at(const std::string& name, UniqueFd* out) {
  UniqueFd fd = new_socket();
  if (!fd) return errno;
  sockaddr_un address;
  const socklen_t length = abstract_address(name, &address);
  if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) return errno;
  if (listen(fd.get(), 128) != 0) return errno;
  *out = std::move(fd);
  return 0;
}

int connect_at(const std::string& name, UniqueFd* out) {
  UniqueFd fd = new_socket();
  if (!fd) return errno;
  sockaddr_un address;
  const socklen_t length = abstract_address(name, &address);
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) return errno;
  *out = std::move(fd);
  return 0;
}

// True if a process of this user has the name, of that generation.
bool held_by_us(const std::string& name, uint32_t generation) {
  UniqueFd connection;
  return connect_at(tagged(name, generation), &connection) == 0 && same_user(connection.get());
}

// True if a name that is in use, whose owner may be about to listen, is this user's.
bool is_ours(const std::string& name, uint32_t generation, std::string* other) {
  *other = "another user";
  for (int attempt = 0; attempt < kTries; ++attempt) {
    UniqueFd connection;
    if (connect_at(tagged(name, generation), &connection) == 0) {
      const auto peer = credentials(connection.get());
      if (peer && peer->uid == geteuid()) return true;
      if (peer) *other = "user " + std::to_string(peer->uid) + " (process " + std::to_string(peer->pid) + ")";
      return false;
    }
    poll(nullptr, 0, 1);
  }
  return false;
}

// Only the first owner is named: more lines would tell the reader nothing new.
void warn_of_owner(const std::string& other) {
  static std::atomic<bool> warned = false;
  if (warned.exchange(true)) return;
  std::fprintf(
      stderr,
      "uroce: %s holds a name of this device, which was free again for a moment. The device takes other "
      "names. End that process if it is not meant to do so.\n",
      other.c_str());
}

}  // namespace

int send_message(int fd, const Header& header, const int* fds) {
  Header copy = header;
  iovec iov{&copy, sizeof copy};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxFds)];
  msghdr message{};
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  if (fds != nullptr && header.count > 0) {
    const std::size_t bytes = sizeof(int) * header.count;
    std::memset(control, 0, sizeof control);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(c), fds, bytes);
  }
  return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof copy) ? 0 : errno;
}

int receive_message(int fd, Message* out) {
  iovec iov{&out->header, sizeof out->header};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxFds)];
  msghdr message{};
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  out->fds.clear();
  const ssize_t n = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (n < 0) return errno;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int received;
      std::memcpy(&received, CMSG_DATA(c) + i * sizeof(int), sizeof received);
      out->fds.emplace_back(received);
    }
  }
  if (n == 0) return EPIPE;
  const Header expected;
  if (n != static_cast<ssize_t>(sizeof out->header) || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 ||
      out->header.magic != expected.magic || out->header.version != expected.version) {
    return EPROTO;
  }
  if (out->header.type != Type::fetch && out->header.count != out->fds.size()) return EPROTO;
  return 0;
}

int listen_abstract(const std::string& name, UniqueFd* out) {
  for (int begun = 0; begun <= kGenerations; ++begun) {
    const uint32_t now = generation();
    UniqueFd fd;
    const int error = listen_at(tagged(name, now), &fd);
    if (error == EADDRINUSE) {
      std::string other;
      if (is_ours(name, now, &other)) return EADDRINUSE;
      warn_of_owner(other);
      end_generation(now);
      continue;
    }
    if (error != 0) return error;
    // Two processes of this user cannot both succeed. The one that ended a generation checks the earlier names
    // afterwards, and the one that took an earlier name sees below that its generation has ended.
    for (uint32_t earlier = 0; earlier < now; ++earlier) {
      if (held_by_us(name, earlier)) return EADDRINUSE;
    }
    if (generation() != now) continue;
    *out = std::move(fd);
    return 0;
  }
  return EADDRINUSE;
}

int connect_abstract(const std::string& name, UniqueFd* out) {
  int refused = ECONNREFUSED;
  for (uint32_t g = generation() + 1; g-- > 0;) {
    UniqueFd fd;
    const int error = connect_at(tagged(name, g), &fd);
    if (error == 0 && same_user(fd.get())) {
      *out = std::move(fd);
      return 0;
    }
    if (error != 0 && error != ECONNREFUSED) refused = error;
  }
  return refused;
}

bool same_user(int fd) {
  const auto peer = credentials(fd);
  return peer && peer->uid == geteuid();
}

pid_t peer_of(int fd) {
  const auto peer = credentials(fd);
  return peer ? peer->pid : 0;
}

bool process_runs(pid_t pid) {
  if (pid <= 0) return false;
  const auto stat = read_process_stat("/proc/" + std::to_string(pid));
  return stat && std::strchr("TtZXx", stat->state) == nullptr;
}

bool runs(int fd) { return process_runs(peer_of(fd)); }

std::optional<std::vector<uint32_t>> numbered_names(const std::string& prefix) {
  std::vector<std::string> names;
  if (!names_in_use(&names)) return std::nullopt;
  std::vector<uint32_t> numbers;
  for (const std::string& tagged_name : names) {
    const std::string name = untagged(tagged_name);
    if (!name.starts_with(prefix)) continue;
    const char* end = name.data() + name.size();
    uint32_t number = 0;
    const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, number);
    if (error == std::errc() && rest == end) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace uroce::net::share
