// The lock of threads that share queues: a mutex, whose waiters sleep, or a spinlock, whose waiters spin,
// as in the providers of rdma-core; or none. Internal to bench/.
#pragma once

#include <pthread.h>

#include "bench/rdma_loop.h"

namespace vlbench {

class SectionLock {
 public:
  explicit SectionLock(ThreadLock kind);
  ~SectionLock();
  SectionLock(const SectionLock&) = delete;
  SectionLock& operator=(const SectionLock&) = delete;

  bool try_lock() noexcept;
  void lock() noexcept;
  void unlock() noexcept;

 private:
  const ThreadLock kind_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_spinlock_t spin_{};
};

}  // namespace vlbench
