// Runs loops in tests: collects their reports and waits for their end, without sleeping.
#pragma once

#include <dirent.h>

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "bench/clock.h"
#include "bench/loop.h"

namespace vlbench::test {

// Longest time (ns) that a step may take on a loaded machine. A step that fails would never end.
constexpr uint64_t kSoon = 60'000'000'000;

using MakeLoop = std::function<std::unique_ptr<Loop>(Callbacks)>;

class Runner {
 public:
  explicit Runner(const MakeLoop& make) {
    Callbacks callbacks;
    callbacks.ready = [this](int port) {
      const std::lock_guard lock(mutex_);
      port_ = port;
      changed_.notify_all();
    };
    callbacks.report = [this](Figures&& figures) {
      const std::lock_guard lock(mutex_);
      reports_.push_back(std::move(figures));
      changed_.notify_all();
    };
    callbacks.end = [this](Outcome&& outcome, const std::optional<Failure>& failure) {
      const std::lock_guard lock(mutex_);
      outcome_ = std::move(outcome);
      failure_ = failure;
      changed_.notify_all();
    };
    loop_ = make(std::move(callbacks));
    loop_->start();
  }

  // The port, or -1 when the loop ended before it was ready.
  int ready() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return port_ || outcome_; });
    return port_.value_or(-1);
  }

  void wait_for_reports(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reports_.size() >= count || outcome_; });
  }

  const Outcome& wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return outcome_.has_value(); });
    lock.unlock();
    loop_->join();
    return *outcome_;
  }

  const Outcome& stop(uint64_t drain_ns = 50'000'000) {
    loop_->stop(drain_ns);
    return wait();
  }

  const std::optional<Failure>& failure() const { return failure_; }
  const std::vector<Figures>& reports() const { return reports_; }
  Loop& loop() { return *loop_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> port_;
  std::vector<Figures> reports_;
  std::optional<Outcome> outcome_;
  std::optional<Failure> failure_;
  std::unique_ptr<Loop> loop_;
};

// Threads of this process whose name starts with "vl-": the threads of loops.
inline int count_loop_threads() {
  int count = 0;
  DIR* dir = opendir("/proc/self/task");
  while (const dirent* entry = readdir(dir)) {
    char path[300];
    std::snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    std::FILE* file = std::fopen(path, "re");
    if (file == nullptr) continue;
    char name[32] = {};
    if (std::fgets(name, sizeof name, file) != nullptr && name[0] == 'v' && name[1] == 'l' && name[2] == '-')
      ++count;
    std::fclose(file);
  }
  closedir(dir);
  return count;
}

// Number of loop threads left. A joined thread is still listed until the kernel has removed it, which on a
// loaded machine takes a while: this waits for that.
inline int loop_threads() {
  const uint64_t end = monotonic_ns() + kSoon;
  int left = count_loop_threads();
  while (left > 0 && monotonic_ns() < end) {
    std::this_thread::yield();
    left = count_loop_threads();
  }
  return left;
}

}  // namespace vlbench::test
