#include "bench/histogram.h"

#include <algorithm>
#include <cmath>

namespace vlbench {

void Histogram::record(uint64_t value, uint64_t count) noexcept {
  const size_t index = hdr::index_of(std::min(value, hdr::kHighest));
  counts_[index] += count;
  total_ += count;
  end_ = std::max(end_, index + 1);
}

void Histogram::merge(const Histogram& other) noexcept {
  for (size_t i = 0; i < other.end_; ++i) counts_[i] += other.counts_[i];
  total_ += other.total_;
  end_ = std::max(end_, other.end_);
}

void Histogram::clear() noexcept {
  std::fill(counts_.begin(), counts_.begin() + static_cast<ptrdiff_t>(end_), 0);
  total_ = 0;
  end_ = 0;
}

namespace {

// The value of this rank is the smallest that `percent` of all values do not exceed. packages/protocol counts
// the same way. What floating point adds to a whole rank must not make it the next one.
uint64_t rank_of(double percent, uint64_t total) noexcept {
  const double wanted = std::clamp(percent, 0.0, 100.0) / 100.0 * static_cast<double>(total);
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(wanted - 1e-6)));
}

}  // namespace

uint64_t Histogram::percentile(double percent) const noexcept {
  if (total_ == 0) return 0;
  const uint64_t rank = rank_of(percent, total_);
  uint64_t seen = 0;
  for (size_t i = 0; i < end_; ++i) {
    seen += counts_[i];
    if (seen >= rank) return hdr::highest_of(i);
  }
  return hdr::highest_of(end_ - 1);
}

LatencySummary Histogram::summary() const noexcept {
  LatencySummary out;
  out.count = total_;
  if (total_ == 0) return out;
  // All percentiles take one pass: ranks ascend.
  const double percents[] = {50, 90, 99, 99.9};
  uint64_t* const wanted[] = {&out.p50, &out.p90, &out.p99, &out.p999};
  size_t next = 0;
  uint64_t seen = 0;
  double sum = 0;
  bool first = true;
  for (size_t i = 0; i < end_; ++i) {
    if (counts_[i] == 0) continue;
    const uint64_t low = hdr::value_of(i);
    const uint64_t high = hdr::highest_of(i);
    if (first) out.min = low;
    first = false;
    out.max = high;
    sum += static_cast<double>(counts_[i]) * (static_cast<double>(low) + static_cast<double>(high - low) / 2);
    seen += counts_[i];
    while (next < 4) {
      if (seen < rank_of(percents[next], total_)) break;
      *wanted[next++] = high;
    }
  }
  out.mean = sum / static_cast<double>(total_);
  return out;
}

namespace {

void put(std::vector<uint8_t>& out, uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    out.push_back(static_cast<uint8_t>(value >> shift));
}

// ZigZag LEB128-64b9B: seven bits a byte, lowest first; a ninth byte holds eight.
void put_zigzag(std::vector<uint8_t>& out, int64_t value) {
  uint64_t bits = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  for (int i = 0; i < 8; ++i) {
    if (bits < 0x80) {
      out.push_back(static_cast<uint8_t>(bits));
      return;
    }
    out.push_back(static_cast<uint8_t>(bits | 0x80));
    bits >>= 7;
  }
  out.push_back(static_cast<uint8_t>(bits));
}

}  // namespace

std::vector<uint8_t> Histogram::encode() const {
  std::vector<uint8_t> payload;
  payload.reserve(512);
  // An empty histogram still has its slot 0, as HdrHistogram writes it.
  const size_t limit = std::max<size_t>(end_, 1);
  for (size_t i = 0; i < limit;) {
    if (counts_[i] != 0) {
      put_zigzag(payload, static_cast<int64_t>(counts_[i++]));
      continue;
    }
    const size_t start = i;
    while (i < limit && counts_[i] == 0) ++i;
    const auto zeros = static_cast<int64_t>(i - start);
    put_zigzag(payload, zeros > 1 ? -zeros : 0);
  }

  constexpr uint32_t kCookie = 0x1c849303 | 0x10;
  std::vector<uint8_t> out;
  out.reserve(40 + payload.size());
  put(out, kCookie, 4);
  put(out, payload.size(), 4);
  put(out, 0, 4);  // normalizing index offset
  put(out, hdr::kDigits, 4);
  put(out, 1, 8);  // lowest discernible value
  put(out, hdr::kHighest, 8);
  put(out, std::bit_cast<uint64_t>(1.0), 8);  // integer to double conversion ratio
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

void SharedHistogram::read_since(Histogram& seen, Histogram& interval) const noexcept {
  const size_t end = end_.load(std::memory_order_acquire);
  for (size_t i = 0; i < end; ++i) {
    const uint64_t now = counts_[i].load(std::memory_order_relaxed);
    const uint64_t grown = now - seen.counts_[i];
    if (grown == 0) continue;
    seen.counts_[i] = now;
    seen.total_ += grown;
    seen.end_ = std::max(seen.end_, i + 1);
    interval.counts_[i] += grown;
    interval.total_ += grown;
    interval.end_ = std::max(interval.end_, i + 1);
  }
}

}  // namespace vlbench
