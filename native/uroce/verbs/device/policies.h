// Policies of queue pairs by the names and numbers that programs choose them with.
#pragma once

#include <expected>

#include "uroce/error.h"
#include "uroce/ext/uroce.h"
#include "uroce/transport/policy/policy.h"

namespace uroce::verbs {

// EINVAL for a number that names no policy, and for a line rate out of range.
std::expected<transport::QpPolicy, int> policy_of(const uroce_qp_policy& policy);

// The policy of new queue pairs: UROCE_RECOVERY, UROCE_CONGESTION and UROCE_LINE_RATE.
std::expected<transport::QpPolicy, Error> policy_from_environment();

}  // namespace uroce::verbs
