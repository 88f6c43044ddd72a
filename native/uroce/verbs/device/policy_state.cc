#include "uroce/verbs/device/policy_state.h"

#include "uroce/transport/qp.h"
#include "uroce/verbs/device/policies.h"

namespace uroce::verbs {

uroce_qp_policy_state policy_state(const transport::Qp& qp, uint64_t now) {
  const uroce_qp_policy chosen = numbers_of(qp.policy());
  const transport::CongestionState state = qp.congestion(now);
  const bool goes_back = chosen.recovery == UROCE_RECOVERY_SELECTIVE_REPEAT && !qp.repeats_selectively();
  return {.size = sizeof(uroce_qp_policy_state),
          .recovery = chosen.recovery,
          .congestion = chosen.congestion,
          .alpha_ppm = static_cast<uint32_t>(transport::scale(1'000'000, state.alpha)),
          .line_rate = chosen.line_rate,
          .rate = state.rate,
          .target_rate = state.target,
          .window_millis = state.window,
          .window_bytes = state.window * qp.mtu() / 1000,
          .rtt_ns = state.rtt,
          .srtt_ns = state.smoothed_rtt,
          .cnps = qp.cnps(),
          .marks = qp.marks(),
          .recovery_in_effect = goes_back ? uint32_t{UROCE_RECOVERY_GO_BACK_N} : chosen.recovery,
          .ack_every = chosen.ack_every,
          .ack_delay_ns = chosen.ack_delay_ns,
          .reserved = 0};
}

}  // namespace uroce::verbs
