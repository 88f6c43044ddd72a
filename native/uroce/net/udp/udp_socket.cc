#include "uroce/net/udp/udp_socket.h"

#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "uroce/net/udp/sender_filter.h"
#include "uroce/net/udp/udp_socket.h"

namespace uroce::net {
namespace {

bool set_int(int fd, int level, int option, int value) {
  return setsockopt(fd, level, option, &value, sizeof value) == 0;
}

// True if one send of `segments` one-byte segments leaves in one piece.
bool can_segment(int fd, const sockaddr* to, socklen_t length, uint32_t segments) {
  uint8_t data[128]{};
  iovec iov{data, segments};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(uint16_t))]{};
  msghdr message{};
  message.msg_name = const_cast<sockaddr*>(to);
  message.msg_namelen = length;
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_UDP;
  c->cmsg_type = UDP_SEGMENT;
  c->cmsg_len = CMSG_LEN(sizeof(uint16_t));
  const uint16_t one = 1;
  std::memcpy(CMSG_DATA(c), &one, sizeof one);
  return sendmsg(fd, &message, MSG_DONTWAIT) == static_cast<ssize_t>(segments);
}

bool env_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

}  // namespace

UdpFeatures probe_udp_features() {
  UdpFeatures features;
  for (int family : {AF_INET, AF_INET6}) {
    UniqueFd fd(socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) continue;
    sockaddr_storage self{};
    socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    self.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET) {
      reinterpret_cast<sockaddr_in*>(&self)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      reinterpret_cast<sockaddr_in6*>(&self)->sin6_addr = in6addr_loopback;
    }
    auto* address = reinterpret_cast<sockaddr*>(&self);
    if (bind(fd.get(), address, length) != 0 || getsockname(fd.get(), address, &length) != 0) continue;
    features.gro = !env_set("UROCE_NO_GRO") && set_int(fd.get(), SOL_UDP, UDP_GRO, 1);
    if (!env_set("UROCE_NO_GSO")) {
      for (uint32_t segments : {128u, 64u}) {
        if (can_segment(fd.get(), address, length, segments)) {
          features.gso = true;
          features.max_segments = segments;
          break;
        }
      }
    }
    return features;
  }
  return features;
}

int configure_udp_socket(int fd, const LocalAddress& local, const UdpFeatures& features) {
  if (is_ipv4(local.gid)) {
    if (!set_int(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO)) return errno;
    set_int(fd, IPPROTO_IP, IP_RECVTOS, local.loopback ? 0 : 1);
    set_int(fd, IPPROTO_IP, IP_RECVTTL, 0);
    // Multicast leaves where the address is, also where no route says so (loopback).
    ip_mreqn out{};
    std::memcpy(&out.imr_address, &local.gid[12], 4);
    out.imr_ifindex = static_cast<int>(if_nametoindex(local.interface.c_str()));
    setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &out, sizeof out);
  } else {
    set_int(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO);
    // rxe sends UDP checksum 0, which IPv6 forbids by default.
    set_int(fd, SOL_UDP, UDP_NO_CHECK6_RX, 1);
    set_int(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, local.loopback ? 0 : 1);
    set_int(fd, IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 0);
    set_int(fd, IPPROTO_IPV6, IPV6_FLOWINFO, 0);
    // The destination address carries the flow label of the address handle.
    set_int(fd, IPPROTO_IPV6, IPV6_FLOWINFO_SEND, 1);
    set_int(fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(if_nametoindex(local.interface.c_str())));
  }
  set_int(fd, SOL_UDP, UDP_GRO, features.gro ? 1 : 0);
  // See UdpLink: the last owner may have set these.
  set_int(fd, SOL_UDP, UDP_SEGMENT, 0);
  detach_filter(fd);
  // UROCE_RCVBUF shrinks it, to see how the device behaves where net.core.rmem_max is small.
  const char* wanted = std::getenv("UROCE_RCVBUF");
  const int bytes = wanted != nullptr ? std::atoi(wanted) : 0;
  set_int(fd, SOL_SOCKET, SO_RCVBUF, bytes > 0 ? bytes : kReceiveBufferWanted);
  set_int(fd, SOL_SOCKET, SO_SNDBUF, kReceiveBufferWanted);
  return 0;
}

void show_marks(int fd, bool ipv4) {
  ipv4 ? set_int(fd, IPPROTO_IP, IP_RECVTOS, 1) : set_int(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
}

void show_ip_headers(int fd, bool ipv4) {
  show_marks(fd, ipv4);
  if (ipv4) {
    set_int(fd, IPPROTO_IP, IP_RECVTTL, 1);
  } else {
    set_int(fd, IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 1);
    set_int(fd, IPPROTO_IPV6, IPV6_FLOWINFO, 1);
  }
}

uint8_t default_hop_limit(int fd, bool ipv4) {
  int value = 0;
  socklen_t length = sizeof value;
  const int error = ipv4 ? getsockopt(fd, IPPROTO_IP, IP_TTL, &value, &length)
                         : getsockopt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS, &value, &length);
  return static_cast<uint8_t>(error == 0 && value > 0 && value < 256 ? value : 64);
}

std::expected<UniqueFd, int> open_udp_socket(const LocalAddress& local, const UdpFeatures& features) {
  const int family = is_ipv4(local.gid) ? AF_INET : AF_INET6;
  UniqueFd fd(socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return std::unexpected(errno);
  if (!set_int(fd.get(), SOL_SOCKET, SO_REUSEPORT, 1)) return std::unexpected(errno);
  if (family == AF_INET6 && !set_int(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, 1)) return std::unexpected(errno);
  if (const int error = configure_udp_socket(fd.get(), local, features); error != 0)
    return std::unexpected(error);
  sockaddr_storage address;
  const socklen_t length = to_sockaddr(local.gid, local.scope_id, &address);
  if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) return std::unexpected(errno);
  return fd;
}

uint32_t granted_receive_buffer(int fd) {
  int bytes = 0;
  socklen_t length = sizeof bytes;
  if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &length) != 0 || bytes < 0) return 0;
  return static_cast<uint32_t>(bytes);
}

std::array<uint32_t, SK_MEMINFO_VARS> socket_memory(int fd) {
  std::array<uint32_t, SK_MEMINFO_VARS> info{};
  socklen_t length = sizeof info;
  getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info.data(), &length);
  return info;
}

uint32_t overrun_datagrams(int fd) { return socket_memory(fd)[SK_MEMINFO_DROPS]; }

void drain_socket(int fd) {
  char byte;
  // Bounded: a sender may be filling the queue while we empty it.
  for (int i = 0; i < 100'000; ++i) {
    if (recv(fd, &byte, 1, MSG_DONTWAIT | MSG_TRUNC) < 0 && errno != EINTR) return;
  }
}

}  // namespace uroce::net
