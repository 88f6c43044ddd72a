// Time to poll before blocking. Polling pays when the next packet comes within some 50 us, the price of
// waking a sleeping CPU twice. It does harm when packets are rare, or when another thread wants the core.
// So sessions that found nothing make the next ones rarer. And when the thread lost its core during a
// session, it does not poll for eight times as long as it was away.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uroce/net/host/time_scale.h"

namespace uroce::verbs {

// Times in ns of one monotonic clock; the lengths below are those of a fast kernel (time_scale.h).
class SpinPolicy {
 public:
  // Begins a session; false: do not poll, block at once.
  bool begin(uint64_t now) {
    if (now < idle_until_ || now < contended_until_) return false;
    started_ = last_poll_ = now;
    return true;
  }
  // Called between two polls; false ends the session.
  bool go_on(uint64_t now) {
    notice(now);
    return now - started_ < net::scaled(kLimit) && now >= contended_until_;
  }
  // Ends a session that found work. polled: start of the poll that found it.
  void found(uint64_t polled) {
    notice(polled);
    misses_ = 0;
  }
  void gave_up(uint64_t now) {
    notice(now);
    if (misses_ < kMaxShift) ++misses_;
    if (misses_ >= kMissesBeforeBackoff)
      idle_until_ = now + (net::scaled(kLimit) << (misses_ - kMissesBeforeBackoff));
  }

 private:
  // Two polls are well below a microsecond apart, so a long gap is time without the core. Occasional short
  // gaps do not count, since other threads' timers cause them: credit grows by an eighth of the time, up to
  // kCredit.
  void notice(uint64_t now) {
    const uint64_t gap = now > last_poll_ ? now - last_poll_ : 0;
    last_poll_ = now;
    if (gap < net::scaled(kGap)) return;
    credit_ = std::min(static_cast<int64_t>(net::scaled(kCredit)),
                       credit_ + static_cast<int64_t>((now - credited_) / kPrice));
    credited_ = now;
    credit_ -= static_cast<int64_t>(gap);
    if (credit_ < 0) contended_until_ = now + static_cast<uint64_t>(-credit_) * kPrice;
  }

  static constexpr uint64_t kLimit = 50'000;           // ns
  static constexpr uint64_t kGap = 10'000;             // ns
  static constexpr uint64_t kCredit = 100'000;         // ns
  static constexpr uint64_t kPrice = 8;                // ns without polling for each without the core
  static constexpr uint32_t kMissesBeforeBackoff = 3;  // misses in a row before sessions become rarer
  static constexpr uint32_t kMaxShift = 10;            // up to kLimit << 7, 6.4 ms apart
  uint64_t started_ = 0;
  uint64_t last_poll_ = 0;
  uint64_t idle_until_ = 0;
  uint64_t contended_until_ = 0;
  int64_t credit_ = kCredit;
  uint64_t credited_ = 0;
  uint32_t misses_ = 0;
};

inline void cpu_relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace uroce::verbs
