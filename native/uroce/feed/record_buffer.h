// A bounded buffer from the threads of the program to the feed's thread. Putting never waits: a record that
// finds no room, or finds the buffer locked for long, is counted as dropped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace uroce::feed {

class RecordBuffer {
 public:
  // Holds `bytes` bytes. Each swap_out() admits `records` more records; unused ones add up to `burst`.
  RecordBuffer(std::size_t bytes, uint32_t records, uint32_t burst);

  // True if a record may be put. A hint that saves making one in vain.
  bool open() const { return left_.load(std::memory_order_relaxed) > 0; }
  // Copies a record made of two pieces. False if it was counted as dropped instead. Records start on
  // multiples of eight bytes.
  bool put(const void* head, std::size_t head_bytes, const void* body = nullptr, std::size_t body_bytes = 0);
  // Counts records that were not even made.
  void drop(uint64_t records) { dropped_.fetch_add(records, std::memory_order_relaxed); }

  // The records since the last call, valid until the next call, and the number of dropped ones. One
  // consumer.
  std::span<const uint8_t> swap_out(uint64_t* dropped);
  // Admits no more records.
  void close() {
    closed_.store(true);
    left_.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr int kSpins = 64;

  const std::size_t capacity_;
  const uint32_t records_;
  const uint32_t burst_;
  std::atomic<bool> closed_{false};
  std::unique_ptr<uint8_t[]> filling_;
  std::unique_ptr<uint8_t[]> taken_;
  std::size_t used_ = 0;
  std::atomic<int64_t> left_;
  std::atomic<uint64_t> dropped_{0};
  std::atomic_flag held_;
};

}  // namespace uroce::feed
