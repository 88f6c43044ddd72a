// Go-back-0: on a loss the requester sends the whole message again, and the responder forgets what it had of it. Early
// NICs did so (Guo et al., SIGCOMM 2016): a message longer than the distance between two losses never arrives while the
// link is full. READs and atomics go back to the missing response, as with go-back-N.
//
// Both ends need this policy. The responder answers a gap with a NAK of the first PSN of the message. ACKs within a
// message still open the window: the NAK takes them back.
#pragma once

#include <cstdint>

#include "uroce/transport/policy/go_back_n.h"

namespace uroce::transport {

class GoBackZero {
 public:
  void reset() { go_back_n_.reset(); }

  // True if the requester should send again. The responder reports each gap once, so each of its NAKs is news, though
  // they name the same PSN until the message has arrived.
  bool on_loss(LossSignal signal, uint64_t first_unacked) {
    return signal == LossSignal::sequence_nak || go_back_n_.on_loss(signal, first_unacked);
  }

 private:
  GoBackN go_back_n_;
};

}  // namespace uroce::transport
