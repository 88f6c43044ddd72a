// Runs a measuring loop for JavaScript: its callbacks come from the loop's watching thread and go to the
// JavaScript thread with at most one wake-up a batch.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "addon/env.h"
#include "bench/loop.h"

namespace addon {

class LoopHost {
 public:
  using Make = std::function<std::unique_ptr<vlbench::Loop>(vlbench::Callbacks)>;

  // Makes and starts the loop. `callbacks` is NativeLoopCallbacks, `ring` a Uint32Array or null. `release`
  // runs on the JavaScript thread when no thread of the loop is left, exactly once.
  LoopHost(Napi::Env env, const Napi::Object& callbacks, const Napi::Value& ring, const Make& make,
           std::function<void()> release);
  // Stops the loop and waits for its threads.
  ~LoopHost();
  LoopHost(const LoopHost&) = delete;
  LoopHost& operator=(const LoopHost&) = delete;

  void stop(uint64_t drain_ns) noexcept;
  bool running() const noexcept { return loop_ != nullptr; }

 private:
  struct Ended {
    vlbench::Outcome outcome;
    std::optional<vlbench::Failure> failure;
  };
  // Shared with calls that are still in the event loop's queue when the host goes.
  struct Shared {
    std::mutex mutex;
    std::optional<int> ready;
    std::vector<vlbench::Figures> reports;
    std::optional<Ended> ended;
    bool scheduled = false;
    LoopHost* host = nullptr;  // null when gone
    Napi::ObjectReference callbacks;
  };

  void wake() noexcept;
  static void deliver(Napi::Env env, const std::shared_ptr<Shared>& shared);
  static void cleanup(void* self);
  // Joins the loop's threads and releases everything.
  void finish() noexcept;

  napi_env env_;
  std::shared_ptr<Shared> shared_;
  Napi::ThreadSafeFunction wake_;
  Napi::ObjectReference ring_;
  std::function<void()> release_;
  std::unique_ptr<vlbench::Loop> loop_;
};

}  // namespace addon
