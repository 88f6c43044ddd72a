// Words for each cause of a refusal. A letter in braces stands for a figure of the refusal, with a kind
// where the figure is no plain number.
#include <cinttypes>
#include <cstdio>
#include <string_view>
#include <utility>

#include "uroce/types.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/watch/refusal.h"

namespace uroce::verbs::watch {
namespace {

namespace m = qp_mask;

struct Pattern {
  Cause cause;
  const char* why;
  const char* cure;
};

constexpr Pattern kPatterns[] = {
    {Cause::none, "", ""},
    {Cause::dead_object,
     "one of its objects does not exist: it is null, was destroyed before, or was overwritten",
     "Use objects only between the calls that create and destroy them."},
    {Cause::other_context, "its objects belong to different contexts",
     "Create the objects of one QP, CQ or MR from one ibv_context."},
    {Cause::custom, "", ""},
    {Cause::no_memory, "there is not enough memory", "Free memory, or ask for smaller queues."},
    {Cause::too_many, "all {b} {a:thing} of the device are in use by this process",
     "Release those that are no longer needed, or share them."},
    {Cause::in_use, "other objects still use it ({a:users})", "Destroy those first, or detach from them."},
    {Cause::device_port, "port {a} was asked for, and the device has port 1 only", "Use port number 1."},
    {Cause::gid_index, "index {a:int} is beyond the GID table, which has {b} entries",
     "Use an index below gid_tbl_len of ibv_query_port."},
    {Cause::gid_empty, "entry {a} of the GID table is empty",
     "Use an entry that ibv_query_gid_table lists (ibv_devinfo -v)."},
    {Cause::pkey_index_query, "index {a:int} is beyond the P_Key table, which has one entry",
     "Use P_Key index 0."},
    {Cause::pkey_unknown, "the device has the P_Key 0xffff at port 1 only",
     "Ask for P_Key 0xffff of port 1."},
    {Cause::unknown_flags, "it has flags, mask bits or a value that the call does not take (0x{a:x})",
     "Set only what the man page of the call names, and clear the structure first."},
    {Cause::unsupported, "this device does not have what it asks for (0x{a:x})",
     "Do without, and where ibv_query_device_ex tells, check it first."},
    {Cause::injected, "rule {a} of the injected faults fails it (call {b} that the rule is about)",
     "Nothing is wrong: handle it as the program shall."},
    {Cause::no_such_state, "qp_state or cur_qp_state is {a}, which the call does not take",
     "Clear the ibv_qp_attr first, then set the state."},
    {Cause::mtu_not_enum, "path_mtu is {a}, which is no value of enum ibv_mtu",
     "Use IBV_MTU_256 (1) to IBV_MTU_4096 (5), not a number of bytes."},
    {Cause::mtu_beyond_active, "path_mtu is {a} bytes, more than the port's active_mtu of {b} bytes",
     "Set path_mtu to the smaller active_mtu of the two ports (ibv_query_port)."},
    {Cause::ah_not_global, "ah_attr.is_global is 0: RoCE has no LIDs and finds a peer only by its GID",
     "Set is_global to 1, grh.dgid to the peer's GID, and grh.sgid_index and grh.hop_limit."},
    {Cause::ah_port, "ah_attr.port_num is {a}, and the device has port 1 only", "Set ah_attr.port_num to 1."},
    {Cause::sgid_empty, "grh.sgid_index is {a}, and that entry of the GID table is empty",
     "Set grh.sgid_index to an entry that ibv_query_gid_table lists (ibv_devinfo -v)."},
    {Cause::dgid_zero, "grh.dgid is all zero, which is no address",
     "Set grh.dgid to the GID that the peer read with ibv_query_gid, and check that it was exchanged."},
    {Cause::gid_family,
     "grh.dgid is an {a:family} address and the GID at sgid_index {c} is an {b:family} address",
     "Use GIDs of one family on both sides: {a:family} to {a:family} or {b:family} to {b:family}."},
    {Cause::transition, "{c:type} QPs do not go from {a:state} to {b:state} in one step",
     "Go from RESET to INIT, RTR and RTS, with one ibv_modify_qp call for each step."},
    {Cause::cur_state, "attr.cur_qp_state is {b:state}, and the QP is in {a:state}",
     "Leave out IBV_QP_CUR_STATE, or set cur_qp_state to the state of the QP."},
    {Cause::cur_state_early, "attr_mask has IBV_QP_CUR_STATE, and the QP is in {a:state}",
     "Leave out IBV_QP_CUR_STATE, or set it only in RTR, RTS, SQD and SQE."},
    {Cause::mask_missing, "the step from {a:state} to {b:state} also needs {c:mask}",
     "Set these attributes and their bits in attr_mask."},
    {Cause::mask_foreign, "the step from {a:state} to {b:state} does not take {c:mask}",
     "Leave these bits out of attr_mask."},
    {Cause::alternate_path, "RoCE has no alternate path", "Leave IBV_QP_ALT_PATH out of attr_mask."},
    {Cause::pkey_index, "pkey_index is {a}, and the P_Key table has one entry", "Set pkey_index to 0."},
    {Cause::qp_port, "port_num is {a}, and the device has port 1 only", "Set port_num to 1."},
    {Cause::qpn_too_long, "dest_qp_num is 0x{a:x}, and QP numbers have 24 bits",
     "Set dest_qp_num to the qp_num of the peer, in host byte order."},
    {Cause::rd_atomic, "max_rd_atomic is {a}, more than the device's {b} (max_qp_init_rd_atom)",
     "Set max_rd_atomic to at most {b} (ibv_query_device)."},
    {Cause::dest_rd_atomic, "max_dest_rd_atomic is {a}, more than the device's {b} (max_qp_rd_atom)",
     "Set max_dest_rd_atomic to at most {b} (ibv_query_device)."},
    {Cause::attribute_range, "{a:attr} is {b}, and its largest value is {c}", "Set {a:attr} to at most {c}."},
    {Cause::not_drained,
     "the send queue is still draining: a request that was begun before SQD has not completed",
     "Wait for sq_draining 0 of ibv_query_qp, or for IBV_EVENT_SQ_DRAINED (en_sqd_async_notify)."},
    {Cause::wc_without_grh, "the completion has no GRH (IBV_WC_GRH is not set), or none was given",
     "Use the completion of a UD receive, and the first 40 bytes of its buffer."},
    {Cause::grh_unreadable, "the 40 bytes of GRH have neither an IPv4 nor an IPv6 header",
     "Give the start of the buffer that the UD receive named, before the program has written to it."},
    {Cause::grh_not_ours, "the destination in the GRH is no address of this device",
     "Use the GRH of a datagram that this device received."},
    {Cause::no_cq, "send_cq or recv_cq is null",
     "Create a CQ with ibv_create_cq, and set both (one CQ may be both)."},
    {Cause::no_pd, "it has no protection domain, or one that it cannot use",
     "Set one of ibv_alloc_pd (for a QP with IBV_QP_INIT_ATTR_PD), for a CQ one of ibv_alloc_parent_domain."},
    {Cause::parent_pd, "attr.pd is a parent domain itself",
     "Give the PD of ibv_alloc_pd that the parent domain was made from."},
    {Cause::qp_type, "qp_type {a} is none of those of this device: RC, UC and UD",
     "Set qp_type to IBV_QPT_RC, IBV_QPT_UC or IBV_QPT_UD."},
    {Cause::send_ops, "send_ops_flags has operations that {b:type} QPs of this device do not have (0x{a:x})",
     "Ask only for operations of the QP's type."},
    {Cause::cap, "{a:limit} is {b}, more than the device's {c} ({a:device})", "Ask for at most {c}."},
    {Cause::cqe, "cqe is {a:int}, and a CQ needs room for at least one completion",
     "Ask for at least one entry."},
    {Cause::comp_vector, "comp_vector is {a:int}, and the context has {b} completion vector",
     "Use a comp_vector below num_comp_vectors of the context: 0."},
    {Cause::cq_holds_more, "the CQ holds {a} completions, more than its new {b} entries",
     "Poll the CQ before you make it smaller."},
    {Cause::srq_empty, "attr.max_wr is 0, and an SRQ needs room for at least one receive",
     "Ask for at least one."},
    {Cause::srq_holds_more, "the SRQ holds {a} receives, more than the max_wr {b} asked for",
     "Let messages take receives before you make the SRQ smaller."},
    {Cause::srq_limit, "srq_limit is {a}, more than max_wr {b} of the SRQ",
     "Set srq_limit to at most max_wr."},
    {Cause::access_unknown, "access has bits that this device does not have (0x{a:x})",
     "Use only values of enum ibv_access_flags, and none of FLUSH."},
    {Cause::access_on_demand, "the device has no on-demand paging (IBV_ACCESS_ON_DEMAND)",
     "Register without IBV_ACCESS_ON_DEMAND."},
    {Cause::access_local_write,
     "IBV_ACCESS_REMOTE_WRITE and IBV_ACCESS_REMOTE_ATOMIC need IBV_ACCESS_LOCAL_WRITE",
     "Give IBV_ACCESS_LOCAL_WRITE too."},
    {Cause::range_wraps, "the {a} bytes from 0x{b:x} reach past the end of the address space",
     "Check address and length."},
    {Cause::not_mapped, "not all of the {a} bytes at 0x{b:x} are memory of this process that it may {c:use}",
     "Allocate the whole range, with the right to write if the region has one, before you register it."},
    {Cause::memlock,
     "cannot lock {a} bytes: the limit on locked memory (RLIMIT_MEMLOCK) is {b} bytes and "
     "UROCE_STRICT_MEMLOCK=1 is set",
     "Raise it (`ulimit -l unlimited`, or a memlock line in /etc/security/limits.conf), or unset "
     "UROCE_STRICT_MEMLOCK."},
    {Cause::rereg_nothing, "flags is 0: nothing is to be changed", "Name what is to be changed in flags."},
    {Cause::rereg_arguments, "flags, address, length and access do not fit each other",
     "Give address and length with IBV_REREG_MR_CHANGE_TRANSLATION, access with IBV_REREG_MR_CHANGE_ACCESS."},
    {Cause::windows_bound, "memory windows are bound to the MR",
     "Invalidate or deallocate its windows first."},
    {Cause::mw_type, "type {a} is no type of memory window", "Use IBV_MW_TYPE_1 or IBV_MW_TYPE_2."},
    {Cause::mw_zero_based, "a window of type 1 is never zero-based (IBV_ACCESS_ZERO_BASED)",
     "Bind it without IBV_ACCESS_ZERO_BASED, or use a window of type 2."},
    {Cause::state_too_low, "the QP is in state {a:state}, and {c:work} need {b:state}",
     "Move the QP there with ibv_modify_qp first, and check its return value."},
    {Cause::post_queue_full, "all {a} entries of the {b:queue} queue are in use ({b:entries})",
     "{b:freed}, or create the queue larger."},
    {Cause::post_sges, "the WR has {a} SGEs, and the {b:owner} was created for {c} ({b:sges})",
     "Post WRs with fewer SGEs, or ask for more when you create it."},
    {Cause::post_negative_sges, "num_sge is negative", "Clear the work request first, then fill it in."},
    {Cause::post_opcode, "opcode {a} is none that this device knows",
     "Clear the work request first, then fill it in."},
    {Cause::post_opcode_unsupported, "the device does not have the operation of opcode {a}",
     "Use SEND, RDMA_WRITE, RDMA_READ, atomics, BIND_MW and LOCAL_INV."},
    {Cause::post_inline_length,
     "the WR has {a} bytes inline, and the QP was created for {b} (max_inline_data)",
     "Send fewer bytes inline, clear IBV_SEND_INLINE, or ask for more max_inline_data in ibv_create_qp."},
    {Cause::post_inline_opcode, "IBV_SEND_INLINE is set on {a:opcode}, which sends no data of this side",
     "Set IBV_SEND_INLINE only on SEND and RDMA_WRITE."},
    {Cause::post_message_length, "the message has {a} bytes, more than the port's max_msg_sz of {b} bytes",
     "Split it into messages of at most max_msg_sz bytes (ibv_query_port)."},
    {Cause::post_receive_length,
     "the SGEs of the receive have {a} bytes together, and a receive has less than 4 GiB",
     "Post a smaller receive."},
    {Cause::post_on_srq, "the QP was created with an SRQ and has no receive queue of its own",
     "Post receives to the SRQ with ibv_post_srq_recv."},
    {Cause::post_local, "{b:type} QPs of this device do not have the operation {a:opcode}",
     "Post it to an RC QP."},
    {Cause::post_without_ah, "wr.ud.ah is null, or was destroyed",
     "Create an address handle with ibv_create_ah, and set it with the peer's qp_num and Q_Key."},
    {Cause::post_without_mw, "bind_mw.mw is null", "Set the memory window that is to be bound."},
    {Cause::post_without_mr, "bind_info.mr is null and its length is not 0",
     "Set the MR that the window is to be bound to."},
    {Cause::mcast_qp, "the QP is of type {a:type}, and only UD QPs join multicast groups",
     "Create the QP with IBV_QPT_UD."},
    {Cause::mcast_gid, "the GID is no multicast address",
     "Use a GID that begins with ff, or ::ffff:224.0.0.0 to ::ffff:239.255.255.255."},
    {Cause::mcast_not_attached, "it is not attached to that group, or has not joined it",
     "Leave only groups that it is in."},
    {Cause::mcast_join, "the system refused to join the group",
     "Check that the interface is up and takes multicast (ip link)."},
    {Cause::cm_null, "an argument is null, lacks its address or has unknown mask bits",
     "Give all arguments that the man page requires."},
    {Cause::cm_event_kind, "the event is {a}, and a program writes events of its own only",
     "Use RDMA_CM_EVENT_USER (18)."},
    {Cause::cm_port_space, "{a} is no port space of this device",
     "Use RDMA_PS_TCP, RDMA_PS_UDP, RDMA_PS_IB or RDMA_PS_IPOIB."},
    {Cause::cm_family, "the address is neither IPv4 nor IPv6 (sa_family {a})",
     "Set sa_family to AF_INET or AF_INET6."},
    {Cause::cm_af_ib, "the address is one of InfiniBand (AF_IB), and RoCE has IP addresses only",
     "Set sa_family to AF_INET or AF_INET6."},
    {Cause::cm_phase, "the ID is {a:phase}, and the call needs one that is {b:needed}",
     "Make the calls in their order, and wait for their events: rdma_resolve_addr, rdma_resolve_route, "
     "rdma_connect; or rdma_bind_addr, rdma_listen, rdma_accept."},
    {Cause::cm_no_connection, "the ID has no connection and no request for one",
     "Call it on an ID that connects or was asked."},
    {Cause::cm_has_qp, "the ID has a queue pair or SRQ of its own already",
     "Destroy it first. An ID with a QP needs no rdma_establish."},
    {Cause::cm_qp_type, "qp_type is {a:type}, and an ID of this port space has {b:types} QPs",
     "Set qp_type to {b:types}, or create the ID with another port space (RDMA_PS_UDP for UD)."},
    {Cause::cm_no_device, "the ID has no device yet (id->verbs is null)",
     "First bind it to an address of the device, or resolve the peer's address."},
    {Cause::cm_foreign, "the PD is not of the context id->verbs, or the CQ is not the one that the ID has",
     "Use a PD of id->verbs, and the CQs of the ID."},
    {Cause::cm_private_data, "the private data has {a} bytes, and there is room for {b}",
     "Send less, and the rest as a message."},
    {Cause::cm_depth, "{c:depth} is {a}, more than the device's {b}",
     "Set it to at most {b} (max_qp_rd_atom of ibv_query_device), or to RDMA_MAX_RESP_RES and "
     "RDMA_MAX_INIT_DEPTH."},
    {Cause::cm_address, "the address is none of this device",
     "Bind to an address of the device (UROCE_ADDR, --addr), or to any (0.0.0.0, ::)."},
    {Cause::cm_route, "the ID is bound to an address of another family than the destination",
     "Bind and connect with addresses of one family."},
    {Cause::cm_port_taken, "port {a} is taken by another ID or process",
     "Use another port, or end the other."},
    {Cause::cm_port_privileged, "port {a} is below {b}, which only root may bind", "Use a port from {b} on."},
    {Cause::cm_no_port, "no port is free", "Destroy IDs that are no longer needed."},
    {Cause::cm_option, "the device has no option {b} of level {a}", "See rdma_set_option(3)."},
    {Cause::cm_option_size, "optval is null or optlen is {a}, and the option has {b} bytes",
     "Give a pointer to a value of that size."},
    {Cause::cm_no_param, "the ID has no QP and conn_param is null",
     "Create a QP with rdma_create_qp, or give conn_param with qp_num."},
    {Cause::cm_not_sync, "the ID has an event channel", "Use rdma_get_cm_event for it, or rdma_create_ep."},
    {Cause::cm_no_listener, "nobody listens on port {a} there",
     "Start the server first, and check address and port."},
};
static_assert(std::size(kPatterns) == static_cast<std::size_t>(Cause::count));

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kPatterns); ++i) {
    if (kPatterns[i].cause != static_cast<Cause>(i)) return false;
  }
  return true;
}
static_assert(in_order());

// Field of ibv_qp_attr and bit of its mask.
struct Attribute {
  uint32_t bit;
  const char *field, *mask;
};

constexpr Attribute kAttributes[] = {
    {m::cur_state, "cur_qp_state", "IBV_QP_CUR_STATE"},
    {m::en_sqd_async_notify, "en_sqd_async_notify", "IBV_QP_EN_SQD_ASYNC_NOTIFY"},
    {m::access_flags, "qp_access_flags", "IBV_QP_ACCESS_FLAGS"},
    {m::pkey_index, "pkey_index", "IBV_QP_PKEY_INDEX"},
    {m::port, "port_num", "IBV_QP_PORT"},
    {m::qkey, "qkey", "IBV_QP_QKEY"},
    {m::av, "ah_attr", "IBV_QP_AV"},
    {m::path_mtu, "path_mtu", "IBV_QP_PATH_MTU"},
    {m::timeout, "timeout", "IBV_QP_TIMEOUT"},
    {m::retry_cnt, "retry_cnt", "IBV_QP_RETRY_CNT"},
    {m::rnr_retry, "rnr_retry", "IBV_QP_RNR_RETRY"},
    {m::rq_psn, "rq_psn", "IBV_QP_RQ_PSN"},
    {m::max_qp_rd_atomic, "max_rd_atomic", "IBV_QP_MAX_QP_RD_ATOMIC"},
    {m::alt_path, "alt_ah_attr", "IBV_QP_ALT_PATH"},
    {m::min_rnr_timer, "min_rnr_timer", "IBV_QP_MIN_RNR_TIMER"},
    {m::sq_psn, "sq_psn", "IBV_QP_SQ_PSN"},
    {m::max_dest_rd_atomic, "max_dest_rd_atomic", "IBV_QP_MAX_DEST_RD_ATOMIC"},
    {m::path_mig_state, "path_mig_state", "IBV_QP_PATH_MIG_STATE"},
    {m::dest_qpn, "dest_qp_num", "IBV_QP_DEST_QPN"},
};

// Formats a mask: `timeout (IBV_QP_TIMEOUT), sq_psn (IBV_QP_SQ_PSN)`; unknown bits as a number.
std::string mask_text(uint32_t mask) {
  std::string text;
  for (const Attribute& one : kAttributes) {
    if ((mask & one.bit) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(one.field) + " (" + one.mask + ")";
    mask &= ~one.bit;
  }
  char rest[32];
  std::snprintf(rest, sizeof rest, "0x%x", mask);
  if (mask != 0) text += (text.empty() ? "" : " and ") + std::string("mask bits ") + rest;
  return text;
}

const char* attribute_name(uint32_t bit) {
  for (const Attribute& one : kAttributes) {
    if (one.bit == bit) return one.field;
  }
  return "an attribute";
}

// The words for a number, by its place in a list.
template <std::size_t N>
const char* nth(const char* const (&words)[N], uint64_t n) {
  return n < N ? words[n] : "?";
}

std::string figure(std::string_view kind, uint64_t value) {
  constexpr const char* kThings[] = {
      "QPs", "CQs", "SRQs", "PDs", "MRs", "MWs", "AHs", "multicast groups", "places in a multicast group"};
  constexpr const char* kLimits[] = {"cap.max_send_wr",
                                     "cap.max_recv_wr",
                                     "cap.max_send_sge",
                                     "cap.max_recv_sge",
                                     "cap.max_inline_data",
                                     "cqe",
                                     "max_wr",
                                     "max_sge"};
  constexpr const char* kDevice[] = {
      "max_qp_wr", "max_qp_wr",  "max_sge",    "max_sge", "the most inline data",
      "max_cqe",   "max_srq_wr", "max_srq_sge"};
  constexpr const char* kUsers[] = {"QPs", "MRs, MWs, QPs or SRQs", "windows", "multicast groups",
                                    "CQs", "parent domains",        "AHs"};
  constexpr const char* kPhases[] = {"idle",
                                     "bound",
                                     "resolved to an address",
                                     "resolved to a route",
                                     "listening",
                                     "asked by a peer",
                                     "connecting",
                                     "connected",
                                     "disconnected"};
  // Steps that rdma_bind_addr and rdma_resolve_addr do themselves are not required.
  constexpr const char* kNeeded[] = {"idle",
                                     "idle or bound",
                                     "resolved to an address",
                                     "resolved to a route",
                                     "listening",
                                     "asked by a peer",
                                     "connecting",
                                     "connected",
                                     "disconnected"};
  constexpr const char* kQueues[] = {"send", "receive", "shared receive"};
  constexpr const char* kEntries[] = {"max_send_wr", "max_recv_wr", "max_wr of the SRQ"};
  constexpr const char* kFreed[] = {
      ("Poll completions before you post more (that of a WR frees its slot, and those of unsignaled WRs "
       "before it)"),
      "Poll completions before you post more (that of a receive frees its slot)",
      "Let messages take receives before you post more"};
  constexpr const char* kOwners[] = {"QP", "QP", "SRQ"};
  constexpr const char* kSges[] = {"max_send_sge", "max_recv_sge", "max_sge"};
  constexpr const char* kWork[] = {"sends", "receives"};
  constexpr const char* kFamilies[] = {"IPv6", "IPv4"};
  constexpr const char* kUses[] = {"read", "write"};
  constexpr const char* kDepths[] = {"responder_resources", "initiator_depth"};
  char number[24];
  if (kind == "x") {
    std::snprintf(number, sizeof number, "%" PRIx64, value);
    return number;
  }
  if (kind == "int") return std::to_string(static_cast<int32_t>(value));
  if (kind == "state") return state_name(static_cast<QpState>(value));
  if (kind == "type") return qp_type_name(static_cast<ibv_qp_type>(value));
  if (kind == "opcode") return wr_opcode_name(static_cast<uint32_t>(value));
  if (kind == "mask") return mask_text(static_cast<uint32_t>(value));
  if (kind == "attr") return attribute_name(static_cast<uint32_t>(value));
  if (kind == "thing") return nth(kThings, value);
  if (kind == "limit") return nth(kLimits, value);
  if (kind == "device") return nth(kDevice, value);
  if (kind == "users") return nth(kUsers, value);
  if (kind == "phase") return nth(kPhases, value);
  if (kind == "needed") return nth(kNeeded, value);
  if (kind == "freed") return nth(kFreed, value);
  if (kind == "queue") return nth(kQueues, value);
  if (kind == "entries") return nth(kEntries, value);
  if (kind == "owner") return nth(kOwners, value);
  if (kind == "sges") return nth(kSges, value);
  if (kind == "work") return nth(kWork, value);
  if (kind == "types") return value != 0 ? "UD" : "RC or UC";
  if (kind == "family") return nth(kFamilies, value);
  if (kind == "use") return nth(kUses, value);
  if (kind == "depth") return nth(kDepths, value);
  return std::to_string(value);
}

std::string fill_in(std::string_view pattern, const Refusal& r) {
  std::string text;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '{') {
      text += pattern[at];
      continue;
    }
    const std::size_t end = pattern.find('}', at);
    const std::string_view field = pattern.substr(at + 1, end - at - 1);
    const uint64_t value = field[0] == 'a' ? r.a : field[0] == 'b' ? r.b : r.c;
    text += figure(field.size() > 2 ? field.substr(2) : std::string_view(), value);
    at = end;
  }
  return text;
}

thread_local Words t_words;

}  // namespace

Words words_of(const Refusal& refusal) {
  if (refusal.cause == Cause::custom) return std::exchange(t_words, {});
  const Pattern& pattern = kPatterns[static_cast<std::size_t>(refusal.cause)];
  return {fill_in(pattern.why, refusal), fill_in(pattern.cure, refusal)};
}

int refuse_saying(int error, std::string why, std::string cure) {
  t_words = {std::move(why), std::move(cure)};
  return refuse(error, Cause::custom);
}

}  // namespace uroce::verbs::watch
