// Recovery of a queue pair from loss: what to send again when a signal of a loss arrives, and how long an answer may
// take. The requester owns the timer and sends.
#pragma once

#include <cstdint>

#include "uroce/transport/policy/ack_timeout.h"
#include "uroce/transport/policy/go_back_n.h"

namespace uroce::transport {

class Recovery {
 public:
  void reset() {
    go_back_n_.reset();
    timeout_.reset();
  }
  // True if the requester should go back, from the first PSN not acknowledged (64-bit sequence).
  bool on_loss(LossSignal signal, uint64_t first_unacked) {
    return go_back_n_.on_loss(signal, first_unacked);
  }
  // The peer has acknowledged a packet.
  void progressed() { timeout_.reset(); }
  AckTimeout& timeout() { return timeout_; }
  const AckTimeout& timeout() const { return timeout_; }

 private:
  GoBackN go_back_n_;
  AckTimeout timeout_;
};

}  // namespace uroce::transport
