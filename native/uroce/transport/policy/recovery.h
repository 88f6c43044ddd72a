// Recovery of a queue pair from loss: what to send again when a signal of a loss arrives, and how long an answer may
// take. The requester owns the timer and sends.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "uroce/transport/policy/ack_timeout.h"
#include "uroce/transport/policy/go_back_n.h"
#include "uroce/transport/policy/go_back_zero.h"
#include "uroce/transport/policy/selective_repeat.h"

namespace uroce::transport {

enum class RecoveryKind : uint8_t { go_back_n, go_back_0, selective_repeat };

class Recovery {
 public:
  // Allocates the state of selective repeat: before the queue pair is connected.
  void choose(RecoveryKind kind) {
    kind_ = kind;
    if (kind == RecoveryKind::go_back_0) {
      policy_ = GoBackZero{};
    } else {
      policy_ = GoBackN{};
    }
    if (kind == RecoveryKind::selective_repeat) {
      selective_ = std::make_unique<SelectiveRepeat>();
      most_in_flight_ = SelectiveRepeat::kReach;
    } else {
      selective_.reset();
      most_in_flight_ = UINT32_MAX;
    }
  }
  RecoveryKind kind() const { return kind_; }
  // True if a loss within a SEND or WRITE costs the whole message.
  bool restarts_messages() const { return kind_ == RecoveryKind::go_back_0; }
  // nullptr if the queue pair goes back after any loss.
  SelectiveRepeat* selective() const { return selective_.get(); }

  // Packets.
  uint32_t most_in_flight() const { return most_in_flight_; }

  void reset(uint64_t first) {
    std::visit([](auto& policy) { policy.reset(); }, policy_);
    timeout_.reset();
    if (selective_) selective_->reset(first);
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
  std::variant<GoBackN, GoBackZero> policy_;  // how to go back
  std::unique_ptr<SelectiveRepeat> selective_;
  AckTimeout timeout_;
  uint32_t most_in_flight_ = UINT32_MAX;
  RecoveryKind kind_ = RecoveryKind::go_back_n;
};

}  // namespace uroce::transport
