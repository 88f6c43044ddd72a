// CPU time of the engine's work. Reading a clock costs some 20 ns, several times in a call that takes 500, so
// only one call in eight is timed and counts eightfold, once the first few hundred have been timed one by
// one. Which one is drawn by chance: programs post and poll in turns, and every eighth call exactly would
// always be the same kind.
//
// The monotonic clock runs on while another program has the core, so a stretch that is suspiciously long is
// compared with what the thread's CPU clock says of the time since the last comparison, and what was stolen
// is taken off.
#pragma once

#include <atomic>
#include <cstdint>

namespace uroce::verbs {

class CpuMeter {
 public:
  struct Figures {
    uint64_t engine_user_ns;
    uint64_t engine_kernel_ns;
    uint64_t app_thread_ns;
    uint64_t app_user_ns;
    uint64_t progress_calls;
    uint64_t empty_polls;
  };

  // Before a call: is it to be timed? Device lock.
  bool begin() const { return countdown_ == 0; }
  // After a productive call that was not timed.
  void skipped() {
    --countdown_;
    bump(calls_, 1);
  }
  // After a productive call that was: from begin to end, kernel_ns of it in system calls.
  void add(uint64_t begin, uint64_t end, uint64_t kernel_ns, bool engine_thread);
  void add_empty() { bump(empty_polls_, 1); }
  Figures figures() const;

 private:
  static constexpr uint32_t kOneByOne = 512;
  static constexpr uint32_t kEvery = 8;
  // Calls to skip before the next one is timed: kEvery - 1 on average.
  uint32_t draw_gap();
  // Adds to a counter with one writer at a time (device lock) and any number of readers.
  static void bump(std::atomic<uint64_t>& counter, uint64_t by) {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> user_ns_{0}, kernel_ns_{0}, app_ns_{0}, app_user_ns_{0}, calls_{0}, empty_polls_{0};
  uint32_t countdown_ = 0;  // calls until one is timed
  uint32_t timed_calls_ = 0;
  uint32_t random_ = 0x9e3779b9;  // xorshift, never 0
};

}  // namespace uroce::verbs
