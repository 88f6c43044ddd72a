#include "uroce/feed/record_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace uroce::feed {
namespace {

std::size_t round_up(std::size_t n) { return (n + 7) & ~std::size_t{7}; }

}  // namespace

RecordBuffer::RecordBuffer(std::size_t bytes, uint32_t records, uint32_t burst)
    : capacity_(bytes),
      records_(records),
      burst_(burst),
      filling_(new uint8_t[bytes]),
      taken_(new uint8_t[bytes]),
      left_(burst) {}

bool RecordBuffer::put(const void* head, std::size_t head_bytes, const void* body, std::size_t body_bytes) {
  const std::size_t size = round_up(head_bytes + body_bytes);
  bool held = !held_.test_and_set(std::memory_order_acquire);
  for (int i = 0; i < kSpins && !held; ++i) held = !held_.test_and_set(std::memory_order_acquire);
  bool fits = false;
  if (held) {
    fits = left_.load(std::memory_order_relaxed) > 0 && size <= capacity_ - used_;
    if (fits) {
      uint8_t* out = filling_.get() + used_;
      std::memcpy(out, head, head_bytes);
      if (body_bytes > 0) std::memcpy(out + head_bytes, body, body_bytes);
      std::memset(out + head_bytes + body_bytes, 0, size - head_bytes - body_bytes);
      used_ += size;
      left_.fetch_sub(1, std::memory_order_relaxed);
    }
    held_.clear(std::memory_order_release);
  }
  if (!fits) drop(1);
  return fits;
}

std::span<const uint8_t> RecordBuffer::swap_out(uint64_t* dropped) {
  while (held_.test_and_set(std::memory_order_acquire)) {
  }
  std::swap(filling_, taken_);
  const std::size_t used = std::exchange(used_, 0);
  if (!closed_.load()) {
    const int64_t left = std::max<int64_t>(0, left_.load(std::memory_order_relaxed));
    left_.store(std::min<int64_t>(left + records_, burst_), std::memory_order_relaxed);
  }
  held_.clear(std::memory_order_release);
  *dropped = dropped_.exchange(0, std::memory_order_relaxed);
  return {taken_.get(), used};
}

}  // namespace uroce::feed
