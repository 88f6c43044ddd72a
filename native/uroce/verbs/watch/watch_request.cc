// Why requests fail and messages vanish: exactly, for both sides. Nothing here runs before one does.
#include "uroce/net/host/address.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/refused_reason.h"
#include "uroce/verbs/watch/request_text.h"
#include "uroce/verbs/watch/watch.h"

namespace uroce::verbs::watch {
namespace {

using report::Misuse;

// An operation that a datagram QP or an unreliable connection does not have, or an address handle that is
// not its own.
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
  note.cure += " The QP is in SQE: bring it back to RTS with ibv_modify_qp.";
}

void local_fault(const QpObject& object, const transport::FailedWork& work) {
  const void* queue = &object;
  if (!work.send && object.ex.qp_base.srq != nullptr) queue = object.ex.qp_base.srq;
  if (pop_flagged(queue, work.wr_id)) return;
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

// A message whose loss its sender does not learn of: one to an unreliable QP, or to a QP of another type.
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
    note.detail += format(": QP 0x%06" PRIx32 " has max_rd_atomic 0", qp.qpn());
    note.cure = "Set max_rd_atomic of ibv_modify_qp to at least 1 to use READs and atomics.";
  } else if (work.status == WcStatus::loc_qp_op_err || (work.status == WcStatus::loc_len_err && !reliable)) {
    explain_operation(qp, work.opcode, note);
  } else if (work.status == WcStatus::loc_len_err && answered) {
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
