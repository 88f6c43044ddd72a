#include "bench/ring.h"

#include <bit>
#include <cstring>

namespace vlbench {

RingWriter::RingWriter(std::span<uint32_t> words) noexcept {
  if (words.size() < kRingHeaderWords + kRecordWords) return;
  const uint32_t capacity = words[48];
  if (!std::has_single_bit(capacity) || words.size() < kRingHeaderWords + size_t{capacity} * kRecordWords)
    return;
  words_ = words.data();
  capacity_ = capacity;
  written_ = std::atomic_ref(words_[0]).load(std::memory_order_relaxed);
  read_seen_ = std::atomic_ref(words_[16]).load(std::memory_order_acquire);
}

void RingWriter::store(const CompletionRecord& record) noexcept {
  const size_t at = kRingHeaderWords + size_t{written_ & (capacity_ - 1)} * kRecordWords;
  std::memcpy(words_ + at, &record, sizeof record);
}

void RingWriter::drop() noexcept {
  ++dropped_;
  std::atomic_ref(words_[32]).store(static_cast<uint32_t>(dropped_), std::memory_order_relaxed);
  std::atomic_ref(words_[33]).store(static_cast<uint32_t>(dropped_ >> 32), std::memory_order_relaxed);
}

}  // namespace vlbench
