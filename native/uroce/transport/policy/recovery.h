// Recovery of a queue pair from loss: what to send again when a signal of a loss arrives, and how long an answer may
// take. The requester owns the timer and sends.
#pragma once

#include <cstdint>
#include <variant>

#include "uroce/transport/policy/ack_timeout.h"
#include "uroce/transport/policy/go_back_n.h"
#include "uroce/transport/policy/go_back_zero.h"

namespace uroce::transport {

enum class RecoveryKind : uint8_t { go_back_n, go_back_0 };

class Recovery {
 public:
  void choose(RecoveryKind kind) {
    if (kind == RecoveryKind::go_back_0) {
      policy_ = GoBackZero{};
    } else {
      policy_ = GoBackN{};
    }
  }
  RecoveryKind kind() const { return static_cast<RecoveryKind>(policy_.index()); }
  // True if a loss within a SEND or WRITE costs the whole message.
  bool restarts_messages() const { return kind() == RecoveryKind::go_back_0; }

  void reset() {
    std::visit([](auto& policy) { policy.reset(); }, policy_);
    timeout_.reset();
  }
  // True if the requester should go back, from the first PSN not acknowledged (64-bit sequence).
  bool on_loss(LossSignal signal, uint64_t first_unacked) {
    return std::visit([=](auto& policy) { return policy.on_loss(signal, first_unacked); }, policy_);
  }
  // The peer has acknowledged a packet.
  void progressed() { timeout_.reset(); }
  AckTimeout& timeout() { return timeout_; }
  const AckTimeout& timeout() const { return timeout_; }

 private:
  std::variant<GoBackN, GoBackZero> policy_;  // in the order of RecoveryKind
  AckTimeout timeout_;
};

}  // namespace uroce::transport
