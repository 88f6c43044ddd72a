// A thread that sleeps on a file descriptor and wakes JavaScript once per batch: no polling timer, no call
// per event.
#pragma once

#include <napi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace addon {

// Report of a library's descriptor: two numbers that the owner understands.
using WatchedEvent = std::pair<uint32_t, uint32_t>;

class Watcher {
 public:
  // `take` runs on the watcher's thread when `fd` is readable, must not block, and appends the events that
  // it found. `deliver` runs on the JavaScript thread with a batch and the given function. The descriptor
  // becomes non-blocking. The watcher stops by itself at the end of the environment.
  Watcher(Napi::Env env, Napi::Function callback, int fd,
          std::function<void(std::vector<WatchedEvent>&)> take,
          std::function<void(Napi::Env, Napi::Function, const std::vector<WatchedEvent>&)> deliver);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Makes the watcher keep the event loop alive or not; it does not at first.
  void set_ref(Napi::Env env, bool on);
  // Ends the thread. Nothing is delivered afterwards.
  void stop() noexcept;

 private:
  // Shared with calls that are still in the event loop's queue when the watcher is destroyed.
  struct Shared {
    std::mutex mutex;
    std::vector<WatchedEvent> events;
    bool scheduled = false;
    bool stopped = false;
    std::function<void(Napi::Env, Napi::Function, const std::vector<WatchedEvent>&)> deliver;
  };
  void run() noexcept;
  static void cleanup(void* self);

  napi_env env_;
  int fd_;
  int stop_fd_;
  std::function<void(std::vector<WatchedEvent>&)> take_;
  std::shared_ptr<Shared> shared_;
  Napi::ThreadSafeFunction wake_;
  std::thread thread_;
};

}  // namespace addon
