// The policies of a queue pair, as they are chosen before it is connected (Engine::set_policy).
#pragma once

#include <variant>

#include "uroce/transport/policy/congestion.h"
#include "uroce/transport/policy/recovery.h"

namespace uroce::transport {

struct QpPolicy {
  RecoveryKind recovery = RecoveryKind::go_back_n;
  CongestionChoice congestion{};

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
