// A lock for moments: spins, and after a while lets others run.
#pragma once

#include <sched.h>

#include <atomic>

#include "uroce/verbs/device/spin_policy.h"

namespace uroce::verbs {

class SpinLock {
 public:
  SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  void lock() {
    for (int i = 0; flag_.test_and_set(std::memory_order_acquire); ++i) {
      if (i < 100) {
        cpu_relax();
      } else {
        sched_yield();
      }
    }
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

}  // namespace uroce::verbs
