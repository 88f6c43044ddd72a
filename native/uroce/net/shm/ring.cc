#include "uroce/net/shm/ring.h"

#include <algorithm>
#include <cstring>

namespace uroce::net::shm {
namespace {

constexpr uint32_t kWord = 8;
constexpr uint64_t kSkip = 1ull << 63;  // a word: the next record is at the front
constexpr uint64_t kLast = 1ull << 52;  // bit of a word: the last packet of its batch
constexpr uint32_t kSmall = 128;        // bytes: a smaller packet is written faster than its lines arrive
constexpr uint32_t kAhead = 512;        // bytes between the writer and the lines that it prefetches
constexpr uint64_t kFlowLabelMask = 0xfffff;

uint32_t record_bytes(uint32_t length) { return (kWord + length + kLine - 1) & ~(kLine - 1); }

// bits 0..15 length, 16..23 TOS, 24..31 TTL, 32..51 flow label, 52 kLast
uint64_t word_of(uint32_t length, const PacketInfo& info) {
  return length | uint64_t{info.tos} << 16 | uint64_t{info.ttl} << 24 |
         (info.flow_label & kFlowLabelMask) << 32;
}

std::atomic_ref<uint64_t> word(uint8_t* records, uint64_t offset) {
  return std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(records + offset));
}

// Takes the line from the core that read it a lap ago, so that the following store need not wait for it.
void fetch_to_write(uint8_t* line) {
#if defined(__x86_64__)
  // For the oldest x86-64 the compiler emits an instruction that shares the line, which does not help.
  // Processors that do not know this one ignore it.
  __asm__ volatile("prefetchw %0" : : "m"(*line));
#else
  __builtin_prefetch(line, 1);
#endif
}

// Copies by the C library. For a bounded length the compiler would emit a string instruction, which is slow
// to start and takes lines that another core has written one by one.
void copy(uint8_t* to, const uint8_t* from, std::size_t length) {
  __asm__("" : "+r"(length));
  std::memcpy(to, from, length);
}

}  // namespace

RingWriter::RingWriter(std::span<uint8_t> memory)
    : control_(reinterpret_cast<RingControl*>(memory.data())),
      records_(memory.data() + kRecords),
      size_(static_cast<uint32_t>(memory.size() - kRecords)) {}

// Free bytes, except one line, which stays free for the word after the last record.
uint64_t RingWriter::free_bytes() const { return size_ - kLine - (tail_ - head_); }

void RingWriter::refresh_head() {
  const uint64_t head = control_->head.load(std::memory_order_acquire);
  if (head < head_ || head > tail_ || (head & (kLine - 1)) != 0) {
    broken_ = true;
  } else {
    head_ = head;
  }
}

uint8_t* RingWriter::reserve(uint32_t length) {
  const uint32_t bytes = record_bytes(length);
  const uint32_t offset = static_cast<uint32_t>(tail_) & (size_ - 1);
  const uint32_t skipped = offset + bytes > size_ ? size_ - offset : 0;
  if (free_bytes() < skipped + bytes) refresh_head();
  if (broken_ || free_bytes() < skipped + bytes) return nullptr;
  if (skipped != 0) {
    word(records_, 0).store(0, std::memory_order_relaxed);
    word(records_, offset).store(kSkip, std::memory_order_release);
    tail_ += skipped;
    return records_ + kWord;
  }
  // A waiting reader polls this line all the time. The line comes back while the packet is made.
  fetch_to_write(records_ + offset);
  return records_ + offset + kWord;
}

void RingWriter::append(uint32_t length, const PacketInfo& info) {
  const uint64_t next = tail_ + record_bytes(length);
  word(records_, next & (size_ - 1)).store(0, std::memory_order_relaxed);
  const uint64_t w = word_of(length, info);
  if (held_word_ == 0) {
    held_word_ = w;
    held_at_ = tail_;
  } else {
    word(records_, tail_ & (size_ - 1)).store(w, std::memory_order_relaxed);
  }
  last_word_ = w;
  last_at_ = tail_;
  tail_ = next;
  if (length <= kSmall) {
    for (uint32_t line = 0; line < kSmall; line += kLine)
      fetch_to_write(records_ + ((tail_ + kAhead + line) & (size_ - 1)));
  }
  if (tail_ - held_at_ >= kHeld) release();
}

void RingWriter::release() {
  if (held_word_ == 0) return;
  if (last_at_ == held_at_) {
    held_word_ |= kLast;
  } else {
    word(records_, last_at_ & (size_ - 1)).store(last_word_ | kLast, std::memory_order_relaxed);
  }
  word(records_, held_at_ & (size_ - 1)).store(held_word_, std::memory_order_release);
  held_word_ = 0;
}

uint32_t RingWriter::room(uint32_t length, uint32_t enough) {
  const uint64_t bytes = record_bytes(length);
  // At worst the end of the ring is skipped once, for less than a record.
  const auto fitting = [&] { return free_bytes() < bytes ? 0 : (free_bytes() - bytes) / bytes; };
  if (fitting() < enough) refresh_head();
  return broken_ ? 0 : static_cast<uint32_t>(fitting());
}

void RingWriter::set_waiting(bool waits) {
  control_->writer_waits.store(waits ? 1 : 0, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

RingReader::RingReader(std::span<uint8_t> memory)
    : control_(reinterpret_cast<RingControl*>(memory.data())),
      records_(memory.data() + kRecords),
      size_(static_cast<uint32_t>(memory.size() - kRecords)),
      copy_(new uint8_t[kMaxPacket]) {}

std::atomic_ref<uint64_t> RingReader::word_at(uint64_t position) const {
  return word(records_, position & (size_ - 1));
}

bool RingReader::pop(Packet* out) {
  if (broken_) return false;
  uint64_t w = word_at(position_).load(std::memory_order_acquire);
  if (w == 0) return false;
  uint32_t offset = static_cast<uint32_t>(position_) & (size_ - 1);
  if (w == kSkip && offset != 0) {
    position_ += size_ - offset;
    offset = 0;
    w = word_at(position_).load(std::memory_order_acquire);
    if (w == 0) return false;
  }
  const uint32_t length = w & 0xffff;
  if (w >> 53 != 0 || length < kMinPacket || length > kMaxPacket || offset + kWord + length > size_) {
    broken_ = true;
    return false;
  }
  const bool last = (w & kLast) != 0;
  // The rest of the batch is there, and its line arrives while this packet is handled. A line that the
  // writer may be about to write to is not taken away from it.
  if (!last) __builtin_prefetch(records_ + ((position_ + record_bytes(length)) & (size_ - 1)));
  copy(copy_.get(), records_ + offset + kWord, length);
  position_ += record_bytes(length);
  *out = {.data = copy_.get(),
          .length = length,
          .last = last,
          .info = {.tos = static_cast<uint8_t>(w >> 16),
                   .ttl = static_cast<uint8_t>(w >> 24),
                   .flow_label = static_cast<uint32_t>(w >> 32 & kFlowLabelMask)}};
  return true;
}

bool RingReader::give_back(bool empty) {
  if (given_back_ != position_) {
    given_back_ = position_;
    control_->head.store(position_, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  } else if (woken_at_ == given_back_) {
    return false;
  }
  if (control_->writer_waits.load(std::memory_order_relaxed) == 0) return false;
  if (!empty && given_back_ - woken_at_ < size_ / 2) return false;
  woken_at_ = given_back_;
  return true;
}

}  // namespace uroce::net::shm
