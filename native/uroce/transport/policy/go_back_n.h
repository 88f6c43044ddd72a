// Go-back-N, the loss recovery of plain RoCE.
//
// The responder takes packets in PSN order only. When one arrives ahead of the expected PSN, the responder
// sends one NAK "PSN sequence error" and drops everything until the expected packet comes. The requester
// keeps no copy of sent packets. On a NAK, a response that came with a gap (an implied NAK), or a silent
// peer (ACK timeout) it goes back to the first unacknowledged PSN and regenerates every packet from the
// work requests.
//
// A loss gives several signals: copies of the NAK, later ACKs that also show the gap. Going back for each
// would multiply the traffic, so a signal counts once for each acknowledged position. A loss of the
// retransmission itself is left to the timer, because the responder stays silent then. After a timeout one
// signal counts again: the responder may have received nothing at all before, and its first NAK is news.
// The requester owns the timer.
#pragma once

#include <cstdint>
#include <utility>

namespace uroce::transport {

enum class LossSignal : uint8_t { sequence_nak, implied_nak, timeout };

class GoBackN {
 public:
  void reset() { last_resend_ = kNone; }

  // True if the requester should resend now, from the first PSN not acknowledged (64-bit sequence).
  bool on_loss(LossSignal signal, uint64_t first_unacked) {
    if (signal == LossSignal::timeout) {
      last_resend_ = kNone;
      return true;
    }
    return std::exchange(last_resend_, first_unacked) != first_unacked;
  }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;
  uint64_t last_resend_ = kNone;
};

}  // namespace uroce::transport
