// The one lock of the device: a futex mutex whose uncontended path is one atomic operation each way. Held for
// microseconds and seldom contended (who polls drives the engine, and the engine thread keeps off meanwhile),
// so it spins a little before it sleeps. U. Drepper, "Futexes Are Tricky" (2011), mutex 2.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "uroce/verbs/spin_policy.h"

namespace uroce {

class EngineLock {
 public:
  EngineLock() = default;
  EngineLock(const EngineLock&) = delete;
  EngineLock& operator=(const EngineLock&) = delete;

  bool try_lock() {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kLocked, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  void lock() {
    if (!try_lock()) wait();
  }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kWaited) futex(FUTEX_WAKE_PRIVATE, 1);
  }

 private:
  static constexpr uint32_t kFree = 0, kLocked = 1, kWaited = 2;
  static constexpr int kSpins = 200;

  [[gnu::noinline]] void wait() {
    for (int i = 0; i < kSpins; ++i) {
      cpu_relax();
      if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) return;
    }
    while (state_.exchange(kWaited, std::memory_order_acquire) != kFree) futex(FUTEX_WAIT_PRIVATE, kWaited);
  }
  void futex(int operation, uint32_t value) {
    static_assert(sizeof state_ == sizeof(uint32_t));
    syscall(SYS_futex, &state_, operation, value, nullptr, nullptr, 0);
  }

  std::atomic<uint32_t> state_{kFree};
};

}  // namespace uroce
