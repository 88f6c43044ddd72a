// Latency histograms in the layout of HdrHistogram (Gil Tene; public domain, github.com/HdrHistogram): values
// from 1 ns to 10 minutes with three significant digits, so every recorded value is off by at most one in a
// thousand.
//
// Buckets double in width. The first holds 2,048 values of width 1; each further one the upper 1,024 of twice
// the range. Index and value convert by a shift, without a division, and histograms add up slot by slot.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vlbench {

namespace hdr {

inline constexpr int kDigits = 3;
inline constexpr int kHalfMagnitude = 10;
inline constexpr uint64_t kHalf = 1u << kHalfMagnitude;
inline constexpr uint64_t kSubBuckets = 2 * kHalf;
inline constexpr uint64_t kHighest = 600'000'000'000;

constexpr size_t index_of(uint64_t value) noexcept {
  const int bucket = 53 - std::countl_zero(value | (kSubBuckets - 1));
  const uint64_t sub = value >> bucket;
  return ((static_cast<size_t>(bucket) + 1) << kHalfMagnitude) + static_cast<size_t>(sub) - kHalf;
}

constexpr int bucket_of_index(size_t index) noexcept {
  const int bucket = static_cast<int>(index >> kHalfMagnitude) - 1;
  return bucket < 0 ? 0 : bucket;
}

// Lowest value of a slot.
constexpr uint64_t value_of(size_t index) noexcept {
  if (index < kHalf) return index;
  return ((index & (kHalf - 1)) + kHalf) << bucket_of_index(index);
}

// Highest value of a slot.
constexpr uint64_t highest_of(size_t index) noexcept {
  return value_of(index) + (uint64_t{1} << bucket_of_index(index)) - 1;
}

// Slots that HdrHistogram allocates for this range.
inline constexpr size_t kSlots = [] {
  size_t buckets = 1;
  for (uint64_t reach = kSubBuckets; reach <= kHighest; reach <<= 1) ++buckets;
  return (buckets + 1) * kHalf;
}();

}  // namespace hdr

// Figures of a histogram, nanoseconds; all 0 when it is empty. Percentiles are the highest value of their
// slot, as HdrHistogram gives them.
struct LatencySummary {
  uint64_t count = 0;
  uint64_t min = 0;
  uint64_t max = 0;
  double mean = 0;
  uint64_t p50 = 0;
  uint64_t p90 = 0;
  uint64_t p99 = 0;
  uint64_t p999 = 0;
};

// A histogram that one thread owns.
class Histogram {
 public:
  Histogram() : counts_(hdr::kSlots) {}

  // Values outside 0 .. 10 minutes are recorded as 10 minutes.
  void record(uint64_t value, uint64_t count = 1) noexcept;
  void merge(const Histogram& other) noexcept;
  void clear() noexcept;

  uint64_t count() const noexcept { return total_; }
  uint64_t count_at(size_t index) const noexcept { return counts_[index]; }
  // Highest value of the slot below which `percent` of the values lie; 0 when empty.
  uint64_t percentile(double percent) const noexcept;
  LatencySummary summary() const noexcept;

  // V2 encoding, not compressed (cookie 0x1c849313): what hdr-histogram-js's JsHistogram.decode reads, and,
  // deflated behind an 8-byte header, every other implementation.
  std::vector<uint8_t> encode() const;

 private:
  friend class SharedHistogram;
  std::vector<uint64_t> counts_;
  uint64_t total_ = 0;
  size_t end_ = 0;  // slot behind the highest in use
};

// A histogram that one thread writes while others read. Writing is a load and a store without a locked
// instruction; a reader sees every value that was recorded before, give or take the one being recorded.
class SharedHistogram {
 public:
  SharedHistogram() : counts_(std::make_unique<std::atomic<uint64_t>[]>(hdr::kSlots)) {}

  void record(uint64_t value) noexcept {
    const size_t index = hdr::index_of(value < hdr::kHighest ? value : hdr::kHighest);
    auto& slot = counts_[index];
    slot.store(slot.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (index >= end_.load(std::memory_order_relaxed)) end_.store(index + 1, std::memory_order_release);
  }

  // Adds what was recorded since `seen` to `interval`, and brings `seen` up to date.
  void read_since(Histogram& seen, Histogram& interval) const noexcept;

 private:
  std::unique_ptr<std::atomic<uint64_t>[]> counts_;
  std::atomic<size_t> end_{0};
};

}  // namespace vlbench
