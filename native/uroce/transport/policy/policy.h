// The policies of a queue pair, as they are chosen before it is connected (Engine::set_policy).
#pragma once

#include <cstdint>
#include <variant>

#include "uroce/transport/policy/congestion.h"
#include "uroce/transport/policy/recovery.h"

namespace uroce::transport {

// The longest time that an ACK waits is that of EngineConfig.
inline constexpr uint64_t kDefaultAckDelay = UINT64_MAX;

struct QpPolicy {
  RecoveryKind recovery = RecoveryKind::go_back_n;
  CongestionChoice congestion{};
  // As a receiver it acknowledges after so many packets at least, asked or not. 0: as EngineConfig has it, where the peer asks.
  uint32_t ack_every = 0;
  // Longest time that an ACK waits for a packet to leave with, in nanoseconds.
  uint64_t ack_delay_ns = kDefaultAckDelay;

  bool valid() const {
    return std::visit(
        [](const auto& choice) {
          if constexpr (requires { choice.valid(); }) {
            return choice.valid();
          } else {
            return true;
          }
        },
        congestion);
  }
};

}  // namespace uroce::transport
