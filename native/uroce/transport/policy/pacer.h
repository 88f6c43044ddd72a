// Spaces the packets of a queue pair so that they leave at a rate. The fraction of a nanosecond that a gap leaves over
// is carried into the next one. Time that passes without packets earns nothing: there is no burst after it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace uroce::transport {

// Bytes of a packet on the link beside its UDP payload: Ethernet with preamble, FCS and gap, IPv4, UDP. With them a rate
// means what the rate of a link means.
inline constexpr uint32_t kLinkOverhead = 38 + 20 + 8;

class Pacer {
 public:
  void reset() { *this = {}; }
  // Time before which the next packet must not leave.
  uint64_t next() const { return next_; }
  // A packet of that much UDP payload leaves at `now`. rate: bits per second. slack: how far behind its times a sender
  // may be and still catch up, because its owner wakes late; ns. longest: the most that the next packet waits from now, ns.
  void sent(uint64_t now, uint32_t bytes, uint64_t rate, uint64_t slack, uint64_t longest = UINT64_MAX) {
    const uint64_t earliest = now > slack ? now - slack : 0;
    const uint64_t units = (uint64_t{bytes} + kLinkOverhead) * 8 * 1'000'000'000 + carried_;
    next_ = std::max(next_, earliest) + units / rate;
    carried_ = units % rate;
    if (next_ > now && next_ - now > longest) next_ = now + longest;
  }

 private:
  uint64_t next_ = 0;
  uint64_t carried_ = 0;  // below the rate: this part of a nanosecond
};

}  // namespace uroce::transport
