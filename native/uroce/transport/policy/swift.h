// Swift (Kumar et al., SIGCOMM 2020): a window that grows while the round-trip time is below a target, and shrinks at most
// once per round trip in proportion to how far above it is. The target of a small window is longer (flow scaling), so that
// many senders to one receiver share it. A window below one packet becomes a gap between packets.
//
// The ACK says nothing of the time in the receiver's host, so there is one window, for network and host together.
#pragma once

#include <cstdint>

#include "uroce/transport/policy/law.h"

namespace uroce::transport {

// Windows in thousandths of a packet, times in ns. The defaults are those of htsim's model.
struct SwiftParameters {
  uint64_t base_target = 20'000;     // round trip without queues, the hops included
  uint64_t scaling_range = 100'000;  // longest addition of flow scaling; 0: none
  uint64_t scaling_from = 100;       // window at which the addition is longest
  uint64_t scaling_to = 100'000;     // window from which on there is none
  uint64_t additive_step = 1'000;    // per round trip
  uint32_t beta = 800;               // thousandths
  uint32_t max_decrease = 500;       // thousandths of the window
  uint64_t initial_window = 12'000;
  uint64_t min_window = 1;
  uint64_t max_window = 1'000'000;
  uint32_t timeouts_to_min = 5;  // in a row

  bool valid() const;
};

class Swift {
 public:
  static constexpr bool kMeasuresDelay = true;
  explicit Swift(const SwiftParameters& parameters);

  void reset(uint32_t mtu);
  void sent(uint32_t, uint64_t) {}
  void acked(const Acked& acked);
  void cnp(uint64_t) {}
  void lost(uint64_t now) { decrease(now, p_.max_decrease); }
  void timed_out(uint64_t now);
  uint32_t window() const;
  uint64_t rate(uint64_t now) const;
  uint32_t ack_bytes() const;
  CongestionState state(uint64_t now) const;
  const SwiftParameters& parameters() const { return p_; }
  // Target of the round-trip time with the present window; ns.
  uint64_t target() const;

 private:
  // Shrinks the window by so many thousandths, unless it has shrunk within the last round trip.
  void decrease(uint64_t now, uint64_t thousandths);

  SwiftParameters p_;
  uint64_t scaling_ends_;  // 2^20 / sqrt(packets) of scaling_to, and how much more of scaling_from
  uint64_t scaling_span_;
  uint32_t mtu_ = 1024;
  uint64_t window_ = 0;  // in units of 2^-20 packets
  uint64_t rtt_ = 0;     // the last one measured
  uint64_t last_decrease_ = 0;
  uint32_t unmeasured_ = 0;  // packets acknowledged since then
  uint32_t timeouts_ = 0;    // in a row
};

static_assert(CongestionLaw<Swift>);

}  // namespace uroce::transport
