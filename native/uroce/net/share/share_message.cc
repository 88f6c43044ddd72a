#include "uroce/net/share/share_message.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <fstream>

#include "uroce/net/share/user_key.h"

namespace uroce::net::share {
namespace {

socklen_t abstract_address(const std::string& plain, sockaddr_un* out) {
  const std::string name = tagged(plain);
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
  UniqueFd fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return errno;
  sockaddr_un address;
  const socklen_t length = abstract_address(name, &address);
  if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) return errno;
  if (listen(fd.get(), 128) != 0) return errno;
  *out = std::move(fd);
  return 0;
}

int connect_abstract(const std::string& name, UniqueFd* out) {
  UniqueFd fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return errno;
  sockaddr_un address;
  const socklen_t length = abstract_address(name, &address);
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) return errno;
  if (!same_user(fd.get())) return EPERM;
  *out = std::move(fd);
  return 0;
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
  // proc(5): the name in parentheses, which may hold any character, then the state.
  std::string stat;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), stat);
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return false;
  return std::strchr("TtZXx", stat[name_end + 2]) == nullptr;
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
