// Completion records to a reader in another language: a single-producer, single-consumer ring over memory
// that the reader provides (a SharedArrayBuffer). Layout in 32-bit words;
// packages/verbs/src/loop/completion-ring.ts is the reader.
//   0 written   16 read   32 dropped lo   33 dropped hi   48 capacity (power of two)   64 first record (8
//   words each)
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vlbench {

struct CompletionRecord {
  uint64_t t_ns;   // CLOCK_MONOTONIC of the poll
  uint32_t wr_id;  // low 32 bits
  uint32_t batch;  // completions that the same poll returned
  uint32_t qpn;
  uint32_t meta;  // wc opcode | status << 8 | flags << 16
  uint32_t byte_len;
  uint32_t latency_ns;  // post to completion; 0xffffffff: longer, or not known
};
static_assert(sizeof(CompletionRecord) == 32);

inline constexpr uint32_t kNoLatency = 0xffff'ffff;
inline constexpr size_t kRingHeaderWords = 64;
inline constexpr size_t kRecordWords = 8;

class RingWriter {
 public:
  RingWriter() = default;
  // `words` must hold the header and capacity records, and outlive the writer.
  explicit RingWriter(std::span<uint32_t> words) noexcept;

  explicit operator bool() const noexcept { return capacity_ != 0; }

  // False when the ring is full: the caller drops (and says so with `drop`) or waits.
  bool push(const CompletionRecord& record) noexcept {
    if (written_ - read_seen_ == capacity_) {
      read_seen_ = std::atomic_ref(words_[16]).load(std::memory_order_acquire);
      if (written_ - read_seen_ == capacity_) return false;
    }
    store(record);
    std::atomic_ref(words_[0]).store(++written_, std::memory_order_release);
    ++total_;
    return true;
  }

  void drop() noexcept;
  uint64_t written() const noexcept { return total_; }
  uint64_t dropped() const noexcept { return dropped_; }

 private:
  void store(const CompletionRecord& record) noexcept;

  uint32_t* words_ = nullptr;
  uint32_t capacity_ = 0;
  uint32_t written_ = 0;
  uint32_t read_seen_ = 0;
  uint64_t total_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace vlbench
