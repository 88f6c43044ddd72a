// When to let data pile up. A target of bulk transfers that keeps up with its peer finds one datagram at a
// time: polling for each burns a core, and blocking for each costs the sender a wake-up with every send.
// Sleeping some 60 us instead, and then taking in what has come, costs neither. Right only while the peer
// goes on without our answer: so after a sleep there has to be a good deal waiting, or this ends for a while.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uroce/net/tempo.h"

namespace uroce {

class BulkPolicy {
 public:
  static constexpr uint64_t kSleep = 60'000;  // ns

  // Nothing is waiting any more. `bytes`: received in all so far. True: sleep for kSleep.
  bool sleep(uint64_t now, uint64_t bytes) {
    if (asleep_) {
      if (bytes - bytes_before_ >= kWorth) {
        bytes_before_ = bytes;
        pause_ = kShortestPause;
        return true;
      }
      asleep_ = false;
      resume_at_ = now + pause_;
      pause_ = std::min(pause_ * 2, kLongestPause);
      return false;
    }
    if (now < resume_at_) return false;
    if (now - window_start_ > paced(kWindow)) {
      window_start_ = now;
      window_bytes_ = bytes;
    }
    if (bytes - window_bytes_ < kRate) return false;
    asleep_ = true;
    bytes_before_ = bytes;
    return true;
  }

 private:
  static constexpr uint64_t kWorth = 96 * 1024;  // bytes that should wait after a sleep
  static constexpr uint64_t kRate = 256 * 1024;  // bytes in one window that make it bulk
  static constexpr uint64_t kWindow = 250'000;   // ns
  static constexpr uint64_t kShortestPause = 2'000'000, kLongestPause = 100'000'000;  // ns
  bool asleep_ = false;
  uint64_t bytes_before_ = 0;
  uint64_t window_start_ = 0;
  uint64_t window_bytes_ = 0;
  uint64_t resume_at_ = 0;
  uint64_t pause_ = kShortestPause;
};

}  // namespace uroce
