// Threads of the device inside a program, which takes its signals on threads of its own.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace uroce {

// pthread_create with all signals blocked in the new thread. 0 or an errno.
inline int start_quiet_thread(pthread_t* thread, void* (*entry)(void*), void* argument) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const int error = pthread_create(thread, nullptr, entry, argument);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  return error;
}

}  // namespace uroce
