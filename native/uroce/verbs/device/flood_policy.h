// The choice when the kernel drops packets of unknown senders, before they fill the receive buffer and wake
// threads. Only during a flood: packets that the kernel drops are seen by no tap and counted by no reason,
// and the filter must keep up with the queue pairs.
#pragma once

#include <cstdint>

namespace uroce::verbs {

class FloodPolicy {
 public:
  // Call after a poll of the sockets. rejected: packets rejected so far. True: raise the filter.
  bool raise(uint64_t now, uint64_t rejected) {
    if (now - window_start_ > kWindow) {
      window_start_ = now;
      window_rejected_ = rejected;
    }
    if (rejected - window_rejected_ < kMany) return false;
    lift_at_ = now + kLength;
    window_start_ = 0;
    return true;
  }
  // True when it is time to check whether the flood goes on.
  bool lift(uint64_t now) const { return now >= lift_at_; }

 private:
  static constexpr uint64_t kWindow = 10'000'000;     // ns
  static constexpr uint64_t kMany = 100;              // packets in one window that make it a flood
  static constexpr uint64_t kLength = 1'000'000'000;  // ns
  uint64_t window_start_ = 0;
  uint64_t window_rejected_ = 0;
  uint64_t lift_at_ = 0;
};

}  // namespace uroce::verbs
