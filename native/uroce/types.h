// Terms of the verbs interface, for every layer. Every number equals the one in <infiniband/verbs.h>, so
// the ABI layers cast and never translate. Only they include that header: the transport does not depend on
// libibverbs.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace uroce {

inline constexpr uint32_t kPsnMask = 0xffffff;
inline constexpr uint32_t kQpnMask = 0xffffff;
inline constexpr uint32_t kMulticastQpn = 0xffffff;  // destination of every multicast packet (IBA 10.5.1)
inline constexpr uint32_t kMaxSge = 32;              // SGEs a work request may carry, as rxe
inline constexpr uint32_t kMaxMessage = 1u << 31;    // bytes a message may have on the wire (IBA)
inline constexpr uint32_t kMaxMtu = 4096;            // largest path MTU, bytes of payload
inline constexpr uint64_t kNever = UINT64_MAX;       // no wake time
inline constexpr uint16_t kDefaultPkey = 0xffff;
// The top bit distinguishes full from limited members.
inline constexpr bool is_default_pkey(uint16_t pkey) { return ((pkey ^ kDefaultPkey) & 0x7fff) == 0; }

// 16 bytes, network order. IPv4 addresses are mapped (::ffff:a.b.c.d).
using Gid = std::array<uint8_t, 16>;

// Equality of GIDs without a call of memcmp(), for each packet.
inline bool same_gid(const Gid& a, const Gid& b) {
  uint64_t x[2], y[2];
  std::memcpy(x, a.data(), sizeof x);
  std::memcpy(y, b.data(), sizeof y);
  return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
}

inline constexpr bool is_ipv4(const Gid& gid) {
  for (int i = 0; i < 10; ++i) {
    if (gid[i] != 0) return false;
  }
  return gid[10] == 0xff && gid[11] == 0xff;
}
// A multicast group: ff00::/8, or an IPv4 one (224.0.0.0/4), mapped as the kernel's rdma_cm does for RoCE v2.
inline constexpr bool is_multicast(const Gid& gid) {
  return gid[0] == 0xff || ((gid[12] & 0xf0) == 0xe0 && is_ipv4(gid));
}

// ::1, or an address of 127.0.0.0/8.
inline constexpr bool is_loopback(const Gid& gid) {
  constexpr Gid kOne{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return gid == kOne || (gid[12] == 127 && is_ipv4(gid));
}

enum class QpType : uint8_t { rc = 2, uc = 3, ud = 4 };
enum class QpState : uint8_t { reset = 0, init = 1, rtr = 2, rts = 3, sqd = 4, sqe = 5, err = 6 };

enum class WrOpcode : uint8_t {
  rdma_write = 0,
  rdma_write_with_imm = 1,
  send = 2,
  send_with_imm = 3,
  rdma_read = 4,
  atomic_cmp_and_swp = 5,
  atomic_fetch_and_add = 6,
  local_inv = 7,
  bind_mw = 8,
  send_with_inv = 9,
};

enum class WcOpcode : uint32_t {
  send = 0,
  rdma_write = 1,
  rdma_read = 2,
  comp_swap = 3,
  fetch_add = 4,
  bind_mw = 5,
  local_inv = 6,
  recv = 128,
  recv_rdma_with_imm = 129,
};

enum class WcStatus : uint32_t {
  success = 0,
  loc_len_err = 1,
  loc_qp_op_err = 2,
  loc_prot_err = 4,
  wr_flush_err = 5,
  mw_bind_err = 6,
  bad_resp_err = 7,
  loc_access_err = 8,
  rem_inv_req_err = 9,
  rem_access_err = 10,
  rem_op_err = 11,
  retry_exc_err = 12,
  rnr_retry_exc_err = 13,
  fatal_err = 19,
  general_err = 21,
};

// enum ibv_send_flags.
namespace send_flag {
inline constexpr uint32_t fence = 1, signaled = 2, solicited = 4, inline_data = 8, all = 15;
}
// enum ibv_wc_flags.
namespace wc_flag {
inline constexpr uint32_t grh = 1, with_imm = 2, with_inv = 8;
}
// enum ibv_access_flags.
namespace access_flag {
inline constexpr uint32_t local_write = 1, remote_write = 2, remote_read = 4, remote_atomic = 8, mw_bind = 16,
                          zero_based = 32, optional_range = 0x3ff00000;
// Private flag: the key of a region, which is good for SGEs. A window never has it.
inline constexpr uint32_t region = 1u << 31;
inline constexpr uint32_t remote_any = remote_write | remote_read | remote_atomic;
}  // namespace access_flag

// enum ibv_qp_attr_mask.
namespace qp_mask {
inline constexpr uint32_t state = 1 << 0, cur_state = 1 << 1, en_sqd_async_notify = 1 << 2,
                          access_flags = 1 << 3, pkey_index = 1 << 4, port = 1 << 5, qkey = 1 << 6,
                          av = 1 << 7, path_mtu = 1 << 8, timeout = 1 << 9, retry_cnt = 1 << 10,
                          rnr_retry = 1 << 11, rq_psn = 1 << 12, max_qp_rd_atomic = 1 << 13,
                          alt_path = 1 << 14, min_rnr_timer = 1 << 15, sq_psn = 1 << 16,
                          max_dest_rd_atomic = 1 << 17, path_mig_state = 1 << 18, cap = 1 << 19,
                          dest_qpn = 1 << 20, rate_limit = 1 << 25;
}  // namespace qp_mask

// enum ibv_event_type, the part that a QP, CQ or SRQ of ours can raise.
enum class EventType : uint32_t {
  cq_err = 0,
  qp_fatal = 1,
  qp_req_err = 2,
  qp_access_err = 3,
  comm_est = 4,
  sq_drained = 5,
  srq_limit_reached = 15,
  last_wqe_reached = 16,
};

// Address vector of a QP: the destination of its packets. The core compares the GIDs of arriving packets
// with it and passes it to the sink; everything else in it belongs to the device.
struct Path {
  Gid sgid{};  // our address
  Gid dgid{};  // the peer's
  uint32_t flow_label = 0;
  uint16_t udp_source_port = 0;  // host order
  uint8_t sgid_index = 0;
  uint8_t hop_limit = 64;
  uint8_t traffic_class = 0;
  uint8_t sl = 0;
  uint64_t cookie = 0;  // the device's own (a route, a socket)
};

struct QpCap {
  uint32_t max_send_wr = 0;
  uint32_t max_recv_wr = 0;
  uint32_t max_send_sge = 0;
  uint32_t max_recv_sge = 0;
  uint32_t max_inline_data = 0;  // bytes
};

// Attributes of modify_qp and query_qp; a mask of qp_mask bits selects the members.
struct QpAttr {
  QpState qp_state = QpState::reset;
  QpState cur_qp_state = QpState::reset;
  uint16_t path_mtu = 1024;  // bytes: 256, 512, 1024, 2048, 4096 (not the verbs enum)
  uint32_t qkey = 0;
  uint32_t rq_psn = 0;
  uint32_t sq_psn = 0;
  uint32_t dest_qp_num = 0;
  uint32_t qp_access_flags = 0;
  QpCap cap;
  Path av;
  uint16_t pkey_index = 0;
  uint8_t en_sqd_async_notify = 0;
  uint8_t sq_draining = 0;         // query only
  uint8_t max_rd_atomic = 0;       // READs and atomics we may have outstanding
  uint8_t max_dest_rd_atomic = 0;  // READs and atomics the peer may have outstanding here
  uint8_t min_rnr_timer = 0;       // code 0..31, see wire/aeth.h
  uint8_t port_num = 1;
  uint8_t timeout = 0;    // 4.096 us x 2^timeout; 0 waits without a limit
  uint8_t retry_cnt = 0;  // 0..7
  uint8_t rnr_retry = 0;  // 0..7; 7 is without a limit
};

}  // namespace uroce
