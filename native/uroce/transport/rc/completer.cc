#include "uroce/transport/rc/completer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "uroce/transport/engine.h"
#include "uroce/transport/memory/memory.h"
#include "uroce/transport/rc/arrived_header.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

namespace op = wire::opcode;
namespace aeth = wire::aeth;

constexpr WcOpcode kWcOpcode[] = {
    WcOpcode::rdma_write, WcOpcode::rdma_write, WcOpcode::send,      WcOpcode::send,    WcOpcode::rdma_read,
    WcOpcode::comp_swap,  WcOpcode::fetch_add,  WcOpcode::local_inv, WcOpcode::bind_mw, WcOpcode::send};

// PSNs that a late copy may be behind: as many as the largest window has (Engine::set_windows).
constexpr ExtPsn kLate = 1u << 20;

bool is_send(WrOpcode opcode) {
  return opcode == WrOpcode::send || opcode == WrOpcode::send_with_imm || opcode == WrOpcode::send_with_inv;
}

WcStatus status_of_nak(uint8_t syndrome) {
  switch (syndrome) {
    case aeth::kNakInvalidRequest:
      return WcStatus::rem_inv_req_err;
    case aeth::kNakRemoteAccess:
      return WcStatus::rem_access_err;
    default:
      return WcStatus::rem_op_err;
  }
}

}  // namespace

bool Completer::expects(uint32_t psn) const {
  const ExtPsn seq = extend_psn(psn, send_.acked);
  return seq + kLate >= send_.acked && seq < send_.high;
}

void Completer::on_packet(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  const ExtPsn seq = extend_psn(bth.psn(), send_.acked);
  if (seq < send_.acked || seq >= send_.high) {  // a copy of an old response, or one to a request never sent
    if (!restarts_message(seq, bth, body, len)) return on_stray(bth, body, len);
  }

  const uint8_t syndrome =
      bth.opcode() == op::read_response_middle ? 0 : wire::AethView::of(body, len)->syndrome();
  switch (bth.opcode()) {
    case op::acknowledge:
      if (send_.acked == send_.first) [[unlikely]]
        check_first_ack(seq, syndrome, wire::AethView::of(body, len)->msn());
      on_ack(now, seq, body, len);
      break;
    case op::read_response_middle:
      on_read_response(now, seq, bth.opcode(), syndrome, body, len);
      break;
    case op::atomic_acknowledge:
      on_atomic_ack(
          now, seq,
          wire::AtomicAckEthView::of(body + wire::Aeth::kSize, len - wire::Aeth::kSize)->original());
      break;
    default:
      on_read_response(now, seq, bth.opcode(), syndrome, body + wire::Aeth::kSize, len - wire::Aeth::kSize);
  }
}

// A responder that has forgotten a message wants its first PSN again, of which it may have acknowledged a part.
bool Completer::restarts_message(ExtPsn seq, const wire::BthView& bth, const uint8_t* body,
                                 uint32_t len) const {
  return qp_.recovery_.restarts_messages() && seq < send_.acked && !qp_.sq_.empty() &&
         seq == qp_.sq_.at(qp_.sq_.head()).first && bth.opcode() == op::acknowledge &&
         wire::AethView::of(body, len)->syndrome() == aeth::kNakSequence;
}

// While nothing was acknowledged, such a response tells that the peer expects other PSNs than those that
// are sent.
void Completer::on_stray(const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  if (send_.acked != send_.first || bth.opcode() != op::acknowledge) return;
  const auto aeth = wire::AethView::of(body, len);
  if (!aeth) return;
  const uint8_t kind = aeth->syndrome() & aeth::kKindMask;
  if (kind == aeth::kAck) qp_.requester_.note_stray({StrayAnswer::ack, bth.psn()});
  if (aeth->syndrome() == aeth::kNakSequence) qp_.requester_.note_stray({StrayAnswer::nak, bth.psn()});
}

// The MSN counts the messages that the peer has executed. A duplicate is acknowledged and not executed.
void Completer::check_first_ack(ExtPsn seq, uint8_t syndrome, uint32_t msn) {
  if ((syndrome & aeth::kKindMask) != aeth::kAck || msn != 0 || qp_.sq_.empty()) return;
  const SendWqe& w = qp_.sq_.at(qp_.sq_.head());
  if (w.wants_response() || w.is_local() || seq + 1 < w.end()) return;
  qp_.engine_.events_.acknowledged_unexecuted(qp_, work_at_head(WcStatus::success));
}

void Completer::on_ack(uint64_t now, ExtPsn seq, const uint8_t* body, uint32_t len) {
  const uint8_t syndrome = *body;
  switch (syndrome & aeth::kKindMask) {
    case aeth::kAck:
      if (!ack_through(now, seq + 1)) return gap(now);
      if (qp_.recovery_.selective() != nullptr) [[unlikely]]
        check_kept(seq + 1);
      break;
    case aeth::kRnrNak:
      on_rnr(now, seq, syndrome);
      break;
    case aeth::kNak:
      on_nak(now, seq, body, len);
      break;
    default:
      ++qp_.engine_.counters_.malformed_pkts;
  }
}

void Completer::check_kept(ExtPsn expected) {
  if (!qp_.sq_.empty() && !qp_.sq_.at(qp_.sq_.head()).wants_response()) qp_.requester_.check_kept(expected);
}

void Completer::on_nak(uint64_t now, ExtPsn seq, const uint8_t* body, uint32_t len) {
  const uint8_t syndrome = *body;
  if (!ack_through(now, seq)) return gap(now);
  if (syndrome == aeth::kNakSequence) {
    Counters& c = qp_.engine_.counters_;
    ++c.packet_seq_err;
    ++c.rcvd_seq_err;
    if (len == wire::Aeth::kSize || qp_.recovery_.selective() == nullptr)
      return qp_.requester_.go_back(LossSignal::sequence_nak, now);
    check_kept(seq);
    const auto arrived = ArrivedHeader::parse(body + wire::Aeth::kSize, len - wire::Aeth::kSize);
    if (arrived) qp_.requester_.fill_gaps(seq, *arrived, now);
  } else {
    fail_head(now, status_of_nak(syndrome));
  }
}

void Completer::on_rnr(uint64_t now, ExtPsn seq, uint8_t syndrome) {
  if (!ack_through(now, seq)) return gap(now);
  Requester& r = qp_.requester_;
  // While waiting, or gone back and not yet there again, a second one is a copy of the first.
  if (r.in_rnr_wait() || send_.next <= seq) return;
  Counters& c = qp_.engine_.counters_;
  ++c.rcvd_rnr_err;
  qp_.engine_.events_.rnr_nak(qp_, false);
  if (r.wait_rnr(now + aeth::kRnrTimerUs[syndrome & aeth::kValueMask] * 1000ull)) {
    ++c.rnr_nak_retry_err;
  } else {
    ++c.retry_rnr_exceeded_err;
    fail_head(now, WcStatus::rnr_retry_exc_err);
  }
}

void Completer::on_read_response(uint64_t now, ExtPsn seq, uint8_t opcode, uint8_t syndrome,
                                 const uint8_t* payload, uint32_t len) {
  if (!ack_through(now, seq)) return gap(now);
  if (qp_.sq_.empty()) return;
  const Requester& r = qp_.requester_;
  const uint32_t index = qp_.sq_.head();
  const SendWqe& w = qp_.sq_.at(index);
  if (!w.is_read()) {
    ++qp_.engine_.counters_.malformed_pkts;
    return;
  }
  const uint32_t offset = static_cast<uint32_t>(seq - w.first) * qp_.mtu_;
  // A repeated request may be answered from its middle on, by a First (this device) or a Middle (rxe).
  const bool begins = opcode == op::read_response_first || opcode == op::read_response_only;
  const bool ends = opcode == op::read_response_last || opcode == op::read_response_only;
  const bool placed = ends == r.read_ends(w, seq) && (begins || !r.read_begins(w, seq));
  if (!placed || (syndrome & aeth::kKindMask) != aeth::kAck || len != std::min(qp_.mtu_, w.length - offset))
    return fail_head(now, WcStatus::bad_resp_err);
  const WcStatus status = scatter(w, index, offset, payload, len);
  if (status != WcStatus::success) return fail_head(now, status);
  advance(now, seq + 1);
  if (qp_.can_send()) qp_.requester_.progressed(now);
}

void Completer::on_atomic_ack(uint64_t now, ExtPsn seq, uint64_t original) {
  if (!ack_through(now, seq)) return gap(now);
  if (qp_.sq_.empty()) return;
  const uint32_t index = qp_.sq_.head();
  const SendWqe& w = qp_.sq_.at(index);
  if (!w.is_atomic()) {
    ++qp_.engine_.counters_.malformed_pkts;
    return;
  }
  uint8_t bytes[8];
  std::memcpy(bytes, &original, 8);
  const WcStatus status = scatter(w, index, 0, bytes, 8);
  if (status != WcStatus::success) return fail_head(now, status);
  advance(now, seq + 1);
  if (qp_.can_send()) qp_.requester_.progressed(now);
}

void Completer::gap(uint64_t now) {
  if (!qp_.can_send()) return;
  ++qp_.engine_.counters_.implied_nak_seq_err;
  qp_.requester_.go_back(LossSignal::implied_nak, now);
}

bool Completer::ack_through(uint64_t now, ExtPsn end) {
  const ExtPsn before = send_.acked;
  while (send_.acked < end && !qp_.sq_.empty()) {  // empty: the QP failed on the way
    const SendWqe& w = qp_.sq_.at(qp_.sq_.head());
    if (w.wants_response() || w.is_local()) break;
    advance(now, std::min(end, w.end()));
  }
  if (send_.acked != before && qp_.can_send()) qp_.requester_.progressed(now);
  return send_.acked >= end;
}

void Completer::advance(uint64_t now, ExtPsn to) {
  const SendWqe& w = qp_.sq_.at(qp_.sq_.head());
  send_.acked = to;
  if (to != w.end()) {
    send_.acked_bytes = w.start_bytes + static_cast<uint64_t>(to - w.first) * qp_.mtu_;
    return;
  }
  send_.acked_bytes = w.start_bytes + w.length;
  complete_head(now, WcStatus::success);
  if (send_.local_queued != 0) complete_executed(now);
}

void Completer::complete_executed(uint64_t now) {
  while (!qp_.sq_.empty() && qp_.sq_.at(qp_.sq_.head()).executed()) complete_head(now, WcStatus::success);
}

void Completer::complete_head(uint64_t now, WcStatus status) {
  SendQueue& sq = qp_.sq_;
  const uint32_t index = sq.head();
  const SendWqe& w = sq.at(index);
  Engine& e = qp_.engine_;
  WrStamps* stamps = sq.stamps(index);
  if (stamps && !stamps->valid) stamps = nullptr;
  if (stamps) {
    stamps->status = status;
    // An unreliable QP's packets leave between this time and its completions.
    stamps->cqe = std::max(now, stamps->last_tx);
    if (status == WcStatus::success && !qp_.unreliable_ && !w.is_local()) stamps->acked = now;
  }
  if (status == WcStatus::success && is_send(w.opcode)) ++e.counters_.rdma_sends;
  send_.local_queued -= w.is_local();
  bool fits = true;
  if ((w.flags & send_flag::signaled) || qp_.init_.sq_sig_all || status != WcStatus::success) {
    Cq& cq = *qp_.init_.send_cq;
    if (Completion* wc = cq.next()) {
      *wc = {};
      wc->wr_id = w.wr_id;
      wc->status = status;
      wc->opcode = kWcOpcode[static_cast<size_t>(w.opcode)];
      wc->byte_len = w.length;
      wc->qp_num = qp_.qpn_;
      cq.publish(false, stamps, now, sq.slot(index));
    } else {
      fits = false;
    }
  } else if (stamps) {
    stamps->cqe = 0;
    e.events_.unsignaled_stamps(*stamps);
  }
  sq.pop();
  if (!fits) qp_.cq_overrun(now);
}

FailedWork Completer::work_at_head(WcStatus status) const {
  const SendWqe& w = qp_.sq_.at(qp_.sq_.head());
  return {w.wr_id,  status,        true,   qp_.sq_.head(),    w.opcode,
          w.length, w.remote_addr, w.rkey, wire_psn(w.first), 0};
}

void Completer::report_failed(WcStatus status) {
  FailedWork work = work_at_head(status);
  work.fault = std::exchange(send_.fault, 0);
  if (status == WcStatus::mw_bind_err) qp_.requester_.describe_local(qp_.sq_.at(qp_.sq_.head()), &work);
  qp_.engine_.events_.work_failed(qp_, work);
}

void Completer::fail_head(uint64_t now, WcStatus status) {
  if (!qp_.sq_.empty()) {
    report_failed(status);
    complete_head(now, status);
  }
  qp_.to_error(now);
}

void Completer::flush(uint64_t now) {
  while (!qp_.sq_.empty()) complete_head(now, WcStatus::wr_flush_err);
}

void Completer::check_local_failure(uint64_t now) {
  const uint32_t head = qp_.sq_.head();
  if (!qp_.requester_.failed() || send_.cursor != head) return;
  // Packets of this very WR may be unanswered; it fails all the same, there is nothing before it.
  fail_head(now, qp_.sq_.at(head).error);
}

WcStatus Completer::scatter(const SendWqe& w, uint32_t index, uint32_t offset, const uint8_t* data,
                            uint32_t len) {
  const bool ok = for_each_piece(qp_.engine_.mrs_, qp_.init_.pd, qp_.sq_.sges(index), w.num_sge, offset, len,
                                 access_flag::local_write, [&](uint8_t* p, uint32_t n) {
                                   if (!qp_.engine_.place_payload(p, data, n)) {
                                     send_.fault = t_guard.fault;
                                     return false;
                                   }
                                   data += n;
                                   return true;
                                 });
  return ok ? WcStatus::success : WcStatus::loc_prot_err;
}

}  // namespace uroce::transport
