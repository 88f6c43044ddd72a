// Opcode and headers of the packets of a SEND or WRITE.
#pragma once

#include <cstdint>

#include "uroce/transport/queues/work_queues.h"
#include "uroce/types.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {

inline bool has_immediate(WrOpcode opcode) {
  return opcode == WrOpcode::send_with_imm || opcode == WrOpcode::rdma_write_with_imm;
}
inline bool is_write(WrOpcode opcode) { return opcode <= WrOpcode::rdma_write_with_imm; }

// Opcode of a packet of a SEND or WRITE, with the bits of RC; the other services add theirs.
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

// Emits the headers behind the BTH; returns their length, at most RETH and ImmDt.
inline uint32_t emit_data_headers(const SendWqe& w, bool first, bool last, uint8_t* out) {
  uint32_t length = 0;
  if (first && is_write(w.opcode)) {
    wire::Reth{w.remote_addr, w.rkey, w.length}.emit(out);
    length += wire::Reth::kSize;
  }
  if (last && has_immediate(w.opcode)) {
    wire::ImmDt{w.imm_data}.emit(out + length);
    length += wire::ImmDt::kSize;
  } else if (last && w.opcode == WrOpcode::send_with_inv) {
    wire::Ieth{w.imm_data}.emit(out + length);
    length += wire::Ieth::kSize;
  }
  return length;
}

}  // namespace uroce::transport
