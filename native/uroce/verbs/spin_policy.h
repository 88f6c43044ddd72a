// How long to poll before blocking. Polling pays when the next packet comes within some 50 us, the price of
// waking a sleeping CPU twice; it harms when packets come seldom, or when somebody else wants the core. So
// sessions are judged: a session that found nothing, or during which the thread was made to wait for its
// core, makes the next ones rarer.
#pragma once

#include <cstdint>

#include "uroce/net/clock.h"

namespace uroce {

class SpinPolicy {
 public:
  // A session begins; false: do not poll, block at once.
  bool begin(uint64_t now) {
    if (now < resume_at_) return false;
    started_ = now;
    cpu_started_ = thread_cpu_ns();
    return true;
  }
  bool go_on(uint64_t now) const { return now - started_ < kLimit; }
  // The session ends; found: work came while polling.
  void end(uint64_t now, bool found) {
    const uint64_t wall = now - started_;
    const uint64_t cpu = thread_cpu_ns() - cpu_started_;
    if (wall > cpu + kStolen) {
      resume_at_ = now + kContendedPause;
    } else if (found) {
      misses_ = 0;
      resume_at_ = 0;
    } else {
      if (misses_ < kMaxShift) ++misses_;
      resume_at_ = now + (misses_ < kPatience ? 0 : kLimit << (misses_ - kPatience));
    }
  }

 private:
  static constexpr uint64_t kLimit = 50'000;              // ns
  static constexpr uint64_t kStolen = 10'000;             // ns without the core that tell of a rival
  static constexpr uint64_t kContendedPause = 5'000'000;  // ns
  static constexpr uint32_t kPatience = 3;                // misses in a row before sessions become rarer
  static constexpr uint32_t kMaxShift = 10;               // up to kLimit << 7, 6.4 ms apart
  uint64_t started_ = 0;
  uint64_t cpu_started_ = 0;
  uint64_t resume_at_ = 0;
  uint32_t misses_ = 0;
};

inline void cpu_relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace uroce
