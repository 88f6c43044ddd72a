// Looks inside engines for what must hold at every step.
#pragma once

#include "uroce/transport/engine.h"
#include "violation.h"

namespace uroce::transport {

struct EngineInspector {
  // limits: the configuration with the largest windows that were ever set.
  static void check(const Qp& qp, const EngineConfig& limits) {
    using sim::require;
    const Requester& r = qp.requester_;
    const SendState& s = qp.send_;
    require(s.acked <= s.next && s.next <= s.high && s.high <= s.posted, "sequence numbers out of order");
    require(s.acked_bytes <= s.next_bytes && s.next_bytes <= s.posted_bytes, "byte counts out of order");
    require(r.counted_in_flight_ == (r.own_flow_control_ ? 0 : s.next_bytes - s.acked_bytes),
            "bytes in flight miscounted");
    require(s.next - s.acked <= 1 || s.next - s.acked <= limits.window_packets,
            "more packets in flight than the window");
    require(s.next - s.acked <= 1 || s.next_bytes - s.acked_bytes <= limits.window_bytes,
            "more bytes in flight than the window");
    require(r.reads_out_ <= qp.attr_.max_rd_atomic, "more READs and atomics outstanding than agreed");
    require(r.rnr_until_ == 0 || !r.in_flight(), "packets in flight while waiting for a receive");
    require(!r.in_flight() || r.ack_deadline_ != kNever, "packets in flight and no timer");
    require(!qp.stalled_hook.linked || qp.active_hook.linked || s.next == s.posted || qp.deadline() != kNever,
            "a request waits for room on its path and no timer runs");
    require(!qp.blocked_hook.linked || qp.active_hook.linked || s.next == s.posted || r.rnr_until_ != 0 ||
                r.ack_requested_ > s.acked,
            "a QP that waits for the shared window and has no answer coming");
    require(qp.responder_.pending_ <= qp.responder_.resource_count_, "more answers pending than places");
    check_selective(qp);
    require(qp.type() != QpType::rc || qp.responder_.ack_end_ <= qp.recv_.expected,
            "an ACK for what has not come");
  }
  static void check_selective(const Qp& qp) {
    using sim::require;
    const SelectiveRepeat* selective = qp.recovery_.selective();
    const SendState& s = qp.send_;
    const Responder& r = qp.responder_;
    if (selective == nullptr) return require(r.held_.empty(), "packets held without selective repeat");
    require(s.next - s.acked <= SelectiveRepeat::kReach, "more in flight than a NAK can name");
    require(selective->base_ == s.acked, "selective repeat is elsewhere than its requester");
    const auto lost = selective->next_resend(s.acked + SelectiveRepeat::kReach);
    require(!lost || (*lost >= s.acked && *lost < s.next), "a packet to send again that is not in flight");
    require(!lost || qp.requester_.rnr_until_ == 0, "something to send again while waiting for a receive");
    require(!lost || qp.active_hook.linked || qp.stalled_hook.linked || qp.deadline() != kNever,
            "something to send again and no turn coming");
    require(qp.can_receive() || r.held_.empty(), "packets held by a QP that takes none");
    ExtPsn before = qp.recv_.expected;
    for (uint16_t i = r.held_.first; i != HeldPackets::kNone; i = qp.engine_.reorder_.at(i).next) {
      const ExtPsn psn = qp.engine_.reorder_.at(i).psn;
      require(psn > before && psn - qp.recv_.expected <= SelectiveRepeat::kReach,
              "held packets out of order");
      before = psn;
    }
  }
  // Packets that a QP holds.
  static uint32_t held(const Qp& qp) {
    uint32_t count = 0;
    for (uint16_t i = qp.responder_.held_.first; i != HeldPackets::kNone; i = qp.engine_.reorder_.at(i).next)
      ++count;
    return count;
  }
  static uint32_t held(const Engine& engine) { return engine.reorder_.held(); }
  // The sequence number of the next packet, and whether that one was sent before.
  static uint64_t next(const Qp& qp) { return qp.send_.next; }
  static bool repeats(const Qp& qp) { return qp.send_.next < qp.send_.high; }
  static uint64_t in_flight(const Qp& qp) { return qp.requester_.counted_in_flight_; }
  static uint64_t in_flight(const Engine& engine) { return engine.in_flight_; }
};

}  // namespace uroce::transport
