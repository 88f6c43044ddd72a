// What sends and receives of the sockets share.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>

namespace uroce::net {

// Bytes of the control messages of one datagram.
inline constexpr std::size_t kControl = CMSG_SPACE(sizeof(int)) * 4;

// System calls without the C library's wrapper, which makes each of these a cancellation point: two atomic
// operations in a process with threads, on the way of every message.
template <class... Arguments>
ssize_t call(long number, Arguments... arguments) {
  return syscall(number, arguments...);
}

}  // namespace uroce::net
