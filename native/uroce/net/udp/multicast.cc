#include "uroce/net/udp/multicast.h"

#include <net/if.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace uroce::net {

// 0 or errno. The same interface twice is no error.
int MulticastSockets::enter(int fd, const Gid& group, const LocalAddress& local) const {
  const unsigned index = if_nametoindex(local.interface.c_str());
  int result;
  if (is_ipv4(group)) {
    ip_mreqn request{};
    std::memcpy(&request.imr_multiaddr, &group[12], 4);
    std::memcpy(&request.imr_address, &local.gid[12], 4);
    request.imr_ifindex = static_cast<int>(index);
    result = setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof request);
  } else {
    ipv6_mreq request{};
    std::memcpy(&request.ipv6mr_multiaddr, group.data(), group.size());
    request.ipv6mr_interface = index;
    result = setsockopt(fd, IPPROTO_IPV6, IPV6_JOIN_GROUP, &request, sizeof request);
  }
  return result == 0 || errno == EADDRINUSE ? 0 : errno;
}

std::expected<int, int> MulticastSockets::join(const Gid& group) {
  if (const int known = socket(group); known >= 0) return known;
  const bool v4 = is_ipv4(group);
  std::vector<const LocalAddress*> locals;
  for (const LocalAddress& local : plan_.gids) {
    if (!is_zero(local.gid) && is_ipv4(local.gid) == v4) locals.push_back(&local);
  }
  if (locals.empty()) return std::unexpected(EADDRNOTAVAIL);
  if (!epoll_) epoll_.reset(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return std::unexpected(errno);

  UniqueFd fd(::socket(v4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return std::unexpected(errno);
  const int one = 1, zero = 0;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (!v4) setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
  // Only what this very socket has joined.
  if (v4) setsockopt(fd.get(), IPPROTO_IP, IP_MULTICAST_ALL, &zero, sizeof zero);
  LocalAddress local = *locals.front();
  local.gid = group;
  if (const int error = configure_udp_socket(fd.get(), local, features_); error != 0)
    return std::unexpected(error);
  sockaddr_storage address;
  const socklen_t length = to_sockaddr(group, if_nametoindex(local.interface.c_str()), &address);
  if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) return std::unexpected(errno);
  for (const LocalAddress* l : locals) {
    if (const int error = enter(fd.get(), group, *l); error != 0) return std::unexpected(error);
  }
  epoll_event event{};
  event.events = EPOLLIN;
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event) != 0) return std::unexpected(errno);
  members_.push_back({group, std::move(fd)});
  return members_.back().fd.get();
}

void MulticastSockets::leave(const Gid& group) {
  std::erase_if(members_, [&](const Member& m) { return m.group == group; });
}

int MulticastSockets::socket(const Gid& group) const {
  const auto member =
      std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.group == group; });
  return member == members_.end() ? -1 : member->fd.get();
}

}  // namespace uroce::net
