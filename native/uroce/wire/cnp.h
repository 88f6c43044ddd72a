// Congestion notification packet (IBA A17.9.3): a BTH with BECN and without PSN, and 16 reserved zero bytes.
#pragma once

#include <cstdint>

#include "uroce/wire/bth.h"
#include "uroce/wire/opcode.h"

namespace uroce::wire {

inline constexpr uint32_t kCnpReserved = 16;

inline Bth cnp_bth(uint32_t dest_qpn) {
  return {.opcode = opcode::cnp, .migreq = false, .becn = true, .dest_qpn = dest_qpn};
}

}  // namespace uroce::wire
