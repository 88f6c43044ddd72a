// Threads of the device inside a program, which handles its signals on other threads.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>

namespace uroce {

// Number of quiet threads in this process, or fewer for a moment (verbs/abi/abi_thread.cc).
inline std::atomic<uint32_t> g_quiet_threads{0};
// True once a quiet thread was started in this process; and a function that the next start calls, once.
inline std::atomic<bool> g_any_quiet_thread{false};
inline std::atomic<void (*)()> g_when_quiet_thread{nullptr};

struct QuietStart {
  void* (*entry)(void*);
  void* argument;
};

inline void* run_quietly(void* start) {
  const QuietStart own = *static_cast<QuietStart*>(start);
  delete static_cast<QuietStart*>(start);
  g_quiet_threads.fetch_add(1);
  void* result = own.entry(own.argument);
  g_quiet_threads.fetch_sub(1);
  return result;
}

// pthread_create with all signals blocked in the new thread. 0 or an errno.
inline int start_quiet_thread(pthread_t* thread, void* (*entry)(void*), void* argument) {
  auto* start = new (std::nothrow) QuietStart{entry, argument};
  if (start == nullptr) return ENOMEM;
  g_any_quiet_thread.store(true);
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const int error = pthread_create(thread, nullptr, run_quietly, start);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  if (error != 0) delete start;
  if (const auto call = g_when_quiet_thread.exchange(nullptr)) call();
  return error;
}

}  // namespace uroce
