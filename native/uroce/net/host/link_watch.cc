#include "uroce/net/host/link_watch.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cerrno>

namespace uroce::net {

LinkWatch::LinkWatch() : fd_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE)) {
  if (!fd_) return;
  sockaddr_nl self{};
  self.nl_family = AF_NETLINK;
  self.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
  if (bind(fd_.get(), reinterpret_cast<const sockaddr*>(&self), sizeof self) != 0) fd_.reset();
}

bool LinkWatch::drain() {
  bool any = false;
  char message[64];  // the rest of each is dropped
  for (;;) {
    const ssize_t n = recv(fd_.get(), message, sizeof message, 0);
    if (n < 0 && errno == EINTR) continue;
    // ENOBUFS: messages were lost, so something has changed.
    if (n < 0 && errno != ENOBUFS) return any;
    any = true;
  }
}

}  // namespace uroce::net
