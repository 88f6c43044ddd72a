// Policies of queue pairs by the names and numbers that programs choose them with.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "uroce/error.h"
#include "uroce/ext/uroce.h"
#include "uroce/transport/policy/policy.h"

namespace uroce::verbs {

// EINVAL for a number that names no policy, and for a line rate out of range.
std::expected<transport::QpPolicy, int> policy_of(const uroce_qp_policy& policy);

// The numbers of a policy that policy_of() has made. line_rate: 0 if the policy has none.
uroce_qp_policy numbers_of(const transport::QpPolicy& policy);

// Names as in UROCE_RECOVERY and UROCE_CONGESTION.
std::string_view recovery_name(uint32_t recovery);
std::string_view congestion_name(uint32_t congestion);

// The policy of new queue pairs: UROCE_RECOVERY, UROCE_CONGESTION, UROCE_LINE_RATE, UROCE_ACK_EVERY and UROCE_ACK_DELAY.
std::expected<transport::QpPolicy, Error> policy_from_environment();

}  // namespace uroce::verbs
