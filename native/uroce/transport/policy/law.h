// What the laws of congestion control share: a law is a class that is told what happens to the packets of a queue pair,
// and says how much may be in flight and at which rate it leaves. Integers only, and no timers of its own: a law catches
// up with the time whenever it is told or asked something.
#pragma once

#include <concepts>
#include <cstdint>

namespace uroce::transport {

// Fractions in units of 2^-31.
using Fraction = uint32_t;
inline constexpr Fraction kOne = 1u << 31;

// value x fraction, rounded down.
inline uint64_t scale(uint64_t value, Fraction fraction) {
  return (value >> 31) * fraction + ((value & (kOne - 1)) * fraction >> 31);
}

struct Acked {
  uint64_t now;
  uint32_t packets;  // acknowledged for the first time
  uint64_t rtt;      // ns; 0: not measured
};

// For counters and pages.
struct CongestionState {
  uint64_t rate = 0;          // bits per second; 0: as fast as the link
  uint64_t target = 0;        // DCQCN: the rate that it returns to
  Fraction alpha = 0;         // DCQCN: how congested the path is held to be
  uint64_t window = 0;        // thousandths of a packet; 0: no window of its own
  uint64_t rtt = 0;           // ns, the last one measured; 0: none
  uint64_t smoothed_rtt = 0;  // ns, an average in which each new one counts an eighth; 0: none
};

template <class T>
concept CongestionLaw = requires(T law, const T fixed, uint64_t now, uint32_t n, const Acked& acked) {
  law.reset(n);      // before the first packet; the path MTU
  law.sent(n, now);  // a packet with that much UDP payload
  law.acked(acked);
  law.cnp(now);
  law.lost(now);                                 // the peer reports a packet as lost
  law.timed_out(now);                            // an answer is missing
  { fixed.window() } -> std::same_as<uint32_t>;  // packets in flight at most, from 1
  { law.rate(now) } -> std::same_as<uint64_t>;   // bits per second; 0: not paced
  {
    fixed.ack_bytes()
  } -> std::same_as<uint32_t>;  // payload between two packets that ask for an ACK, at most
  { T::kMeasuresDelay } -> std::convertible_to<bool>;
  { law.state(now) } -> std::same_as<CongestionState>;
};

}  // namespace uroce::transport
