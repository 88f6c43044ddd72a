// The only lock of the device: a futex mutex whose uncontended path is one atomic operation each way. It is
// held for microseconds and seldom contended (a thread that polls makes progress, and the engine thread
// stays away meanwhile), so it spins a little before it sleeps. U. Drepper, "Futexes Are Tricky" (2011),
// mutex 2. A polling thread takes it again at once, and a woken thread finds it taken, time after time on a
// busy machine: so the lock is handed to a thread that has waited for some milliseconds. The holder is not
// canceled: its system calls are cancellation points.
#pragma once

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>

#include "uroce/net/host/clock.h"
#include "uroce/verbs/device/spin_policy.h"

namespace uroce::verbs {

class EngineLock {
 public:
  EngineLock() = default;
  EngineLock(const EngineLock&) = delete;
  EngineLock& operator=(const EngineLock&) = delete;

  // Longest wait at the end of the process: the engine thread holds the lock for some microseconds, an
  // interrupted thread without end.
  static constexpr uint64_t kAtTheEnd = 100'000'000;  // ns

  bool try_lock() {
    const int before = cancel_state(PTHREAD_CANCEL_DISABLE);
    if (!acquire() && !acquire_as_waiter(false)) {
      cancel_state(before);
      return false;
    }
    on_acquired(before);
    return true;
  }
  void lock() {
    const int before = cancel_state(PTHREAD_CANCEL_DISABLE);
    if (!acquire()) wait();
    on_acquired(before);
  }
  // Gives up after this time (ns): at the end of a process the holder may be a thread that no longer runs.
  bool lock_within(uint64_t timeout) {
    const int before = cancel_state(PTHREAD_CANCEL_DISABLE);
    const bool got = spin() || wait_until(net::now_ns() + timeout);
    if (got) {
      on_acquired(before);
    } else {
      cancel_state(before);
    }
    return got;
  }
  // True if the calling thread holds it: a signal has interrupted it there. Any thread, also in a signal
  // handler.
  bool held_here() const {
    return pthread_equal(holder_.load(std::memory_order_relaxed), pthread_self()) != 0;
  }
  void unlock() {
    const int before = cancel_state_;
    holder_.store(kNoThread, std::memory_order_relaxed);
    if (starving_.load() != 0) {
      state_.store(kHanded);
      futex(FUTEX_WAKE_PRIVATE, INT_MAX);
    } else if (state_.exchange(kFree, std::memory_order_release) == kWaited) {
      futex(FUTEX_WAKE_PRIVATE, 1);
    }
    cancel_state(before);
  }

 private:
  // kHanded: only one that starves may take it.
  static constexpr uint32_t kFree = 0, kLocked = 1, kWaited = 2, kHanded = 3;
  static constexpr int kSpins = 200;
  static constexpr uint64_t kStarvedAfter = 5'000'000;  // ns, then a waiter starves

  static constexpr pthread_t kNoThread = 0;

  void on_acquired(int cancel_state_before) {
    cancel_state_ = cancel_state_before;
    holder_.store(pthread_self(), std::memory_order_relaxed);
  }
  static int cancel_state(int wanted) {
    int before;
    pthread_setcancelstate(wanted, &before);
    return before;
  }
  bool acquire() {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kLocked, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  bool spin() {
    for (int i = 0; i < kSpins; ++i) {
      if (state_.load(std::memory_order_relaxed) == kFree && acquire()) return true;
      cpu_relax();
    }
    return false;
  }
  [[gnu::noinline]] void wait() {
    if (!spin()) wait_until(UINT64_MAX);
  }
  // False once it is later than the deadline.
  bool wait_until(uint64_t deadline) {
    const uint64_t begin = net::now_ns();
    bool starving = false, got = false;
    while (!(got = acquire_as_waiter(starving))) {
      uint32_t seen = state_.load();
      if (free_for(starving, seen) || (seen == kLocked && !state_.compare_exchange_strong(seen, kWaited)))
        continue;
      const uint64_t now = net::now_ns();
      if (now >= deadline) break;
      if (!starving && now - begin >= kStarvedAfter) {
        starving = true;
        starving_.fetch_add(1);
        continue;  // it may be handed over by now
      }
      sleep(seen == kHanded ? kHanded : kWaited,
            std::min(deadline, starving ? UINT64_MAX : begin + kStarvedAfter), now);
    }
    uint32_t handed = kHanded;
    if (starving && starving_.fetch_sub(1) == 1 && !got && state_.compare_exchange_strong(handed, kFree))
      futex(FUTEX_WAKE_PRIVATE, INT_MAX);
    return got;
  }
  bool free_for(bool starving, uint32_t seen) const {
    return seen == kFree || (seen == kHanded && (starving || starving_.load() == 0));
  }
  bool acquire_as_waiter(bool starving) {
    uint32_t seen = state_.load();
    return free_for(starving, seen) && state_.compare_exchange_strong(seen, kWaited);
  }
  void sleep(uint32_t while_it_is, uint64_t until, uint64_t now) {
    if (until == UINT64_MAX) return futex(FUTEX_WAIT_PRIVATE, while_it_is);
    const uint64_t left = until - now;
    const timespec timeout{static_cast<time_t>(left / 1'000'000'000u),
                           static_cast<long>(left % 1'000'000'000u)};
    futex(FUTEX_WAIT_PRIVATE, while_it_is, &timeout);
  }
  void futex(int operation, uint32_t value, const timespec* timeout = nullptr) {
    static_assert(sizeof state_ == sizeof(uint32_t));
    syscall(SYS_futex, &state_, operation, value, timeout, nullptr, 0);
  }

  std::atomic<uint32_t> state_{kFree};
  std::atomic<uint32_t> starving_{0};         // threads
  int cancel_state_ = PTHREAD_CANCEL_ENABLE;  // state of the thread that holds it, before
  std::atomic<pthread_t> holder_{kNoThread};
};

}  // namespace uroce::verbs
