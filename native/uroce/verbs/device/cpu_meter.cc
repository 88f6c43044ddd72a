#include "uroce/verbs/device/cpu_meter.h"

#include <algorithm>

#include "uroce/net/host/clock.h"

namespace uroce::verbs {
namespace {

constexpr uint64_t kSuspicious = 100'000;        // ns: longer than any one progress call needs
constexpr uint64_t kSampleInterval = 2'000'000;  // ns between looks at the thread's CPU clock otherwise
constexpr uint64_t kFloor = 20'000;              // ns: what a cut stretch is left with

struct Sample {
  uint64_t wall = 0;
  uint64_t cpu = 0;
};
thread_local Sample last_sample;

// ns that this thread did not run since the last sample; takes a new one.
uint64_t stolen_since_sample(uint64_t wall) {
  const uint64_t cpu = net::thread_cpu_ns();
  uint64_t stolen = 0;
  if (last_sample.wall != 0) {
    const uint64_t passed = wall - last_sample.wall;
    const uint64_t ran = cpu - last_sample.cpu;
    stolen = passed > ran ? passed - ran : 0;
  }
  last_sample = {wall, cpu};
  return stolen;
}

}  // namespace

void CpuMeter::add(uint64_t begin, uint64_t end, uint64_t kernel_ns, bool engine_thread) {
  uint64_t total = end - begin;
  if (total > kSuspicious) {
    const uint64_t stolen = stolen_since_sample(end);
    const uint64_t cut = std::min(stolen, total - std::min(total, kFloor));
    // Share the loss between user and kernel as their lengths are.
    const uint64_t left = total - cut;
    kernel_ns = total == 0 ? 0
                           : static_cast<uint64_t>(static_cast<double>(kernel_ns) *
                                                   static_cast<double>(left) / static_cast<double>(total));
    total = left;
  } else if (end - last_sample.wall > kSampleInterval) {
    stolen_since_sample(end);
  }
  kernel_ns = std::min(kernel_ns, total);
  uint64_t weight = 1;
  if (timed_calls_ < kOneByOne) {
    ++timed_calls_;
  } else {
    weight = kEvery;
    countdown_ = draw_gap();
  }
  bump(user_ns_, (total - kernel_ns) * weight);
  bump(kernel_ns_, kernel_ns * weight);
  if (!engine_thread) {
    bump(app_ns_, total * weight);
    bump(app_user_ns_, (total - kernel_ns) * weight);
  }
  bump(calls_, 1);
}

uint32_t CpuMeter::draw_gap() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  random_ ^= random_ << 5;
  return static_cast<uint32_t>((uint64_t{random_} * (2 * kEvery - 1)) >> 32);
}

CpuMeter::Figures CpuMeter::figures() const {
  return {user_ns_.load(std::memory_order_relaxed), kernel_ns_.load(std::memory_order_relaxed),
          app_ns_.load(std::memory_order_relaxed),  app_user_ns_.load(std::memory_order_relaxed),
          calls_.load(std::memory_order_relaxed),   empty_polls_.load(std::memory_order_relaxed)};
}

}  // namespace uroce::verbs
