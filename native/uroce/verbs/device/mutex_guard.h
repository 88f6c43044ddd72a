// Locks of structures that programs see, for threads that may be canceled while they hold one.
#pragma once

#include <pthread.h>

namespace uroce::verbs {

// pthread_cancel() waits while one exists. Changes under a lock are then complete, although system calls
// under it are cancellation points.
class Uncancelable {
 public:
  Uncancelable() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~Uncancelable() { pthread_setcancelstate(before_, nullptr); }
  Uncancelable(const Uncancelable&) = delete;
  Uncancelable& operator=(const Uncancelable&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

// Unlocks also when the thread is canceled in pthread_cond_wait().
class MutexGuard {
 public:
  explicit MutexGuard(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  ~MutexGuard() { pthread_mutex_unlock(&mutex_); }
  MutexGuard(const MutexGuard&) = delete;
  MutexGuard& operator=(const MutexGuard&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

}  // namespace uroce::verbs
