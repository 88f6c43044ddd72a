// Extended posting: ibv_wr_start, a builder per request, ibv_wr_complete.
#pragma once

#include <infiniband/verbs.h>

#include "addon/work.h"

namespace addon {

// Posts all of the list or nothing. `ops`: the IBV_QP_EX_WITH_* that the queue pair was created with.
// Returns 0 or an errno value: EOPNOTSUPP for an opcode that is not among them.
int post_extended(ibv_qp_ex* qp, uint64_t ops, const SendList& list, bool datagram);

}  // namespace addon
