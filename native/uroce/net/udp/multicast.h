// Sockets for multicast groups: one per group, bound to the group's address, so that every process of the host
// that has joined gets a copy of what is sent to it, under any user (SO_REUSEADDR), and of no other traffic.
//
// A RoCE v2 multicast GID is the IP group itself: ::ffff:239.1.2.3 is IPv4's 239.1.2.3, ff0e::1 IPv6's.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "uroce/net/host/address.h"
#include "uroce/net/host/unique_fd.h"
#include "uroce/net/udp/udp_socket.h"

namespace uroce::net {

class MulticastSockets {
 public:
  MulticastSockets(const AddressPlan& plan, const UdpFeatures& features) : plan_(plan), features_(features) {}

  // Joins on every interface of the device; the socket. EADDRNOTAVAIL when the device has no address of the
  // group's family, else what the kernel says (ENODEV, ENOBUFS, EMFILE ...).
  std::expected<int, int> join(const Gid& group);
  // Leaves and closes the socket; nothing if it was not joined.
  void leave(const Gid& group);
  // The socket, or -1.
  int socket(const Gid& group) const;
  // Readable when one of the sockets is; -1 before the first join.
  int fd() const { return epoll_.get(); }

 private:
  struct Member {
    Gid group;
    UniqueFd fd;
  };
  int enter(int fd, const Gid& group, const LocalAddress& local) const;

  const AddressPlan& plan_;
  const UdpFeatures& features_;
  UniqueFd epoll_;
  std::vector<Member> members_;
};

}  // namespace uroce::net
