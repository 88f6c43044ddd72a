#include "bench/loop.h"

#include <algorithm>
#include <chrono>

#include "bench/clock.h"

namespace vlbench {
namespace {

// Interval of the worker's checks that are not urgent.
constexpr uint64_t kTickNs = 1'000'000;
// Tries of the watcher to get the CPU time of a busy worker.
constexpr int kUsageTries = 5;
constexpr auto kUsagePause = std::chrono::microseconds(100);
constexpr uint64_t kKickPauseNs = 1'000'000;
// Limit for outstanding requests when a loop ends by itself: longer than eight ACK timeouts of 67 ms.
constexpr uint64_t kNaturalDrainNs = 3'000'000'000;
// Most time that a rate-limited loop catches up after it fell behind.
constexpr double kCatchUpNs = 100e6;

// CPU times and counts of switches only grow.
ThreadUsage latest(const ThreadUsage& a, const ThreadUsage& b) {
  return {std::max(a.user_ns, b.user_ns), std::max(a.system_ns, b.system_ns),
          std::max(a.voluntary, b.voluntary), std::max(a.involuntary, b.involuntary)};
}

std::chrono::steady_clock::time_point at(uint64_t ns) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(ns));
}

}  // namespace

Loop::Loop(const LoopOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
    : options_(options), callbacks_(std::move(callbacks)), probe_(std::move(probe)) {}

Loop::~Loop() { join(); }

void Loop::start() {
  worker_thread_ = std::thread([this] { worker(); });
  worker_id_ = worker_thread_.native_handle();
  watcher_thread_ = std::thread([this] { watcher(); });
}

void Loop::stop(uint64_t drain_ns) noexcept {
  drain_ns_.store(drain_ns, std::memory_order_relaxed);
  stop_.store(true, std::memory_order_relaxed);
  attention_.store(true, std::memory_order_release);
  const std::lock_guard lock(mutex_);
  stop_seen_ = true;
  wake_.notify_all();
}

void Loop::join() noexcept {
  if (!worker_thread_.joinable()) return;
  stop(0);
  if (watcher_thread_.joinable()) watcher_thread_.join();
  worker_thread_.join();
}

void Loop::kick() noexcept {}

// ---- worker

void Loop::worker() {
  pthread_setname_np(pthread_self(), "vl-loop");
  idle_since_ns_ = monotonic_ns();
  try {
    reason_ = run();
  } catch (const Failure& failure) {
    failure_ = failure;
    reason_ = EndReason::kError;
  } catch (const std::bad_alloc&) {
    failure_ = Failure(ENOMEM, "malloc");
    reason_ = EndReason::kError;
  }
  if (begun_) finish();
  // Completions while draining are recorded as well.
  records_written_.store(options_.ring.written(), std::memory_order_relaxed);
  records_dropped_.store(options_.ring.dropped(), std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  worker_done_ = true;
  wake_.notify_all();
}

void Loop::ready(int port) {
  const std::lock_guard lock(mutex_);
  ready_port_ = port;
  wake_.notify_all();
}

void Loop::begin() {
  const uint64_t now = monotonic_ns();
  begun_ = true;
  idle_since_ns_ = now;
  next_slot_ns_ = static_cast<double>(now);
  next_tick_ = now + kTickNs;
  omit_end_ns_ = now + options_.omit_ns;
  publish_usage();
  begin_ns_.store(now, std::memory_order_release);
  if (options_.omit_ns == 0) {
    start_measuring(now);
  } else {
    next_tick_ = std::min(next_tick_, omit_end_ns_);
    if (options_.duration_ns != 0)
      deadline_ns_.store(omit_end_ns_ + options_.duration_ns, std::memory_order_release);
  }
  const std::lock_guard lock(mutex_);
  wake_.notify_all();
}

void Loop::start_measuring(uint64_t now) {
  std::optional<KernelTime> kernel;
  if (options_.kernel_time) {
    kernel = kernel_time();
    now = monotonic_ns();  // sampling took a while, and nothing moved meanwhile
  }
  base_ = take_sample(usage(), probe_.get());
  catch_up();
  base_.kernel = std::move(kernel);
  base_messages_ = messages_.load(std::memory_order_relaxed);
  base_bytes_ = bytes_.load(std::memory_order_relaxed);
  histogram_ = &main_;
  // Sampling took a while, and nothing moved meanwhile. The watcher may have looked in between.
  if (options_.omit_ns != 0) now = monotonic_ns();
  base_.t_ns = now;
  if (options_.duration_ns != 0) deadline_ns_.store(now + options_.duration_ns, std::memory_order_release);
  measure_start_ns_.store(now, std::memory_order_release);
}

void Loop::finish() {
  if (finished_) return;
  finished_ = true;
  finishing_.store(true, std::memory_order_seq_cst);
  catch_up();
  final_messages_ = messages_.load(std::memory_order_relaxed);
  final_bytes_ = bytes_.load(std::memory_order_relaxed);
  final_ = take_sample(usage(), probe_.get());
  if (options_.kernel_time) final_.kernel = kernel_time();
  records_written_.store(options_.ring.written(), std::memory_order_relaxed);
  records_dropped_.store(options_.ring.dropped(), std::memory_order_relaxed);
  if (measure_start_ns_.load(std::memory_order_relaxed) == 0) {
    // The run ended within the omitted start: the totals are empty, and show it.
    base_ = final_;
    base_messages_ = final_messages_;
    base_bytes_ = final_bytes_;
  }
  // Completions while draining belong to no figure.
  histogram_ = &warm_;
  publish_usage();
}

uint64_t Loop::drain_ns() const noexcept {
  return stop_requested() ? drain_ns_.load(std::memory_order_relaxed) : kNaturalDrainNs;
}

bool Loop::tick_slow(uint64_t now) {
  if (usage_wanted_.load(std::memory_order_relaxed)) {
    usage_wanted_.store(false, std::memory_order_relaxed);
    attention_.store(stop_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    publish_usage();
  }
  if (stop_.load(std::memory_order_relaxed)) return true;
  const bool omitting = begun_ && measure_start_ns_.load(std::memory_order_relaxed) == 0;
  if (omitting && now >= omit_end_ns_) start_measuring(now);
  const uint64_t deadline = deadline_ns_.load(std::memory_order_relaxed);
  if (now >= deadline) return true;
  const uint64_t messages = messages_.load(std::memory_order_relaxed);
  if (messages != idle_messages_) {
    idle_messages_ = messages;
    idle_since_ns_ = now;
  } else if (options_.idle_timeout_ns != 0 && now - idle_since_ns_ >= options_.idle_timeout_ns) {
    throw Failure(ETIMEDOUT, "loop idle",
                  "nothing moved for " + std::to_string(options_.idle_timeout_ns / 1'000'000) + " ms");
  }
  next_tick_ = std::min(now + kTickNs, deadline);
  if (omitting && now < omit_end_ns_) next_tick_ = std::min(next_tick_, omit_end_ns_);
  return false;
}

void Loop::record_slow(const CompletionRecord& record) noexcept {
  if (!options_.ring_wait) {
    options_.ring.drop();
    return;
  }
  // The reader drains every few milliseconds; a stop must not hang on a reader that has gone.
  while (!options_.ring.push(record)) {
    if (stop_requested()) {
      options_.ring.drop();
      return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

void Loop::publish_usage() noexcept {
  const ThreadUsage fresh = usage();
  records_written_.store(options_.ring.written(), std::memory_order_relaxed);
  records_dropped_.store(options_.ring.dropped(), std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  usage_ = fresh;
  ++usage_version_;
}

uint64_t Loop::next_slot(uint64_t now) noexcept {
  const double gap = 1e9 / options_.messages_per_second;
  const double slot = std::max(next_slot_ns_, static_cast<double>(now) - kCatchUpNs);
  if (slot <= static_cast<double>(now)) next_slot_ns_ = slot + gap;
  return static_cast<uint64_t>(slot);
}

bool Loop::enter_blocking() noexcept {
  // Sequentially consistent with stop(): either the watcher sees `blocking_`, or this sees `stop_`.
  blocking_.store(true, std::memory_order_seq_cst);
  if (stop_.load(std::memory_order_seq_cst)) {
    blocking_.store(false, std::memory_order_relaxed);
    return false;
  }
  return true;
}

void Loop::leave_blocking() noexcept { blocking_.store(false, std::memory_order_release); }

// ---- watcher

void Loop::watcher() {
  pthread_setname_np(pthread_self(), "vl-watch");
  uint64_t next_report = UINT64_MAX;
  progress_ns_ = monotonic_ns();
  std::unique_lock lock(mutex_);
  for (;;) {
    if (ready_port_ && !ready_told_) {
      ready_told_ = true;
      const int port = *ready_port_;
      lock.unlock();
      if (callbacks_.ready) callbacks_.ready(port);
      lock.lock();
      continue;
    }
    if (worker_done_) break;
    const uint64_t begun = begin_ns_.load(std::memory_order_acquire);
    if (begun != 0 && next_report == UINT64_MAX) {
      // The watcher may be late: if the measured time has begun, its first interval begins with it.
      last_ =
          measure_start_ns_.load(std::memory_order_acquire) != 0 ? base_ : take_sample(usage_, probe_.get());
      last_.t_ns = begun;
      next_report = begun + options_.report_ns;
    }
    const uint64_t now = monotonic_ns();
    if (now >= next_report) {
      lock.unlock();
      report(false);
      lock.lock();
      // A late report does not bring a burst of short ones.
      next_report = std::max(next_report + options_.report_ns, now);
      continue;
    }
    const uint64_t limit = time_limit(now);
    uint64_t until = std::min(next_report, limit);
    if (stop_seen_ || now >= limit) {
      // The worker ends by itself unless it is blocked, or about to be.
      if (blocking_.load(std::memory_order_seq_cst)) kick();
      until = std::min(next_report, now + kKickPauseNs);
    }
    if (until == UINT64_MAX) {
      wake_.wait(lock);
    } else {
      wake_.wait_until(lock, at(until));
    }
  }
  lock.unlock();
  if (const uint64_t begun = begin_ns_.load(std::memory_order_acquire); begun != 0) {
    if (next_report == UINT64_MAX) {
      // The loop ended before this thread looked once.
      last_ = base_;
      last_.t_ns = begun;
    }
    report(true);
  }
  Outcome result = outcome();
  ended_.store(true, std::memory_order_release);
  if (callbacks_.end) callbacks_.end(std::move(result), failure_);
}

// Latest time at which the worker must come out of a blocking call: its time is up, or nothing moves.
uint64_t Loop::time_limit(uint64_t now) noexcept {
  const uint64_t messages = messages_.load(std::memory_order_relaxed);
  if (messages != progress_messages_) {
    progress_messages_ = messages;
    progress_ns_ = now;
  }
  const uint64_t idle = options_.idle_timeout_ns == 0 ? UINT64_MAX : progress_ns_ + options_.idle_timeout_ns;
  return std::min(idle, deadline_ns_.load(std::memory_order_acquire));
}

// The worker reports its CPU time on request; a blocked one spends none, so its last report holds.
ThreadUsage Loop::fresh_usage() {
  std::unique_lock lock(mutex_);
  const uint64_t version = usage_version_;
  usage_wanted_.store(true, std::memory_order_relaxed);
  attention_.store(true, std::memory_order_release);
  for (int i = 0; i < kUsageTries && usage_version_ == version && !worker_done_; ++i) {
    lock.unlock();
    std::this_thread::sleep_for(kUsagePause);
    lock.lock();
  }
  return usage_;
}

void Loop::report(bool last) {
  Sample sample = last ? final_ : take_sample(fresh_usage(), probe_.get());
  const uint64_t messages = last ? final_messages_ : messages_.load(std::memory_order_relaxed);
  const uint64_t bytes = last ? final_bytes_ : bytes_.load(std::memory_order_relaxed);
  // The measured time is over: the last interval ends with it and is reported at the end.
  if (!last && finishing_.load(std::memory_order_seq_cst)) return;
  if (last && final_.t_ns <= last_.t_ns && messages == last_messages_) return;
  const uint64_t measuring = measure_start_ns_.load(std::memory_order_acquire);
  // An interval is either before the measured time or in it, so that those in it add up to the totals.
  if (measuring != 0 && last_.t_ns < measuring && measuring < sample.t_ns)
    report_until(base_, base_messages_, base_bytes_);
  // Messages counted after the sample belong to the measured time if that began in between.
  const bool before = measuring != 0 && sample.t_ns <= measuring;
  // A blocked worker reports nothing new: its last report may be older than the last interval's end.
  sample.thread = latest(last_.thread, sample.thread);
  report_until(sample, before ? std::min(messages, base_messages_) : messages,
               before ? std::min(bytes, base_bytes_) : bytes);
}

void Loop::report_until(const Sample& sample, uint64_t messages, uint64_t bytes) {
  const uint64_t begun = begin_ns_.load(std::memory_order_acquire);
  const uint64_t measuring = measure_start_ns_.load(std::memory_order_acquire);

  Figures figures;
  figures.seq = seq_++;
  figures.started_at_ns = begun;
  figures.t_ns = sample.t_ns - begun;
  figures.interval_ns = sample.t_ns > last_.t_ns ? sample.t_ns - last_.t_ns : 0;
  figures.omitted = measuring == 0 || last_.t_ns < measuring;
  figures.messages = messages > last_messages_ ? messages - last_messages_ : 0;
  figures.bytes = bytes > last_bytes_ ? bytes - last_bytes_ : 0;
  figures.outstanding = outstanding_.load(std::memory_order_relaxed);
  interval_.clear();
  (figures.omitted ? warm_ : main_).read_since(figures.omitted ? warm_seen_ : main_seen_, interval_);
  figures.latency = interval_.summary();
  figures.histogram = interval_.encode();
  figures.histogram_total = main_seen_.encode();
  if (split_omitted_ != figures.omitted) {
    split_omitted_ = figures.omitted;
    split_.begin(last_);
  }
  figures.cpu = split_.next(last_, sample, makes_calls());
  if (probe_ != nullptr) {
    const auto& names = probe_->counter_names();
    for (size_t i = 0; i < names.size() && i < sample.counters.size() && i < last_.counters.size(); ++i)
      figures.counters.emplace_back(names[i], sample.counters[i] - last_.counters[i]);
  }
  figures.records_written = records_written_.load(std::memory_order_relaxed);
  figures.records_dropped = records_dropped_.load(std::memory_order_relaxed);
  last_ = sample;
  last_messages_ = messages;
  last_bytes_ = bytes;
  if (callbacks_.report) callbacks_.report(std::move(figures));
}

Outcome Loop::outcome() {
  Outcome out;
  out.reason = reason_;
  out.drained = drained_;
  out.started_at_ns = begin_ns_.load(std::memory_order_acquire);
  out.latency_kind = latency_kind();
  out.whole = whole();
  Figures& totals = out.totals;
  totals.seq = seq_;
  totals.records_written = records_written_.load(std::memory_order_relaxed);
  totals.records_dropped = records_dropped_.load(std::memory_order_relaxed);
  interval_.clear();
  main_.read_since(main_seen_, interval_);
  totals.latency = main_seen_.summary();
  totals.histogram = main_seen_.encode();
  totals.histogram_total = totals.histogram;
  if (out.started_at_ns == 0) return out;
  totals.started_at_ns = out.started_at_ns;
  totals.t_ns = final_.t_ns - out.started_at_ns;
  totals.interval_ns = final_.t_ns - base_.t_ns;
  totals.messages = final_messages_ - base_messages_;
  totals.bytes = final_bytes_ - base_bytes_;
  totals.cpu = difference(base_, final_, makes_calls());
  // The engine's clock is an estimate that later samples correct: only the sums of the intervals agree with
  // them.
  if (split_omitted_ == false) split_.put_sums(&totals.cpu);
  if (probe_ != nullptr) {
    const auto& names = probe_->counter_names();
    for (size_t i = 0; i < names.size() && i < final_.counters.size() && i < base_.counters.size(); ++i)
      totals.counters.emplace_back(names[i], final_.counters[i] - base_.counters[i]);
  }
  return out;
}

}  // namespace vlbench
