#include "uroce/net/share/mad_forward.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "uroce/net/share/share_message.h"

namespace uroce::net {
namespace {

struct Packed {
  uint32_t magic = 0x75726d64;
  uint32_t version = 1;
  ForwardedMad mad;
};
static_assert(sizeof(Packed) == 8 + 16 + 16 + wire::kMadSize);

}  // namespace

int forward_mad(const std::string& name, const ForwardedMad& mad) {
  UniqueFd fd;
  if (const int error = share::connect_abstract(name, &fd); error != 0) return error;
  const Packed packed{.mad = mad};
  const ssize_t sent = send(fd.get(), &packed, sizeof packed, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent == static_cast<ssize_t>(sizeof packed) ? 0 : errno;
}

int receive_forwarded(int connection, ForwardedMad* out) {
  Packed packed;
  const ssize_t n = recv(connection, &packed, sizeof packed, MSG_DONTWAIT | MSG_TRUNC);
  if (n < 0) return errno == EINTR ? EAGAIN : errno;
  if (n == 0) return EPIPE;
  const Packed expected;
  if (n != static_cast<ssize_t>(sizeof packed) || packed.magic != expected.magic ||
      packed.version != expected.version) {
    return EPROTO;
  }
  *out = packed.mad;
  return 0;
}

}  // namespace uroce::net
