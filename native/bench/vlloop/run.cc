#include <condition_variable>
#include <mutex>

#include "bench/vlloop/sides.h"

namespace vlloop {

void fill(const Args& args, vlbench::LoopOptions& options) {
  options.target = args.host.empty();
  options.latency = args.latency;
  options.event = args.event;
  options.size = args.size;
  if (options.target) return;
  options.iterations = args.seconds > 0 ? 0 : args.iterations;
  options.duration_ns = static_cast<uint64_t>(args.seconds * 1e9);
  options.omit_ns = static_cast<uint64_t>(args.omit * 1e9);
  options.messages_per_second = args.rate;
}

Ended run_loop(const Args& args, const MakeLoop& make, const std::function<void(int)>& on_ready,
               const std::function<void(vlbench::Loop&)>& during) {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<int> port;
  std::optional<Ended> ended;
  vlbench::Callbacks callbacks;
  callbacks.ready = [&](int value) {
    const std::lock_guard lock(mutex);
    port = value;
    changed.notify_all();
  };
  if (args.series) callbacks.report = [](vlbench::Figures&& figures) { print_series(figures); };
  callbacks.end = [&](vlbench::Outcome&& outcome, const std::optional<vlbench::Failure>& failure) {
    const std::lock_guard lock(mutex);
    ended = Ended{std::move(outcome), failure};
    changed.notify_all();
  };
  const auto loop = make(std::move(callbacks));
  loop->start();
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return port || ended; });
  lock.unlock();
  if (port) on_ready(*port);
  if (during && port) during(*loop);
  lock.lock();
  changed.wait(lock, [&] { return ended.has_value(); });
  lock.unlock();
  loop->join();
  return std::move(*ended);
}

void stop_when_told(Control& control, vlbench::Loop& loop) {
  try {
    control.receive();
  } catch (const vlbench::Failure&) {
    // A client that was killed says nothing.
  }
  loop.stop(50'000'000);
}

}  // namespace vlloop
