// Work at the end of a process that must not keep the process from ending.
#pragma once

#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cstdint>

#include "uroce/quiet_thread.h"

namespace uroce {

// Runs `work` on its own thread and waits for it at most timeout_ms. Late work goes on in the background.
// False if it is late or could not be started.
inline bool run_bounded(void (*work)(), uint32_t timeout_ms) {
  struct Job {
    void (*work)();
    std::atomic<bool> done{false};
  };
  // The thread may outlive this call: the job is never freed.
  auto* job = new Job{.work = work};
  const auto entry = [](void* argument) -> void* {
    auto* its = static_cast<Job*>(argument);
    its->work();
    its->done.store(true, std::memory_order_release);
    return nullptr;
  };
  pthread_t thread;
  if (start_quiet_thread(&thread, entry, job) != 0) return false;
  pthread_detach(thread);
  constexpr long kStep = 200'000;  // ns
  for (uint64_t waited = 0; waited < uint64_t{timeout_ms} * 1'000'000; waited += kStep) {
    if (job->done.load(std::memory_order_acquire)) return true;
    const timespec step{0, kStep};
    nanosleep(&step, nullptr);
  }
  return job->done.load(std::memory_order_acquire);
}

}  // namespace uroce
