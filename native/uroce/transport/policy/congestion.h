// Congestion control of a queue pair: how much it may have in flight, and when its next packet may leave. Without a law,
// which is the default, only ACK timeouts make the window smaller, nothing is paced, and there is no state beyond that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <variant>

#include "uroce/transport/policy/dcqcn.h"
#include "uroce/transport/policy/law.h"
#include "uroce/transport/policy/swift.h"
#include "uroce/transport/policy/timely.h"
#include "uroce/transport/policy/timeout_cut.h"

namespace uroce::transport {

struct NoLaw {};
using CongestionChoice = std::variant<NoLaw, DcqcnParameters, SwiftParameters, TimelyParameters>;

class Congestion {
 public:
  Congestion();
  ~Congestion();

  // Allocates the law's state: before the queue pair is connected. slack: how late a paced packet may be and the next
  // ones still catch up; ns.
  void choose(const CongestionChoice& choice, uint64_t slack);
  // The most packets that recovery can have in flight.
  void set_ceiling(uint32_t packets) { ceiling_ = window_ = packets; }
  void reset(uint32_t mtu) {
    cut_.reset();
    window_ = ceiling_;
    if (controlled_) reset_law(mtu);
  }
  bool controlled() const { return controlled_ != nullptr; }
  // True if the peer should acknowledge at once, since the law measures how long that takes. Both ends have the same
  // law.
  bool measures_delay() const { return measures_delay_; }

  // Packets that may be in flight; `most`: the engine's window.
  uint32_t window_packets(uint32_t most) const { return std::min(most, window_); }
  // Everything below PSN `to` (64-bit sequence) is acknowledged.
  void acked(uint64_t now, uint64_t to, uint32_t most) {
    if (window_ < most || controlled_) take_ack(now, to, most);
  }
  // An answer is missing. divisor: EngineConfig::timeout_window_cut.
  void timed_out(uint64_t now, uint32_t most, uint32_t divisor);
  // The peer, or a gap in its responses, reports a loss.
  void lost(uint64_t now) {
    if (controlled_) law_lost(now);
  }
  void cnp(uint64_t now) {
    if (controlled_) law_cnp(now);
  }
  // The queue pair goes back: what follows is sent a second time, from PSN `to` on.
  void rewound(uint64_t to) {
    if (controlled_) law_rewound(to);
  }

  // Calls for a queue pair with a law.

  // True while the pacer holds the next packet; deadline() says until when.
  bool holds(uint64_t now);
  // A packet with that much UDP payload leaves. longest: the most that the next one is held, ns. An end that held it
  // beyond the ACK timeout would be asked for it again before it has left, and take that for more congestion.
  void sent(uint64_t now, uint32_t bytes, uint64_t longest);
  // The packet before PSN `end` asks for an ACK, and leaves.
  void asked_for_ack(uint64_t now, uint64_t end);
  // Most payload between two packets that ask for an ACK. A slow rate must not make the answer come later than the
  // ACK timeout (ns).
  uint32_t ack_bytes(uint64_t now, uint64_t timeout) const;

  // Time at which a packet that the pacer holds may leave; kNever: it holds none.
  uint64_t deadline() const { return controlled_ ? held_until() : UINT64_MAX; }
  // True if a packet was held until now.
  bool released(uint64_t now);
  // Shortest time between two CNPs to the peer; `configured`: that of the engine.
  uint64_t cnp_interval(uint64_t configured) const;
  CongestionState state(uint64_t now) const;
  // The law and its parameters, as chosen.
  CongestionChoice choice() const;

 private:
  struct Controlled;
  void reset_law(uint32_t mtu);
  void take_ack(uint64_t now, uint64_t to, uint32_t most);
  void law_lost(uint64_t now);
  void law_cnp(uint64_t now);
  void law_rewound(uint64_t to);
  uint64_t held_until() const;
  void take_window();

  TimeoutCut cut_;
  uint32_t ceiling_ = UINT32_MAX;  // packets
  uint32_t window_ = UINT32_MAX;   // packets: of the law, the last timeout and the ceiling
  bool measures_delay_ = false;
  std::unique_ptr<Controlled> controlled_;
};

}  // namespace uroce::transport
