// Why requests fail and messages vanish: exactly, for both sides. Nothing here runs before one does.
#include "uroce/net/host/address.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/request_text.h"
#include "uroce/verbs/watch/watch.h"

namespace uroce::verbs::watch {
namespace {

using report::Kind;
using report::Misuse;

constexpr int kGrhSize = 40;

const char* type_name(QpType type) { return qp_type_name(static_cast<ibv_qp_type>(type)); }

const char* name_of_right(uint32_t right) {
  return right == access_flag::remote_write  ? "IBV_ACCESS_REMOTE_WRITE"
         : right == access_flag::remote_read ? "IBV_ACCESS_REMOTE_READ"
                                             : "IBV_ACCESS_REMOTE_ATOMIC";
}

std::string region_text(const transport::Mr& mr) {
  return format("MR 0x%08" PRIx32 " (%" PRIu64 " bytes at 0x%" PRIx64 ")", mr.key, mr.length, mr.iova);
}

// What may be wrong with the memory that a peer asks for.
enum class MemoryFault : uint8_t {
  none,
  deregistered,
  unknown_key,
  other_pd,
  unbound,
  other_region,
  right,
  before,
  after,
  past_end,
};

struct Reason {
  std::string text;
  std::string cure{};
  const void* handle = nullptr;  // the object whose call is to be changed; null: the QP
  const char* call = "ibv_reg_mr";
  MemoryFault fault = MemoryFault::none;
  uint32_t key = 0;  // the region that the fault is about, where the object is none
};

// Refusals of one kind on one object are one finding.
uint64_t kind_of(const transport::RefusedRequest& r, const Reason& reason) {
  return uint64_t{r.because} | uint64_t{static_cast<uint8_t>(reason.fault)} << 8 |
         uint64_t{r.right & 0xffffu} << 16 | uint64_t{reason.key} << 32;
}

// What is wrong with the rkey, so that no bytes were looked at.
Reason why_no_key(const transport::MrTable& mrs, uint32_t pd, const transport::RefusedRequest& r) {
  if (const auto ago = report::ledger().deregistered(r.rkey)) {
    return {format("the MR of rkey 0x%08" PRIx32 " was deregistered %.3g ms before", r.rkey,
                   static_cast<double>(*ago) / 1e6),
            "Call ibv_dereg_mr only when the peer's last request has completed.",
            nullptr,
            "ibv_reg_mr",
            MemoryFault::deregistered,
            r.rkey};
  }
  Reason reason{.text = format("rkey 0x%08" PRIx32 " names no memory region of this process", r.rkey),
                .fault = MemoryFault::unknown_key};
  if (const transport::Mr* meant = mrs.covering(pd, r.va, r.length)) {
    reason.text += format(", and these bytes are in %s", region_text(*meant).c_str());
    reason.cure = format("Post the request with rkey 0x%08" PRIx32 ".", meant->key);
    reason.key = meant->key;
  } else {
    reason.cure = "Post the request with the rkey that ibv_reg_mr gave this process.";
  }
  return reason;
}

Reason why_range(const transport::Mr& mr, const transport::RefusedRequest& r) {
  const std::string region = region_text(mr);
  if (r.va < mr.iova) {
    return {.text = format("it begins %" PRIu64 " bytes before %s", mr.iova - r.va, region.c_str()),
            .cure = "Keep the remote address within the MR.",
            .fault = MemoryFault::before};
  }
  const uint64_t offset = r.va - mr.iova;
  if (offset >= mr.length) {
    return {.text = format("its address is %" PRIu64 " bytes past the end of %s", offset - mr.length,
                           region.c_str()),
            .cure = "Keep the remote address within the MR.",
            .fault = MemoryFault::after};
  }
  return {.text = format("it ends %" PRIu64 " bytes past the end of %s", offset + r.length - mr.length,
                         region.c_str()),
          .cure = format("At this address at most %" PRIu64 " bytes are within the MR.", mr.length - offset),
          .fault = MemoryFault::past_end};
}

Reason gone_reason(const transport::Mr* mr, uintptr_t at) {
  report::Finding gone;
  gone.misuse = Misuse::memory_gone;
  Reason reason{"the memory of this region is gone: ", report::cure_of(gone)};
  if (mr != nullptr) reason.text += region_text(*mr) + " ";
  reason.text +=
      format("was unmapped, freed, truncated or write-protected after ibv_reg_mr, at 0x%" PRIxPTR, at);
  if (mr == nullptr) return reason;
  const bool window = mr->window != transport::MwType{};
  if (const auto live = report::ledger().find(window ? Kind::mw : Kind::mr, mr->key))
    reason.handle = live->handle;
  return reason;
}

// Why transport::MrTable::check() refuses. Engine lock.
Reason why_memory(const transport::Qp& qp, const transport::RefusedRequest& r) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  const transport::MrTable& mrs = object->device->engine().mrs();
  const uint32_t pd = qp.init().pd;
  const transport::Mr* mr = mrs.find(r.rkey);
  if (mr == nullptr) return why_no_key(mrs, pd, r);
  const bool window = mr->window != transport::MwType{};
  const char* kind = window ? "MW" : "MR";
  const auto live = report::ledger().find(window ? Kind::mw : Kind::mr, r.rkey);
  Reason reason;
  if (mr->domain != pd && mr->domain != transport::qp_domain(qp.qpn())) {
    reason = {.text = format("%s 0x%08" PRIx32 " belongs to another PD than QP 0x%06" PRIx32, kind, r.rkey,
                             qp.qpn()),
              .cure = "Create the QP and register its memory in the same PD.",
              .fault = MemoryFault::other_pd};
  } else if (window && mr->length == 0) {
    reason = {format("MW 0x%08" PRIx32 " is bound to no memory", r.rkey),
              "Bind the window before the peer uses it.", nullptr, "ibv_bind_mw", MemoryFault::unbound};
  } else if (const transport::Mr* meant = mrs.covering(pd, r.va, r.length); (mr->access & r.right) == 0 &&
                                                                            meant != nullptr && meant != mr &&
                                                                            (meant->access & r.right) != 0) {
    reason = {.text = format("rkey 0x%08" PRIx32 " is that of %s, and these bytes are in %s", r.rkey,
                             region_text(*mr).c_str(), region_text(*meant).c_str()),
              .cure = format("Post the request with rkey 0x%08" PRIx32 ".", meant->key),
              .fault = MemoryFault::other_region,
              .key = meant->key};
  } else if ((mr->access & r.right) == 0) {
    const char* right = name_of_right(r.right);
    const char* done = window ? "bound" : "registered";
    reason = {.text = format("%s 0x%08" PRIx32 " was %s without %s", kind, r.rkey, done, right),
              .cure = window ? format("Bind it with %s.", right)
                             : format("Register it with %s%s.", right,
                                      r.right == access_flag::remote_read ? "" : " | IBV_ACCESS_LOCAL_WRITE"),
              .fault = MemoryFault::right};
  } else {
    reason = why_range(*mr, r);
  }
  if (live) reason.handle = live->handle;
  return reason;
}

// `region`: of a bind; 0 for an invalidation.
Reason why_window(transport::WindowFault fault, uint32_t window, uint32_t region, uint32_t qpn) {
  using transport::WindowFault;
  const std::string key = format("rkey 0x%08" PRIx32, window), mr = format("MR 0x%08" PRIx32, region);
  switch (fault) {
    case WindowFault::none:
      break;
    case WindowFault::no_window:
      return {
          key + " names no memory window of this process",
          "Use the window's rkey of after its last bind, which changes it, and before it is deallocated."};
    case WindowFault::is_region:
      return {key + " is that of an MR, and only memory windows of type 2 are invalidated",
              "Invalidate the rkey of a window of type 2, or deregister the MR."};
    case WindowFault::is_type1:
      return {key + " is that of a memory window of type 1, and only those of type 2 are invalidated",
              "Bind a window of type 1 to length 0 with ibv_bind_mw, or use one of type 2."};
    case WindowFault::other_pd:
      return {region != 0 ? format("QP 0x%06" PRIx32 ", ", qpn) + mr + " and the window are not all of one PD"
                          : key + format(" belongs to another PD than QP 0x%06" PRIx32, qpn),
              "Create the QP, the MR and the window in one PD."};
    case WindowFault::other_qp:
      return {key + " is that of a window that is bound to another QP",
              "Invalidate it from the QP that it was bound with."};
    case WindowFault::bound:
      return {"the window of type 2 is bound already", "Invalidate it before you bind it again."};
    case WindowFault::no_length:
      return {"a window of type 2 is not bound to 0 bytes", "Unbind it with IBV_WR_LOCAL_INV."};
    case WindowFault::no_region:
      return {format("key 0x%08" PRIx32 " names no MR of this process", region),
              "Bind it to an MR that still exists."};
    case WindowFault::access:
      return {"mw_access_flags has a right that no window of its type has",
              "Use IBV_ACCESS_REMOTE_READ, _WRITE and _ATOMIC, and with type 2 IBV_ACCESS_ZERO_BASED."};
    case WindowFault::region_mw_bind:
      return {mr + " was registered without IBV_ACCESS_MW_BIND", "Register it with IBV_ACCESS_MW_BIND."};
    case WindowFault::region_local_write:
      return {"the window lets peers write, and " + mr + " was registered without IBV_ACCESS_LOCAL_WRITE",
              "Register it with IBV_ACCESS_LOCAL_WRITE."};
    case WindowFault::range:
      return {"the bytes of the window are not all within " + mr, "Bind it to bytes of the MR."};
  }
  return {};
}

Reason why(const transport::Qp& qp, const transport::RefusedRequest& r) {
  const bool datagrams = qp.type() == QpType::ud;
  switch (r.because) {
    case transport::RefusedRequest::memory:
      return why_memory(qp, r);
    case transport::RefusedRequest::qp_access: {
      const char* right = name_of_right(r.right);
      return {format("QP 0x%06" PRIx32 " was brought to INIT without %s", qp.qpn(), right),
              format("Set %s in qp_access_flags when you call ibv_modify_qp.", right), nullptr,
              "ibv_modify_qp"};
    }
    case transport::RefusedRequest::misaligned:
      return {"an atomic needs an address that is a multiple of 8", "Align the remote address to 8 bytes."};
    case transport::RefusedRequest::resources:
      return {format("more READs and atomics were outstanding than max_dest_rd_atomic %u of QP 0x%06" PRIx32,
                     unsigned{qp.query().max_dest_rd_atomic}, qp.qpn()),
              "Set max_rd_atomic of the peer no higher than max_dest_rd_atomic here.", nullptr,
              "ibv_modify_qp"};
    case transport::RefusedRequest::gone: {
      const transport::Mr* mr = static_cast<const QpObject*>(qp.user)->device->engine().mrs().find(r.rkey);
      return gone_reason(mr, r.fault);
    }
    case transport::RefusedRequest::invalidate: {
      Reason reason = why_window(r.window_fault, r.rkey, 0, qp.qpn());
      reason.cure = "At the peer: set invalidate_rkey to the rkey of a window of type 2 that is bound here.";
      reason.call = "ibv_modify_qp";
      return reason;
    }
    case transport::RefusedRequest::short_receive:
      if (datagrams) {
        return {format("the receive it found, wr_id %" PRIu64 ", holds %" PRIu32
                       " bytes, and %d of them are for the GRH that comes before the data: it needs %" PRIu32,
                       r.wr_id, r.room, kGrhSize, r.length + kGrhSize),
                format("Post UD receives that are %d bytes (sizeof(struct ibv_grh)) larger than the largest "
                       "message.",
                       kGrhSize),
                nullptr, "ibv_post_recv"};
      }
      return {
          format("the receive it found, wr_id %" PRIu64 ", holds only %" PRIu32 " bytes", r.wr_id, r.room),
          "Post receives as large as the largest message.", nullptr, "ibv_post_recv"};
    case transport::RefusedRequest::no_receive:
      return {"no receive was posted", "Post receives before the peer sends, and enough of them.", nullptr,
              "ibv_post_recv"};
    case transport::RefusedRequest::too_long:
      return {format("it is longer than the MTU of %u bytes", unsigned{qp.query().path_mtu}),
              "Send datagrams of at most the smaller active_mtu of both ports."};
    case transport::RefusedRequest::wrong_qkey:
      return {
          format("it has Q_Key 0x%08" PRIx32 ", and the QP expects 0x%08" PRIx32, r.qkey, qp.query().qkey),
          "Set remote_qkey of the work request to the qkey that the receiver's ibv_modify_qp set.", nullptr,
          "ibv_modify_qp"};
    case transport::RefusedRequest::too_early:
      return {format("the QP is in state %s and takes messages from RTR on", state_name(qp.state())),
              "Bring the QP to RTR before the peer sends.", nullptr, "ibv_modify_qp"};
    case transport::RefusedRequest::wrong_service:
      return {format("a QP of type %s sent it, and this one is of type %s", type_name(r.sender),
                     type_name(qp.type())),
              format("Send to the qp_num of a QP of type %s.", type_name(r.sender)), nullptr,
              "ibv_create_qp"};
  }
  return {};
}

// An operation that a datagram QP or an unreliable connection does not have, or an address handle that is not its own.
void explain_operation(const transport::Qp& qp, WrOpcode opcode, report::Note& note) {
  const bool datagrams = qp.type() == QpType::ud;
  if (qp.type() == QpType::rc) return;
  const bool sends = opcode == WrOpcode::send || opcode == WrOpcode::send_with_imm;
  if (datagrams && sends) {
    note.detail += format(": its address handle belongs to another PD than QP 0x%06" PRIx32, qp.qpn());
    note.cure = "Create the address handle in the PD of the QP.";
  } else {
    note.detail += format(
        ": a %s QP takes %s only", datagrams ? "UD" : "UC",
        datagrams ? "SEND and SEND_WITH_IMM" : "SEND and RDMA_WRITE, with and without immediate data,");
    note.cure = "Use an RC QP for this operation.";
  }
  note.cure += " The send queue is in SQE: bring the QP back to RTS with ibv_modify_qp.";
}

void local_fault(const QpObject& object, const transport::FailedWork& work) {
  const void* queue = &object;
  if (!work.send && object.ex.qp_base.srq != nullptr) queue = object.ex.qp_base.srq;
  if (take_flagged(queue, work.wr_id)) return;
  report::Note note{.detail = "wr_id " + std::to_string(work.wr_id)};
  Reason gone;
  if (work.fault != 0) {
    gone = gone_reason(object.device->engine().mrs().holding(work.fault), work.fault);
    note.detail += ": " + gone.text;
  } else {
    note.detail += ": its memory was registered when the WR was posted, but no longer when it was executed";
  }
  note.request = report::Request{.qpn = object.qp->qpn(),
                                 .opcode = work.send ? opcode_name(work.opcode) : "RECV",
                                 .wr_id = work.wr_id,
                                 .length = work.length};
  const char* posted = work.send ? "ibv_post_send" : "ibv_post_recv";
  if (gone.handle != nullptr)
    return report::ledger().note(Misuse::memory_gone, gone.call, gone.handle, std::move(note));
  report::ledger().note(work.fault != 0 ? Misuse::memory_gone : Misuse::sge_outside_mr, posted, queue,
                        std::move(note));
}

// The device's counter of it.
const char* counter_of(transport::RefusedRequest::Because because) {
  switch (because) {
    case transport::RefusedRequest::no_receive:
      return "out_of_buffer";
    case transport::RefusedRequest::wrong_qkey:
      return "qkey_violations";
    case transport::RefusedRequest::too_early:
      return "";
    case transport::RefusedRequest::wrong_service:
      return "wrong_transport_pkts";
    default:
      return "dropped_messages";
  }
}

// A message that its sender is told nothing about: one to an unreliable QP, or to a QP of another type.
void dropped(const transport::Qp& qp, const transport::RefusedRequest& request) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  Reason reason = why(qp, request);
  const bool foreign = request.because == transport::RefusedRequest::wrong_service;
  report::Note note;
  note.detail = format("QP 0x%06" PRIx32 " dropped ", qp.qpn()) +
                (foreign || request.because == transport::RefusedRequest::too_early
                     ? std::string(opcode_name(request.opcode))
                     : text_of(request.opcode, request.length, request.va, request.rkey));
  if (!foreign && qp.type() != QpType::ud) {
    note.detail += format(" from QP 0x%06" PRIx32, uint32_t{qp.query().dest_qp_num});
  } else if (request.source_qpn != 0) {
    note.detail += format(" from QP 0x%06" PRIx32, request.source_qpn);
  }
  if (request.source != nullptr)
    note.detail += (request.source_qpn != 0 ? " at " : " from ") + net::to_text(*request.source);
  note.detail += ": " + reason.text;
  note.cure = std::move(reason.cure);
  note.kind = kind_of(request, reason);
  note.counter = counter_of(request.because);
  report::ledger().note(Misuse::message_dropped, reason.call,
                        reason.handle != nullptr ? reason.handle : object, std::move(note));
}

}  // namespace

void unsent(const transport::Qp& qp, const transport::FailedWork& work) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  if (object == nullptr) return;
  report::Note note;
  note.detail = format("QP 0x%06" PRIx32 " did not send wr_id %" PRIu64 ", ", qp.qpn(), work.wr_id) +
                text_of(work.opcode, work.length, 0, 0) +
                format(", which completed with success: it is longer than the MTU of %u bytes",
                       unsigned{qp.query().path_mtu});
  note.cure = format("Send datagrams of at most %u bytes (active_mtu of ibv_query_port).",
                     unsigned{qp.query().path_mtu});
  note.where = posted_from(object, work.wqe);
  note.kind = transport::RefusedRequest::too_long;
  note.counter = "send_err";
  report::ledger().note(Misuse::message_dropped, "ibv_post_send", object, std::move(note));
}

void failed(const transport::Qp& qp, const transport::FailedWork& work) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  if (object == nullptr) return;
  if (work.status == WcStatus::loc_prot_err) return local_fault(*object, work);
  // The side that refused has said more about a receive.
  if (!work.send) return;
  const char* status = status_name(static_cast<uint32_t>(work.status));
  report::Note note;
  note.detail = format("wr_id %" PRIu64 ", ", work.wr_id) +
                text_of(work.opcode, work.length, work.remote_addr, work.rkey) +
                format(", completed with %s", status);
  note.where = posted_from(object, work.wqe);
  if (work.status == WcStatus::rnr_retry_exc_err || work.status == WcStatus::retry_exc_err)
    explain_silence(*object->device, qp, work.status, note);
  const bool answered = work.opcode >= WrOpcode::rdma_read && work.opcode <= WrOpcode::atomic_fetch_and_add;
  const bool reliable = qp.type() == QpType::rc;
  if (work.status == WcStatus::loc_qp_op_err && reliable && answered && qp.query().max_rd_atomic == 0) {
    note.detail += format(": QP 0x%06" PRIx32 " was brought to RTS with max_rd_atomic 0", qp.qpn());
    note.cure = "Set max_rd_atomic of ibv_modify_qp to at least 1 to use READs and atomics.";
  } else if (work.status == WcStatus::loc_qp_op_err) {
    explain_operation(qp, work.opcode, note);
  }
  if (work.status == WcStatus::loc_len_err && answered) {
    note.detail += format(": an atomic returns 8 bytes, and its SGEs hold %" PRIu32, work.length);
    note.cure = "Give an atomic SGEs of exactly 8 bytes together.";
  }
  if (work.status == WcStatus::mw_bind_err) {
    Reason reason = why_window(work.window_fault, work.window, work.region, qp.qpn());
    note.detail += ": " + reason.text;
    note.cure = std::move(reason.cure);
  }
  note.kind = uint64_t{static_cast<uint8_t>(work.window_fault)} << 16 |
              static_cast<uint64_t>(work.status) << 8 | static_cast<uint64_t>(work.opcode);
  note.request = report::Request{.qpn = qp.qpn(),
                                 .peer_qpn = qp.query().dest_qp_num,
                                 .opcode = opcode_name(work.opcode),
                                 .wr_id = work.wr_id,
                                 .status = status,
                                 .length = work.length,
                                 .remote_addr = work.remote_addr,
                                 .rkey = work.rkey,
                                 .psn = work.psn};
  report::ledger().note(Misuse::request_failed, "ibv_post_send", object, std::move(note));
}

void refused(const transport::Qp& qp, const transport::RefusedRequest& request) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  if (object == nullptr) return;
  if (qp.type() != QpType::rc || request.because == transport::RefusedRequest::wrong_service)
    return dropped(qp, request);
  const uint32_t peer = qp.query().dest_qp_num;
  Reason reason = why(qp, request);
  report::Note note;
  note.detail = format("QP 0x%06" PRIx32 " refused ", qp.qpn()) +
                text_of(request.opcode, request.length, request.va, request.rkey) +
                format(" from QP 0x%06" PRIx32 ": ", peer) + reason.text;
  note.cure = std::move(reason.cure);
  note.request = report::Request{.qpn = peer,
                                 .peer_qpn = qp.qpn(),
                                 .opcode = opcode_name(request.opcode),
                                 .length = request.length,
                                 .remote_addr = request.va,
                                 .rkey = request.rkey,
                                 .psn = request.psn};
  note.kind = kind_of(request, reason);
  report::ledger().note(Misuse::request_refused, reason.call,
                        reason.handle != nullptr ? reason.handle : object, std::move(note));
}

}  // namespace uroce::verbs::watch
