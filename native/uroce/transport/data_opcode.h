// Which BTH opcode the packets of a work request carry.
#pragma once

#include <cstdint>

#include "uroce/transport/types.h"
#include "uroce/wire/opcode.h"

namespace uroce {

inline bool has_immediate(WrOpcode opcode) {
  return opcode == WrOpcode::send_with_imm || opcode == WrOpcode::rdma_write_with_imm;
}
inline bool is_write(WrOpcode opcode) { return opcode <= WrOpcode::rdma_write_with_imm; }

// For a SEND or WRITE, with the bits of RC; the other services add theirs.
inline uint8_t data_opcode(WrOpcode opcode, bool first, bool last) {
  namespace op = wire::opcode;
  uint8_t code;
  if (first && last) {
    code = op::send_only;
  } else {
    code = first ? op::send_first : last ? op::send_last : op::send_middle;
  }
  if (last && has_immediate(opcode)) ++code;
  if (last && opcode == WrOpcode::send_with_inv) return first ? op::send_only_inv : op::send_last_inv;
  return is_write(opcode) ? static_cast<uint8_t>(code + op::write_first) : code;
}

}  // namespace uroce
