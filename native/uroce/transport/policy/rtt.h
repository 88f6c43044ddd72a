// Round-trip times of packets that asked for an ACK: from the time when the packet was emitted to its ACK. What was
// sent twice gives none, since nobody knows which of the two was answered (Karn's rule): going back clears them all.
#pragma once

#include <array>
#include <cstdint>

namespace uroce::transport {

class RttRing {
 public:
  void clear() { count_ = 0; }
  // The packet before PSN `end` (64-bit sequence) left, and asked for an ACK. Not measured if too many are under way.
  void sent(uint64_t end, uint64_t now) {
    if (count_ == sent_.size()) return;
    sent_[(head_ + count_++) % sent_.size()] = {end, now};
  }
  // Everything below `to` is acknowledged. The round-trip time of the last packet of them that asked; 0: none did.
  uint64_t acked(uint64_t to, uint64_t now) {
    uint64_t rtt = 0;
    for (; count_ != 0 && sent_[head_].end <= to; --count_) {
      rtt = now - sent_[head_].at;
      head_ = static_cast<uint8_t>((head_ + 1) % sent_.size());
    }
    return rtt;
  }

 private:
  struct Sent {
    uint64_t end, at;
  };
  std::array<Sent, 32> sent_{};
  uint8_t head_ = 0, count_ = 0;
};

// Average of round-trip times, in which each new one counts an eighth, as TCP's does (RFC 6298).
class SmoothedRtt {
 public:
  // rtt: ns; 0: none was measured.
  void add(uint64_t rtt) {
    if (rtt != 0) eighths_ = eighths_ == 0 ? rtt * 8 : eighths_ - eighths_ / 8 + rtt;
  }
  // 0: none yet.
  uint64_t ns() const { return eighths_ / 8; }

 private:
  uint64_t eighths_ = 0;
};

}  // namespace uroce::transport
