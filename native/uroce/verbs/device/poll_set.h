// Descriptors that a thread blocks on until one of them is ready or a deadline has come.
#pragma once

#include <poll.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

#include "uroce/net/host/clock.h"
#include "uroce/types.h"

namespace uroce::verbs {

inline constexpr uint64_t kBlockedRetry =
    200'000;  // ns: after ENOBUFS no event tells when there is room again

class PollSet {
 public:
  // Takes the next place, if there is one left. poll() ignores a negative descriptor.
  void add(int fd, short events = POLLIN) {
    if (count_ < kMax) fds_[count_++] = {fd, events, 0};
  }

  // Waits like ppoll(). The deadline is of now_ns(), or kNever.
  int wait(uint64_t deadline) {
    timespec timeout{};
    if (deadline != kNever) {
      const uint64_t now = net::now_ns();
      const uint64_t left = deadline > now ? deadline - now : 0;
      timeout = {static_cast<time_t>(left / 1'000'000'000u), static_cast<long>(left % 1'000'000'000u)};
    }
    return ppoll(fds_, count_, deadline != kNever ? &timeout : nullptr, nullptr);
  }

  // True if the descriptor that was added at this place is ready, after a wait that found something.
  bool ready(std::size_t place) const { return fds_[place].revents != 0; }

 private:
  static constexpr std::size_t kMax = 64;
  pollfd fds_[kMax];
  std::size_t count_ = 0;
};

}  // namespace uroce::verbs
