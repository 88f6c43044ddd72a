// The choice when to let data accumulate. A target of bulk transfers that keeps up with its peer finds one
// datagram at a time: polling for each burns a core, and blocking for each costs the sender a wake-up with
// every send. Sleeping some 60 us and then receiving everything costs neither. That is right only while the
// peer keeps sending without our ACKs: if little is waiting after a sleep, this ends for a while.
//
// A peer may also wait for ACKs between bursts that are worth a sleep each (a program that posts the next
// hundred messages when the last hundred have completed). The received data does not show that. So the
// target measures the rate while it polls, and stops sleeping for a while if less comes in while it sleeps.
//
// On a slower machine (time_scale.h) less arrives in 60 us. There sleeps grow while longer sleeps bring
// more, and shrink again when more is waiting than is worth sleeping for: the peer may have used up its
// window.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uroce/net/host/time_scale.h"

namespace uroce::verbs {

class BulkPolicy {
 public:
  // Call when nothing is waiting. `bytes`: all bytes received so far. True: sleep for length().
  bool sleep(uint64_t now, uint64_t bytes) {
    if (asleep_) {
      const uint64_t came = bytes - bytes_before_;
      bytes_before_ = bytes;
      const Rate rate = trial_.at(now, bytes);
      const bool slow = rate.time >= kTrial && rate.below_most_of(awake_);
      if (slow || !worth(came)) {
        wake(now, pause_);
        pause_ = std::min(pause_ * 2, kLongestPause);
        return false;
      }
      if (rate.time < kTrial) return true;
      pause_ = kShortestPause;
      trial_ = {now, bytes};
      if (now - asleep_since_ < kMeasureAgain) return true;
      wake(now, 0);
      trying_ = true;
      return false;
    }
    if (now < resume_at_) return false;
    if (!trying_) {
      if (now - window_.time > net::scaled(kWindow)) window_ = {now, bytes};
      if (bytes - window_.bytes < kRate) return false;
      trying_ = true;
      trial_ = {now, bytes};
    }
    awake_ = trial_.at(now, bytes);
    if (awake_.time < kTrial) return false;
    trying_ = false;
    window_ = {now, bytes};
    if (awake_.bytes * net::scaled(kWindow) < kRate * awake_.time) return false;
    asleep_ = true;
    asleep_since_ = now;
    trial_ = {now, bytes};
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
  static constexpr uint64_t kTrial = 4'000'000;           // ns over which a rate is measured
  static constexpr uint64_t kMeasureAgain = 100'000'000;  // ns asleep, then the rate awake is outdated
  static constexpr uint64_t kShortestPause = 2'000'000;   // ns
  static constexpr uint64_t kLongestPause = 100'000'000;  // ns

  struct Rate {
    uint64_t time = 0;  // ns
    uint64_t bytes = 0;
    double per_ns() const { return static_cast<double>(bytes) / static_cast<double>(time); }
    bool below_most_of(const Rate& other) const { return per_ns() < other.per_ns() * 15 / 16; }
  };
  // Start of an interval, and the bytes received until then.
  struct Mark {
    uint64_t time = 0;
    uint64_t bytes = 0;
    Rate at(uint64_t now, uint64_t total) const { return {now - time, total - bytes}; }
  };

  void wake(uint64_t now, uint64_t pause) {
    asleep_ = false;
    resume_at_ = now + pause;
  }

  // True after a sleep if another one should follow.
  bool worth(uint64_t came) {
    if (came >= kEnough) {
      if (came > kPlenty) length_ = std::max(length_ / 2, kShortest);
      return true;
    }
    const bool grew = came > came_before_ + came_before_ / 4;
    if (length_ >= net::scaled(kShortest) || !grew) return false;
    came_before_ = came;
    length_ = std::min(length_ * 2, net::scaled(kShortest));
    return true;
  }

  bool asleep_ = false;
  bool trying_ = false;  // the rate while awake is being measured
  uint64_t length_ = kShortest;
  uint64_t bytes_before_ = 0;
  uint64_t came_before_ = 0;  // in the last sleep that was too short
  Mark window_;               // in which enough must come in to be bulk
  Mark trial_;                // in which the rate is measured
  Rate awake_;                // rate of the last trial while awake
  uint64_t asleep_since_ = 0;
  uint64_t resume_at_ = 0;
  uint64_t pause_ = kShortestPause;
};

}  // namespace uroce::verbs
