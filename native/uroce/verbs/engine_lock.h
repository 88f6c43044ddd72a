// The one lock of the device: a futex mutex whose uncontended path is one atomic operation each way. Held for
// microseconds and seldom contended (who polls drives the engine, and the engine thread keeps off meanwhile),
// so it spins a little before it sleeps. U. Drepper, "Futexes Are Tricky" (2011), mutex 2. A thread that
// holds it is not canceled: the system calls that it makes then are cancellation points.
#pragma once

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "uroce/net/clock.h"
#include "uroce/verbs/spin_policy.h"

namespace uroce {

class EngineLock {
 public:
  EngineLock() = default;
  EngineLock(const EngineLock&) = delete;
  EngineLock& operator=(const EngineLock&) = delete;

  // For those who look at what the process leaves behind: the engine thread has it for some microseconds, an
  // interrupted thread for ever.
  static constexpr uint64_t kAtTheEnd = 100'000'000;  // ns

  bool try_lock() {
    const int before = cancel_state(PTHREAD_CANCEL_DISABLE);
    if (!take()) {
      cancel_state(before);
      return false;
    }
    cancel_state_ = before;
    return true;
  }
  void lock() {
    const int before = cancel_state(PTHREAD_CANCEL_DISABLE);
    if (!take()) wait();
    cancel_state_ = before;
  }
  // Gives up after so long (ns): at the end of a process the holder may be a thread that runs no more.
  bool lock_within(uint64_t patience) {
    const int before = cancel_state(PTHREAD_CANCEL_DISABLE);
    const bool got = spin() || wait_until(now_ns() + patience);
    if (got) {
      cancel_state_ = before;
    } else {
      cancel_state(before);
    }
    return got;
  }
  // Some thread has it now.
  bool held() const { return state_.load(std::memory_order_relaxed) != kFree; }
  void unlock() {
    const int before = cancel_state_;
    if (state_.exchange(kFree, std::memory_order_release) == kWaited) futex(FUTEX_WAKE_PRIVATE, 1);
    cancel_state(before);
  }

 private:
  static constexpr uint32_t kFree = 0, kLocked = 1, kWaited = 2;
  static constexpr int kSpins = 200;

  static int cancel_state(int wanted) {
    int before;
    pthread_setcancelstate(wanted, &before);
    return before;
  }
  bool take() {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kLocked, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  bool spin() {
    for (int i = 0; i < kSpins; ++i) {
      if (state_.load(std::memory_order_relaxed) == kFree && take()) return true;
      cpu_relax();
    }
    return false;
  }
  [[gnu::noinline]] void wait() {
    if (spin()) return;
    while (state_.exchange(kWaited, std::memory_order_acquire) != kFree) futex(FUTEX_WAIT_PRIVATE, kWaited);
  }
  bool wait_until(uint64_t deadline) {
    while (state_.exchange(kWaited, std::memory_order_acquire) != kFree) {
      const uint64_t now = now_ns();
      if (now >= deadline) return false;
      const timespec left{static_cast<time_t>((deadline - now) / 1'000'000'000u),
                          static_cast<long>((deadline - now) % 1'000'000'000u)};
      futex(FUTEX_WAIT_PRIVATE, kWaited, &left);
    }
    return true;
  }
  void futex(int operation, uint32_t value, const timespec* timeout = nullptr) {
    static_assert(sizeof state_ == sizeof(uint32_t));
    syscall(SYS_futex, &state_, operation, value, timeout, nullptr, 0);
  }

  std::atomic<uint32_t> state_{kFree};
  int cancel_state_ = PTHREAD_CANCEL_ENABLE;  // of the thread that holds it, before
};

}  // namespace uroce
