// pthread_exit, in front of the C library's. A process whose first thread ends so lives until its last
// thread has ended. The device's threads never end by themselves, so one more waits until no others are
// left, and ends the process.
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

#include "uroce/quiet_thread.h"

namespace uroce::verbs {
namespace {

constexpr long kPollInterval = 10'000'000;  // ns

// Number of threads of this process, with the first one although it has ended; 0 if it is not known.
uint32_t threads() {
  DIR* all = opendir("/proc/self/task");
  if (all == nullptr) return 0;
  uint32_t count = 0;
  while (const dirent* entry = readdir(all)) count += entry->d_name[0] != '.';
  closedir(all);
  return count;
}

void* end_after_the_last(void*) {
  for (;;) {
    const uint32_t all = threads();
    if (all == 0) return nullptr;
    if (all <= g_quiet_threads.load() + 1) exit(0);  // as the C library does in the last thread
    const timespec step{0, kPollInterval};
    nanosleep(&step, nullptr);
  }
}

void start_watcher() {
  pthread_t watcher;
  if (start_quiet_thread(&watcher, end_after_the_last, nullptr) == 0) pthread_detach(watcher);
}

__attribute__((constructor)) void count_anew_in_children() {
  pthread_atfork(nullptr, nullptr, [] {
    g_quiet_threads.store(0);
    g_any_quiet_thread.store(false);
    g_when_quiet_thread.store(nullptr);
  });
}

}  // namespace
}  // namespace uroce::verbs

#pragma GCC visibility push(default)
extern "C" void pthread_exit(void* result) {
  // Another thread may be about to open the device, or open it later.
  if (gettid() == getpid()) {
    uroce::g_when_quiet_thread.store(uroce::verbs::start_watcher);
    if (uroce::g_any_quiet_thread.load() && uroce::g_when_quiet_thread.exchange(nullptr) != nullptr)
      uroce::verbs::start_watcher();
  }
  const auto next = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_NEXT, "pthread_exit"));
  next(result);
  abort();
}
#pragma GCC visibility pop
