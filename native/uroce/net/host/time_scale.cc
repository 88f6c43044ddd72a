#include "uroce/net/host/time_scale.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "uroce/net/host/clock.h"
#include "uroce/net/host/unique_fd.h"
#include "uroce/wire/crc32.h"

namespace uroce::net {
namespace {

// The least of a few rounds, so that an interruption does not decide; the first ones also load the code.
uint64_t empty_poll_ns() {
  constexpr uint32_t kRounds = 8, kPolls = 4;
  const UniqueFd fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return 0;
  uint64_t least = UINT64_MAX;
  for (uint32_t round = 0; round < kRounds; ++round) {
    const uint64_t begin = monotonic_ns();
    for (uint32_t i = 0; i < kPolls; ++i) {
      char byte;
      [[maybe_unused]] const ssize_t n = recv(fd.get(), &byte, sizeof byte, MSG_DONTWAIT);
    }
    least = std::min(least, (monotonic_ns() - begin) / kPolls);
  }
  return least;
}

}  // namespace

void measure_time_scale() {
  // A plain flag will do: one thread at a time opens the device. No once_flag: a forked child may inherit
  // one in progress.
  static bool measured = false;
  if (measured) return;
  time_scale_detail::scale =
      time_scale_of({empty_poll_ns(), wire::crc_time(&wire::crc_update_isal, &monotonic_ns) / 2});
  measured = true;
}

}  // namespace uroce::net
