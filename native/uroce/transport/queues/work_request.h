// Work requests as the engine takes them. Sge has the layout of ibv_sge, so the ABI passes its list without a
// copy.
#pragma once

#include <cstdint>

#include "uroce/types.h"

namespace uroce::transport {

struct Sge {
  uint64_t addr;    // in the MR's address space (its iova), or a plain address for inline data
  uint32_t length;  // bytes; zero-length entries need no valid key
  uint32_t lkey;
};

// True if the operation sends nothing.
inline bool is_local(WrOpcode opcode) { return opcode == WrOpcode::local_inv || opcode == WrOpcode::bind_mw; }

struct MwBind;

// Destination of a datagram: wr.ud of ibv_send_wr.
struct UdDestination {
  const Path* path = nullptr;  // the address handle's; read at the post only
  uint32_t qpn = 0;            // 24 bits; kMulticastQpn for a group
  uint32_t qkey = 0;           // the high bit selects the QP's own Q_Key (IBA 3.5.3)
  uint32_t pd = 0;             // the address handle's; 0 is any
};

struct SendWr {
  uint64_t wr_id = 0;
  WrOpcode opcode = WrOpcode::send;
  uint32_t flags = 0;  // send_flag bits
  const Sge* sg_list = nullptr;
  uint32_t num_sge = 0;   // 0..32
  uint32_t imm_data = 0;  // network order, as ibv_send_wr; with an invalidate, the rkey in host order
  uint64_t remote_addr = 0;
  uint32_t rkey = 0;
  uint64_t compare_add = 0;           // host order
  uint64_t swap = 0;                  // host order
  const MwBind* bind = nullptr;       // for bind_mw
  const UdDestination* ud = nullptr;  // UD only
};

struct RecvWr {
  uint64_t wr_id = 0;
  const Sge* sg_list = nullptr;
  uint32_t num_sge = 0;
};

}  // namespace uroce::transport
