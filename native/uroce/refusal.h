// Causes of refused calls. The refusing code names the cause and its figures; the verbs layer puts both
// into words (verbs/watch/refusal.h). None of this runs before a call fails.
#pragma once

#include <cstdint>

namespace uroce {

enum class Cause : uint16_t {
  none,
  // Objects
  dead_object,
  other_context,
  custom,  // the refusing code gives the words
  no_memory,
  too_many,  // objects of a kind: more than the device has
  in_use,
  // Devices, ports, tables
  device_port,
  gid_index,
  gid_empty,
  pkey_index_query,
  pkey_unknown,
  unknown_flags,
  unsupported,
  injected,
  // ibv_modify_qp, ibv_create_ah
  no_such_state,
  mtu_not_enum,
  mtu_beyond_active,
  ah_not_global,
  ah_port,
  sgid_empty,
  dgid_zero,
  gid_family,
  transition,
  cur_state,
  cur_state_early,
  mask_missing,
  mask_foreign,
  alternate_path,
  pkey_index,
  qp_port,
  qpn_too_long,
  rd_atomic,
  dest_rd_atomic,
  attribute_range,
  not_drained,
  wc_without_grh,
  grh_unreadable,
  grh_not_ours,
  // Making queues
  no_cq,
  no_pd,
  parent_pd,
  qp_type,
  send_ops,
  cap,
  cqe,
  comp_vector,
  cq_holds_more,
  srq_empty,
  srq_holds_more,
  srq_limit,
  // Memory
  access_unknown,
  access_on_demand,
  access_local_write,
  range_wraps,
  not_mapped,
  memlock,
  rereg_nothing,
  rereg_arguments,
  windows_bound,
  mw_type,
  mw_zero_based,
  // Posting
  state_too_low,
  post_queue_full,
  post_sges,
  post_negative_sges,
  post_opcode,
  post_opcode_unsupported,
  post_inline_length,
  post_inline_opcode,
  post_message_length,
  post_receive_length,
  post_on_srq,
  post_local,
  post_without_ah,
  post_without_mw,
  post_without_mr,
  // Multicast
  mcast_qp,
  mcast_gid,
  mcast_not_attached,
  mcast_join,
  // rdma_cm
  cm_null,
  cm_event_kind,
  cm_port_space,
  cm_family,
  cm_af_ib,
  cm_phase,
  cm_no_connection,
  cm_has_qp,
  cm_qp_type,
  cm_no_device,
  cm_foreign,
  cm_private_data,
  cm_depth,
  cm_address,
  cm_route,
  cm_port_taken,
  cm_port_privileged,
  cm_no_port,
  cm_option,
  cm_option_size,
  cm_no_param,
  cm_not_sync,
  cm_no_listener,
  count,
};

// Objects that a device has a limited number of, for too_many.
enum class Thing : uint8_t { qps, cqs, srqs, pds, mrs, mws, ahs, groups, group_qps };

// Attributes that a device limits, for cap.
enum class Limit : uint8_t {
  send_wr,
  recv_wr,
  send_sge,
  recv_sge,
  inline_data,
  cqe,
  srq_wr,
  srq_sge,
};

struct Refusal {
  Cause cause = Cause::none;
  int error = 0;
  uint64_t a = 0, b = 0, c = 0;
};

// Refusal of the current call of this thread, like errno. The code that reports the call's failure takes
// it.
inline thread_local Refusal t_refusal;

// Records the cause; returns the error.
[[gnu::cold]] inline int refuse(int error, Cause cause, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0) {
  t_refusal = {cause, error, a, b, c};
  return error;
}
inline int refuse(int error, Cause cause, Thing thing, uint64_t limit) {
  return refuse(error, cause, static_cast<uint64_t>(thing), limit);
}
inline int refuse(int error, Cause cause, Limit limit, uint64_t given, uint64_t most) {
  return refuse(error, cause, static_cast<uint64_t>(limit), given, most);
}

}  // namespace uroce
