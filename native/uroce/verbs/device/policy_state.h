// What a queue pair's policy does, for the extension API and the feed.
#pragma once

#include <cstdint>

#include "uroce/ext/uroce.h"

namespace uroce::transport {
class Qp;
}

namespace uroce::verbs {

// As uroce_query_qp_policy tells it, all members. Engine lock.
uroce_qp_policy_state policy_state(const transport::Qp& qp, uint64_t now);

}  // namespace uroce::verbs
