// The window after an ACK timeout. Either packets were lost, or the path is so slow that sending the whole window again
// would only make its queue longer and draw an ACK for each duplicate. So the window shrinks with each timeout, and
// doubles with each ACK afterwards.
#pragma once

#include <algorithm>
#include <cstdint>

namespace uroce::transport {

class TimeoutCut {
 public:
  void reset() { window_ = UINT32_MAX; }
  // Packets in flight at most; `most`: without a timeout.
  uint32_t window(uint32_t most) const { return std::min(most, window_); }
  void acked(uint32_t most) {
    if (window_ < most) window_ *= 2;
  }
  // divisor: 1 leaves the window alone.
  void timed_out(uint32_t most, uint32_t divisor) {
    if (divisor > 1) window_ = std::max(1u, window(most) / divisor);
  }

 private:
  uint32_t window_ = UINT32_MAX;
};

}  // namespace uroce::transport
