// A bounded buffer from the threads of the program to the one that sends. Putting never waits: what finds no
// room, or finds the lane held for long, is counted instead.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace uroce::feed {

class Lane {
 public:
  // bytes of room; each take() lets in `records` more, up to `burst` that were not used.
  Lane(std::size_t bytes, uint32_t records, uint32_t burst);

  // May a record be put? A hint: spares the work of making one.
  bool open() const { return left_.load(std::memory_order_relaxed) > 0; }
  // Copies a record made of two pieces. False if it was counted as dropped instead. Records start on
  // multiples of eight bytes.
  bool put(const void* head, std::size_t head_bytes, const void* body = nullptr, std::size_t body_bytes = 0);
  // So many were not even made into records.
  void drop(uint64_t records) { dropped_.fetch_add(records, std::memory_order_relaxed); }

  // What was put since the last call, valid until the next one; and how many were dropped. One consumer.
  std::span<const uint8_t> take(uint64_t* dropped);
  // Lets nothing in any more.
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
