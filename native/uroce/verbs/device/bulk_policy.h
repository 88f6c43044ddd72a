// When to let data accumulate. A target of bulk transfers that keeps up with its peer finds one datagram at a
// time: polling for each burns a core, and blocking for each costs the sender a wake-up with every send.
// Sleeping some 60 us and then taking in what has arrived costs neither. That is right only while the peer
// keeps sending without our ACKs: if little is waiting after a sleep, this ends for a while.
//
// On a slower machine (time_scale.h) less arrives in 60 us. There sleeps grow while longer sleeps bring in
// more, and shrink again when more is waiting than is worth sleeping for: the peer may have used up its
// window.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uroce/net/host/time_scale.h"

namespace uroce::verbs {

class BulkPolicy {
 public:
  // Nothing is waiting now. `bytes`: all bytes received so far. True: sleep for length().
  bool sleep(uint64_t now, uint64_t bytes) {
    if (asleep_) {
      const uint64_t came = bytes - bytes_before_;
      bytes_before_ = bytes;
      if (worth(came)) return true;
      asleep_ = false;
      resume_at_ = now + pause_;
      pause_ = std::min(pause_ * 2, kLongestPause);
      return false;
    }
    if (now < resume_at_) return false;
    if (now - window_start_ > net::scaled(kWindow)) {
      window_start_ = now;
      window_bytes_ = bytes;
    }
    if (bytes - window_bytes_ < kRate) return false;
    asleep_ = true;
    bytes_before_ = bytes;
    came_before_ = 0;
    length_ = kShortest;
    return true;
  }

  uint64_t length() const { return length_; }  // ns

 private:
  static constexpr uint64_t kShortest = 60'000;           // ns; the longest on an ordinary machine
  static constexpr uint64_t kEnough = 96 * 1024;          // bytes that should wait after a sleep
  static constexpr uint64_t kPlenty = 2 * kEnough;        // more wait: a shorter one would do
  static constexpr uint64_t kRate = 256 * 1024;           // bytes in one window that make it bulk
  static constexpr uint64_t kWindow = 250'000;            // ns
  static constexpr uint64_t kShortestPause = 2'000'000;   // ns
  static constexpr uint64_t kLongestPause = 100'000'000;  // ns

  // After a sleep: another one?
  bool worth(uint64_t came) {
    if (came >= kEnough) {
      if (came > kPlenty) length_ = std::max(length_ / 2, kShortest);
      pause_ = kShortestPause;
      return true;
    }
    const bool grew = came > came_before_ + came_before_ / 4;
    if (length_ >= net::scaled(kShortest) || !grew) return false;
    came_before_ = came;
    length_ = std::min(length_ * 2, net::scaled(kShortest));
    return true;
  }

  bool asleep_ = false;
  uint64_t length_ = kShortest;
  uint64_t bytes_before_ = 0;
  uint64_t came_before_ = 0;  // in the last sleep that was too short
  uint64_t window_start_ = 0;
  uint64_t window_bytes_ = 0;
  uint64_t resume_at_ = 0;
  uint64_t pause_ = kShortestPause;
};

}  // namespace uroce::verbs
