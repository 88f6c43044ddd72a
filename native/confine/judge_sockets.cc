// Rules of the judge for sockets: only local ones and those of the device.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "confine/judge.h"

namespace vlconfine {
namespace {

constexpr uint16_t kRocePort = 4791;

std::string family_of(int family) {
  switch (family) {
    case AF_UNIX:
      return "AF_UNIX";
    case AF_INET:
      return "AF_INET";
    case AF_INET6:
      return "AF_INET6";
    case AF_NETLINK:
      return "AF_NETLINK";
    case AF_PACKET:
      return "AF_PACKET";
    case AF_VSOCK:
      return "AF_VSOCK";
    default:
      return std::to_string(family);
  }
}

std::string type_of(int type) {
  switch (type & 0xf) {
    case SOCK_STREAM:
      return "SOCK_STREAM";
    case SOCK_DGRAM:
      return "SOCK_DGRAM";
    case SOCK_RAW:
      return "SOCK_RAW";
    case SOCK_SEQPACKET:
      return "SOCK_SEQPACKET";
    default:
      return std::to_string(type & 0xf);
  }
}

std::string text_of(const Address& a) {
  char text[INET6_ADDRSTRLEN] = "";
  if (a.any.sa_family == AF_INET) {
    inet_ntop(AF_INET, &a.v4.sin_addr, text, sizeof text);
    return std::string(text) + ":" + std::to_string(ntohs(a.v4.sin_port));
  }
  if (a.any.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &a.v6.sin6_addr, text, sizeof text);
    return "[" + std::string(text) + "]:" + std::to_string(ntohs(a.v6.sin6_port));
  }
  return family_of(a.any.sa_family);
}

bool is_loopback(const Address& a) {
  if (a.any.sa_family == AF_INET) return ntohl(a.v4.sin_addr.s_addr) >> 24 == 127;
  if (a.any.sa_family != AF_INET6) return false;
  const in6_addr& v6 = a.v6.sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

uint16_t port_of(const Address& a) {
  return ntohs(a.any.sa_family == AF_INET ? a.v4.sin_port : a.v6.sin6_port);
}

int family_of_socket(int fd) {
  int family = AF_UNSPEC;
  socklen_t size = sizeof family;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 ? family : AF_UNSPEC;
}

}  // namespace

// The C library and the system's verbs library try some of these by themselves and tolerate the failure.
Ruling Judge::make_socket(int family, int type) {
  if (family == AF_UNIX || family == AF_NETLINK) return Refuse{EACCES};
  return stop("socket", "socket(" + family_of(family) + ", " + type_of(type) + ")");
}

// Connects with the launcher's copy of the name and of the socket, which no other thread of the program can
// change meanwhile. The connection still belongs to the socket's network.
Ruling Judge::connect_to(const seccomp_data& call) const {
  Address to{};
  const auto length = static_cast<socklen_t>(call.args[2]);
  if (length < sizeof to.any.sa_family || length > sizeof to.room) return Refuse{EINVAL};
  if (!target_.read(call.args[1], &to, length)) return Refuse{EFAULT};
  if (std::optional<Verdict> refused = refuse_peer(to, length)) return *refused;
  const int fd = target_.descriptor(static_cast<int>(call.args[0]));
  if (fd < 0) return Refuse{EBADF};
  return Connect{fd, to, length};
}

// Binds with the launcher's copy, too. Ports that other programs of this user share are not for the
// program. A name in the file system would be created by the launcher, and no program needs one.
Ruling Judge::bind_to(const seccomp_data& call) const {
  Address to{};
  const auto length = static_cast<socklen_t>(call.args[2]);
  if (length < sizeof to.any.sa_family || length > sizeof to.room) return Refuse{EINVAL};
  if (!target_.read(call.args[1], &to, length)) return Refuse{EFAULT};
  if (to.any.sa_family == AF_UNIX) {
    const auto size = length - offsetof(sockaddr_un, sun_path);
    if (size > 0 && !reachable(to.local, size)) return Refuse{EACCES};
  }
  const int fd = target_.descriptor(static_cast<int>(call.args[0]));
  if (fd < 0) return Refuse{EBADF};
  const int family = family_of_socket(fd);
  const bool internet = family == AF_INET || family == AF_INET6;
  if (internet && to.any.sa_family == AF_UNSPEC) to.any.sa_family = static_cast<sa_family_t>(family);
  if (internet && port_of(to) != 0 && port_of(to) != kRocePort) {
    close(fd);
    return stop("socket", "bind(" + text_of(to) + ")");
  }
  const int error = bind(fd, &to.any, length) == 0 ? 0 : errno;
  close(fd);
  return error == 0 ? Ruling{Done{}} : Ruling{Refuse{error}};
}

// True for a name outside the file system that belongs to no other program: in the network of the host, a
// name of the device.
bool Judge::reachable(const sockaddr_un& name, size_t size) const {
  return size > 0 && name.sun_path[0] == '\0' &&
         (network_ || (size > 6 && std::memcmp(name.sun_path + 1, "uroce", 5) == 0));
}

std::optional<Verdict> Judge::refuse_peer(const Address& to, socklen_t length) const {
  switch (to.any.sa_family) {
    case AF_UNSPEC:
    case AF_NETLINK:
      return std::nullopt;
    case AF_INET:
    case AF_INET6:
      if (is_loopback(to)) return std::nullopt;
      return Verdict{"socket", "connect(" + text_of(to) + ")", "", 0};
    case AF_UNIX: {
      const auto size = length - offsetof(sockaddr_un, sun_path);
      if (reachable(to.local, size)) return std::nullopt;
      const bool abstract = size > 0 && to.local.sun_path[0] == '\0';
      const std::string path =
          abstract ? "" : std::string(to.local.sun_path, strnlen(to.local.sun_path, size));
      if (!path.empty() && path == options_.feed) return std::nullopt;
      return Verdict{"socket", "connect(" + path + ")", path, 0};
    }
    default:
      return Verdict{"socket", "connect(" + text_of(to) + ")", "", 0};
  }
}

// Datagrams of the device: packets to its port, and a probe that it sends to itself.
Ruling Judge::datagram(const seccomp_data& call, const char* name, uint64_t address, uint64_t length) const {
  Address to{};
  if (address == 0 || length < sizeof to.any.sa_family) return Pass{};
  if (length > sizeof to.room || !target_.read(address, &to, length)) return Pass{};
  if (to.any.sa_family == AF_UNSPEC) {
    // For an IPv4 socket AF_UNSPEC means its own family. An IPv6 socket then sends to its peer.
    const int fd = target_.descriptor(static_cast<int>(call.args[0]));
    if (fd < 0) return Refuse{EBADF};
    to.any.sa_family = static_cast<sa_family_t>(family_of_socket(fd) == AF_INET ? AF_INET : AF_UNSPEC);
    close(fd);
  }
  if (to.any.sa_family == AF_NETLINK || to.any.sa_family == AF_UNSPEC) return Pass{};
  if (is_loopback(to)) {
    if (port_of(to) == kRocePort) return Pass{};
    const int fd = target_.descriptor(static_cast<int>(call.args[0]));
    Address own{};
    socklen_t size = sizeof own;
    const bool known = fd >= 0 && getsockname(fd, &own.any, &size) == 0;
    if (fd >= 0) close(fd);
    if (known && own.any.sa_family == to.any.sa_family && port_of(own) == port_of(to)) return Pass{};
  }
  return stop("socket", std::string(name) + "(" + text_of(to) + ")");
}

Ruling Judge::message(const seccomp_data& call, const char* name) const {
  const bool many = call.nr == SYS_sendmmsg;
  const uint64_t count = many ? std::min<uint64_t>(call.args[2] & 0xffff'ffff, 1024) : 1;
  for (uint64_t i = 0; i < count; ++i) {
    msghdr head{};
    if (!target_.read(call.args[1] + i * sizeof(mmsghdr), &head, sizeof head)) return Pass{};
    Ruling one = datagram(call, name, reinterpret_cast<uint64_t>(head.msg_name), head.msg_namelen);
    if (!std::holds_alternative<Pass>(one)) return one;
  }
  return Pass{};
}

}  // namespace vlconfine
