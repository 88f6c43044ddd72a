// Names of the enums of verbs, without IBV_ and the enum's own prefix. libibverbs' ibv_wc_status_str and its
// like are not there when this library is used without it.
#pragma once

#include <cstdint>

#include "uroce/types.h"
#include "uroce/verbs/abi/abi.h"

namespace uroce::verbs {

inline constexpr uint32_t kStatusCount = 22;

const char* state_name(QpState state);
const char* status_name(uint32_t status);     // an ibv_wc_status
const char* wr_opcode_name(uint32_t opcode);  // an ibv_wr_opcode
const char* qp_type_name(ibv_qp_type type);
const char* event_name(ibv_event_type type);

}  // namespace uroce::verbs
