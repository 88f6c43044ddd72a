// A measuring loop: a thread that works, or that counts the work of other threads, and a thread that
// watches.
//
// The working thread only counts: two counters, a histogram slot and, if requested, a ring record per
// completion, all without locks. The watching thread wakes every report interval, reads the counts while
// the worker goes on, and calls back. It also breaks the worker out of a blocking call when the loop is
// stopped or its time is up.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/cpu.h"
#include "bench/failure.h"
#include "bench/histogram.h"
#include "bench/ring.h"

namespace vlbench {

// Failed tries after which a polling loop reads the time.
inline constexpr uint32_t kIdleTries = 64;

// Times in ns. 0 means: none, no limit.
struct LoopOptions {
  bool target = false;
  bool latency = false;
  bool event = false;
  uint64_t size = 0;
  uint64_t iterations = 0;
  uint64_t duration_ns = 0;
  uint64_t omit_ns = 0;
  double messages_per_second = 0;
  uint64_t report_ns = 100'000'000;
  uint64_t idle_timeout_ns = 10'000'000'000;
  RingWriter ring;
  bool ring_wait = false;
  // Reports in the totals the time of the kernel outside of every process.
  bool kernel_time = false;
};

enum class EndReason { kIterations, kDuration, kStopped, kError };
enum class LatencyKind { kCompletion, kRoundTrip, kAcknowledged, kNone };

// An interval, or the whole run without its omitted start.
struct Figures {
  uint64_t seq = 0;
  uint64_t started_at_ns = 0;  // the loop's start, CLOCK_MONOTONIC
  uint64_t t_ns = 0;           // end, from the loop's start
  uint64_t interval_ns = 0;
  bool omitted = false;
  uint64_t bytes = 0;
  uint64_t messages = 0;
  uint64_t outstanding = 0;
  LatencySummary latency;
  std::vector<uint8_t> histogram;
  std::vector<uint8_t> histogram_total;
  CpuFigures cpu;
  std::vector<std::pair<std::string, uint64_t>> counters;  // growth
  uint64_t records_written = 0;
  uint64_t records_dropped = 0;
};

// Work of several threads of a loop, from the first request to the end of the last thread. Times in ns.
struct ThreadFigures {
  uint64_t elapsed_ns = 0;
  uint32_t cpus = 0;               // usable by the threads; 0: not known
  std::vector<uint64_t> messages;  // completed, by thread
  uint64_t posts = 0;
  uint64_t post_ns = 0;  // in ibv_post_send
  uint64_t polls = 0;
  uint64_t poll_ns = 0;    // in ibv_poll_cq and in counting its completions
  uint64_t contended = 0;  // times that the lock was held by another thread
  uint64_t wait_ns = 0;    // waiting for the lock
  uint64_t foreign = 0;    // completions polled by another thread than the one that posted
};

// Sums over a whole loop: its omitted start, its measured time and the requests outstanding at the end.
// Nothing if a loop does not count the value.
struct Whole {
  std::optional<uint64_t> signaled;     // work requests that ask for a completion
  std::optional<uint64_t> completions;  // successful completions of these requests
  std::optional<uint64_t>
      most_outstanding;                // requests of one QP at a time: posted, completion not yet polled
  std::optional<uint64_t> sent_bytes;  // written to TCP
  std::optional<uint64_t> received_bytes;
  std::optional<ThreadFigures> threads;
};

struct Outcome {
  EndReason reason = EndReason::kStopped;
  bool drained = true;
  uint64_t started_at_ns = 0;
  LatencyKind latency_kind = LatencyKind::kNone;
  Figures totals;
  Whole whole;
};

// Called on the watching thread. `end` is the last call.
struct Callbacks {
  std::function<void(int port)> ready;
  std::function<void(Figures&&)> report;
  std::function<void(Outcome&&, const std::optional<Failure>&)> end;
};

class Loop {
 public:
  Loop(const LoopOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe);
  virtual ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Starts both threads. Call once.
  void start();
  // Asks for the end; outstanding requests have `drain_ns` to complete. Returns at once; any thread.
  void stop(uint64_t drain_ns) noexcept;
  // Waits for both threads. Derived classes call it first in their destructor.
  void join() noexcept;
  bool running() const noexcept { return !ended_.load(std::memory_order_acquire); }

 protected:
  // Runs the loop, on the working thread. Throws Failure. Calls ready(), then begin() when the first
  // message may move.
  virtual EndReason run() = 0;
  // Breaks the worker out of a blocking call (watching thread). Called again until the worker is out.
  virtual void kick() noexcept;
  virtual LatencyKind latency_kind() const noexcept = 0;
  // True if the worker makes its own system calls, in addition to those of a device's engine.
  virtual bool makes_calls() const noexcept { return true; }
  // CPU time of the threads that do the work (worker's thread).
  virtual ThreadUsage usage() noexcept { return this_thread_usage(); }
  // Counts the work of other threads so far (worker's thread). The measured time is about to begin or to
  // end.
  virtual void catch_up() noexcept {}
  // Called once, after run().
  virtual Whole whole() const noexcept { return {}; }

  // ---- for run()
  void ready(int port);
  // Starts the measured (or omitted) time.
  void begin();
  bool begun() const noexcept { return begun_; }
  // Remaining time of the omitted start.
  uint64_t omitted_ns_left(uint64_t now) const noexcept {
    const bool omitting = begun_ && measure_start_ns_.load(std::memory_order_relaxed) == 0;
    return omitting && omit_end_ns_ > now ? omit_end_ns_ - now : 0;
  }

  void count(uint64_t messages, uint64_t bytes) noexcept {
    messages_.store(messages_.load(std::memory_order_relaxed) + messages, std::memory_order_relaxed);
    bytes_.store(bytes_.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
  }
  void latency(uint64_t ns) noexcept { histogram_->record(ns); }
  void outstanding(uint64_t n) noexcept { outstanding_.store(n, std::memory_order_relaxed); }
  void record(const CompletionRecord& record) noexcept {
    if (options_.ring && !options_.ring.push(record)) record_slow(record);
  }
  bool recording() const noexcept { return static_cast<bool>(options_.ring); }

  // Call every few microseconds with the time: true when the loop must end (see stop_requested()). Throws
  // Failure when nothing was counted for the idle timeout.
  bool tick(uint64_t now) {
    if (now < next_tick_ && !attention_.load(std::memory_order_relaxed)) return false;
    return tick_slow(now);
  }
  bool stop_requested() const noexcept { return stop_.load(std::memory_order_relaxed); }
  EndReason end_reason() const noexcept {
    return stop_requested() ? EndReason::kStopped : EndReason::kDuration;
  }
  bool finished() const noexcept { return finished_; }
  // Ends the measured time: later counts are in no figure. The return of run() ends it as well.
  void finish();
  // Time that outstanding requests may still take, from now.
  uint64_t drain_ns() const noexcept;
  void not_drained() noexcept { drained_ = false; }

  // Time before which a rate-limited initiator must not post the next message.
  // When that is not after `now`, the slot is taken.
  uint64_t next_slot(uint64_t now) noexcept;
  // Takes the slots of `n` more messages, which are sent in the same post.
  void skip_slots(uint64_t n) noexcept {
    next_slot_ns_ += static_cast<double>(n) * 1e9 / options_.messages_per_second;
  }
  bool rate_limited() const noexcept { return options_.messages_per_second > 0; }

  // Brackets a call that may block for long; false when it must not be entered any more.
  bool enter_blocking() noexcept;
  void leave_blocking() noexcept;

  LoopOptions options_;
  pthread_t worker_id_{};

 private:
  bool tick_slow(uint64_t now);
  void record_slow(const CompletionRecord& record) noexcept;
  void publish_usage() noexcept;
  void start_measuring(uint64_t now);
  void worker();
  void watcher();
  uint64_t time_limit(uint64_t now) noexcept;
  void report(bool last);
  // Reports the interval that ends with `sample`.
  void report_until(const Sample& sample, uint64_t messages, uint64_t bytes);
  ThreadUsage fresh_usage();
  Outcome outcome();

  Callbacks callbacks_;
  std::unique_ptr<Probe> probe_;
  std::thread worker_thread_;
  std::thread watcher_thread_;

  // Written by the worker only, read by the watcher.
  alignas(64) std::atomic<uint64_t> messages_{0};
  std::atomic<uint64_t> bytes_{0};
  std::atomic<uint64_t> outstanding_{0};
  std::atomic<uint64_t> measure_start_ns_{0};  // 0: still in the omitted start
  std::atomic<uint64_t> deadline_ns_{UINT64_MAX};
  std::atomic<uint64_t> records_written_{0};
  std::atomic<uint64_t> records_dropped_{0};
  SharedHistogram warm_;
  SharedHistogram main_;

  // Private to the worker.
  alignas(64) SharedHistogram* histogram_ = &warm_;
  uint64_t next_tick_ = 0;
  uint64_t omit_end_ns_ = 0;
  uint64_t idle_since_ns_ = 0;
  uint64_t idle_messages_ = 0;
  double next_slot_ns_ = 0;
  bool begun_ = false;
  bool finished_ = false;
  bool drained_ = true;
  uint64_t base_messages_ = 0;
  uint64_t base_bytes_ = 0;
  uint64_t final_messages_ = 0;
  uint64_t final_bytes_ = 0;
  Sample base_;   // start of the measured time
  Sample final_;  // its end
  EndReason reason_ = EndReason::kStopped;
  std::optional<Failure> failure_;

  // Shared.
  alignas(64) std::atomic<bool> stop_{false};
  std::atomic<bool> attention_{false};  // stop, or the watcher wants fresh usage
  std::atomic<bool> usage_wanted_{false};
  std::atomic<bool> blocking_{false};
  std::atomic<bool> ended_{false};
  std::atomic<bool> finishing_{false};  // before the last sample is taken
  std::atomic<uint64_t> drain_ns_{0};
  std::atomic<uint64_t> begin_ns_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  // Under the mutex:
  bool worker_done_ = false;
  bool stop_seen_ = false;
  std::optional<int> ready_port_;
  ThreadUsage usage_;
  uint64_t usage_version_ = 0;

  // Private to the watcher.
  Sample last_;
  CpuSplit split_;  // the warm-up's, then that of the measured time
  std::optional<bool> split_omitted_;
  uint64_t progress_ns_ = 0;  // time at which messages_ last grew
  uint64_t progress_messages_ = 0;
  uint64_t last_messages_ = 0;
  uint64_t last_bytes_ = 0;
  uint64_t seq_ = 0;
  bool ready_told_ = false;
  Histogram warm_seen_;
  Histogram main_seen_;
  Histogram interval_;
};

}  // namespace vlbench
