#include "uroce/net/share/gsi_lease.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "uroce/net/share/share_message.h"

namespace uroce::net {
namespace {

// Neither side writes: whatever can be read is the end.
bool ended(const UniqueFd& connection) {
  char byte;
  const ssize_t n = recv(connection.get(), &byte, 1, MSG_DONTWAIT);
  return n >= 0 || (errno != EAGAIN && errno != EINTR);
}

}  // namespace

void GsiLease::contend() {
  holder_.reset();
  // The name may be given up between our two calls.
  for (int i = 0; i < 20; ++i) {
    if (share::listen_abstract(name_, &listener_) != EADDRINUSE) return;
    if (share::connect_abstract(name_, &holder_) == 0) return;
    poll(nullptr, 0, 1);
  }
}

bool GsiLease::owns(int fd) const {
  return fd == this->fd() ||
         std::ranges::any_of(contenders_, [fd](const UniqueFd& c) { return c.get() == fd; });
}

GsiLease::Served GsiLease::serve(const std::function<void(int fd)>& joined) {
  if (!listener_) return !holder_ || ended(holder_) ? Served::holder_gone : Served::done;
  std::erase_if(contenders_, ended);
  for (;;) {
    UniqueFd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) return share::out_of_descriptors(errno) ? Served::no_descriptor : Served::done;
    if (!share::same_user(fd.get())) continue;
    joined(fd.get());
    contenders_.push_back(std::move(fd));
  }
}

}  // namespace uroce::net
