#include "uroce/net/share/forked.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "uroce/net/host/address.h"
#include "uroce/net/share/share_message.h"

namespace uroce::net {
namespace {

bool is_name_of_ours(const sockaddr_storage& address, socklen_t length) {
  const auto& name = reinterpret_cast<const sockaddr_un&>(address);
  constexpr std::size_t kBegin = sizeof share::kNamesBegin - 1;
  return length > offsetof(sockaddr_un, sun_path) + 1 + kBegin && name.sun_path[0] == '\0' &&
         std::memcmp(name.sun_path + 1, share::kNamesBegin, kBegin) == 0;
}

// A table would miss a socket that another thread was about to add. So each socket is recognized by its
// name, its peer's name, or its port.
bool is_ours(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) return false;
  if (address.ss_family == AF_UNIX) {
    if (is_name_of_ours(address, length)) return true;
    length = sizeof address;
    return getpeername(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0 &&
           is_name_of_ours(address, length);
  }
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_DGRAM) return false;
  // Both families keep the port in the same place.
  return (address.ss_family == AF_INET || address.ss_family == AF_INET6) &&
         reinterpret_cast<const sockaddr_in&>(address).sin_port == htons(wire::kRocePort);
}

}  // namespace

// The child's copy of the parent's memory still names these descriptors, and the program's files must not
// get their numbers. So each is replaced by a descriptor that can do nothing.
void close_inherited_sockets() {
  DIR* all = opendir("/proc/self/fd");
  if (all == nullptr) return;
  const int inert = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  while (const dirent* entry = readdir(all)) {
    char* end = nullptr;
    const auto fd = static_cast<int>(std::strtol(entry->d_name, &end, 10));
    if (end == entry->d_name || !is_ours(fd)) continue;
    if (inert < 0 || dup3(inert, fd, O_CLOEXEC) < 0) close(fd);
  }
  closedir(all);
  if (inert >= 0) close(inert);
}

}  // namespace uroce::net
