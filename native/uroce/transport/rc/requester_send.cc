// Sends: turns work requests into packets, as far as the windows allow. requester_post.cc queues them,
// requester_recover.cc handles acknowledgments, losses, timers and state changes, requester_resend.cc selective repeat.
#include <algorithm>

#include "uroce/transport/engine.h"
#include "uroce/transport/memory/memory.h"
#include "uroce/transport/qp/data_headers.h"
#include "uroce/transport/rc/requester.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

namespace op = wire::opcode;

constexpr uint32_t kMaxHeader = wire::Bth::kSize + wire::AtomicEth::kSize;

}  // namespace

uint32_t Requester::transmit(uint64_t now, PacketSink& sink, uint32_t budget) {
  uint32_t count = 0;
  more_ = blocked_on_shared_window_ = progressed_this_turn_ = false;
  if (rnr_until_ != 0) return 0;
  SelectiveRepeat* const selective = qp_.recovery_.selective();
  if (selective != nullptr) [[unlikely]] {
    count = resend(now, sink, budget);
    if (more_) return count;
  }
  const bool idle = !in_flight();
  const bool controlled = qp_.congestion_.controlled();
  const ExtPsn end = limit();
  while ((send_.next < end || local_next()) && !failed_) {
    if (count == budget) {
      more_ = true;
      break;
    }
    const ExtPsn seq = send_.next;
    const Step step = controlled ? send_controlled(now, sink) : send_one(now, sink);
    if (step == Step::local) continue;
    if (step == Step::blocked) break;
    if (step == Step::failed) {
      qp_.completer_.check_local_failure(now);
      break;
    }
    ++count;
    if (selective != nullptr) [[unlikely]]
      selective->sent(seq, static_cast<uint32_t>(send_.next - seq));
  }
  if (!in_flight()) {  // nothing went out, or a WR failed and the QP with it
    ack_deadline_ = kNever;
    stall_expired_ = false;
  } else if (count != 0) {
    update_in_flight();
    if (idle) {
      ack_deadline_ = answer_due(now);
      stall_expired_ = false;
      qp_.engine_.set_timer(qp_, ack_deadline_);
    }
  }
  return count;
}

// Sends for a QP with a law of congestion control: it may hold the packet, and hears of it.
Requester::Step Requester::send_controlled(uint64_t now, PacketSink& sink) {
  const SendWqe& w = qp_.sq_.at(send_.cursor);
  if (w.is_local()) return send_one(now, sink);
  Congestion& congestion = qp_.congestion_;
  if (qp_.wait_for_pacer(now)) return Step::blocked;
  const uint64_t timeout = qp_.attr_.timeout != 0 ? ack_timeout() : kNever;
  ack_request_bytes_ = std::min(qp_.engine_.config_.ack_request_bytes, congestion.ack_bytes(now, timeout));
  const ExtPsn high = send_.high;
  const Step step = send_one(now, sink);
  if (step != Step::sent) return step;
  congestion.sent(now, emitted_, qp_.longest_pace());
  // The answer to a packet that is sent again may be to the first time.
  const bool again = send_.high == high;
  if (since_ack_request_ == 0 && !w.wants_response() && !again) congestion.asked_for_ack(now, send_.next);
  return step;
}

Requester::Step Requester::send_one(uint64_t now, PacketSink& sink) {
  SendWqe& w = qp_.sq_.at(send_.cursor);
  if ((w.flags & send_flag::fence) && send_.next == w.first && reads_out_ != 0) return Step::blocked;
  if (w.error != WcStatus::success) return fail(w, w.error);
  if (w.is_local()) return run_local(now, w);
  if (w.is_read()) return send_read(sink, w);
  if (w.is_atomic()) return send_atomic(sink, w);
  return send_data(sink, w);
}

bool Requester::gather(const SendWqe& w, uint32_t offset, uint32_t len, IoVec* iov, uint32_t* pieces) const {
  uint32_t n = 0;
  bool ok = true;
  if (w.flags & send_flag::inline_data) {
    if (len != 0) iov[n++] = {qp_.sq_.inline_data(send_.cursor) + offset, len};
  } else {
    ok = for_each_piece(qp_.engine_.mrs_, qp_.init_.pd, qp_.sq_.sges(send_.cursor), w.num_sge, offset, len, 0,
                        [&](const uint8_t* p, uint32_t size) {
                          iov[n++] = {p, size};
                          return true;
                        });
  }
  *pieces = n;
  return ok;
}

Requester::Step Requester::send_data(PacketSink& sink, SendWqe& w) {
  const uint32_t mtu = qp_.mtu_;
  const uint32_t offset = static_cast<uint32_t>(send_.next - w.first) * mtu;
  const uint32_t len = std::min(mtu, w.length - offset);
  if (!resending_ && !window_allows(1, len)) return Step::blocked;

  IoVec iov[kMaxSge];
  uint32_t pieces = 0;
  if (!gather(w, offset, len, iov, &pieces)) return fail(w, WcStatus::loc_prot_err);

  const bool first = send_.next == w.first;
  const bool last = send_.next + 1 == w.end();
  uint8_t header[kMaxHeader];
  wire::Bth bth;
  bth.opcode = data_opcode(w.opcode, first, last);
  bth.solicited = last && (w.flags & send_flag::solicited) && w.opcode != WrOpcode::rdma_write;
  bth.pad = static_cast<uint8_t>(-len & 3);
  bth.dest_qpn = qp_.attr_.dest_qp_num;
  bth.ack_req = last || resending_ || ack_is_due(len) || window_nearly_full(len);
  bth.selective = selective();
  bth.psn = wire_psn(send_.next);
  bth.emit(header);
  const uint32_t header_len = wire::Bth::kSize + emit_data_headers(w, first, last, header + wire::Bth::kSize);
  if (!emit(sink, header, header_len, iov, pieces, len, position_flags(w, 1)))
    return fail(w, WcStatus::loc_prot_err);
  if (resending_) return Step::sent;
  ++since_ack_request_;
  if (bth.ack_req) request_ack_through(send_.next + 1);
  send_.sent(w, 1, len);
  return Step::sent;
}

// Responses to a READ request that begins at this PSN.
uint32_t Requester::read_rest(const SendWqe& w, ExtPsn seq) const {
  const uint32_t into = static_cast<uint32_t>((seq - w.first) % read_packets_);
  return static_cast<uint32_t>(std::min<ExtPsn>(read_packets_ - into, w.end() - seq));
}

bool Requester::selective() const { return qp_.recovery_.selective() != nullptr; }

Requester::Step Requester::send_read(PacketSink& sink, SendWqe& w) {
  if (qp_.attr_.max_rd_atomic == 0) return fail(w, WcStatus::loc_qp_op_err);
  const uint32_t mtu = qp_.mtu_;
  const uint32_t offset = static_cast<uint32_t>(send_.next - w.first) * mtu;
  // Requests end at the same places in every retransmission: a responder answers a repeated READ only
  // within the range of the first one (rxe as well).
  const uint32_t packets = read_rest(w, send_.next);
  const uint32_t len = std::min(packets * mtu, w.length - offset);
  if (!resending_ && !responses_allowed(packets, len)) return Step::blocked;

  uint8_t header[kMaxHeader];
  wire::Bth bth;
  bth.opcode = op::read_request;
  bth.dest_qpn = qp_.attr_.dest_qp_num;
  bth.ack_req = true;
  bth.selective = selective();
  bth.psn = wire_psn(send_.next);
  bth.emit(header);
  wire::Reth{w.remote_addr + offset, w.rkey, len}.emit(header + wire::Bth::kSize);
  emit(sink, header, wire::Bth::kSize + wire::Reth::kSize, nullptr, 0, 0, position_flags(w, packets));
  if (resending_) return Step::sent;
  request_ack_through(send_.next + packets);
  read_ends_[(reads_head_ + reads_out_++) % read_ends_.size()] = send_.next + packets;
  send_.sent(w, packets, len);
  return Step::sent;
}

Requester::Step Requester::send_atomic(PacketSink& sink, SendWqe& w) {
  if (qp_.attr_.max_rd_atomic == 0) return fail(w, WcStatus::loc_qp_op_err);
  if (!resending_ && !responses_allowed(1, w.length)) return Step::blocked;

  const bool swap = w.opcode == WrOpcode::atomic_cmp_and_swp;
  uint8_t header[kMaxHeader];
  wire::Bth bth;
  bth.opcode = swap ? op::compare_swap : op::fetch_add;
  bth.dest_qpn = qp_.attr_.dest_qp_num;
  bth.ack_req = true;
  bth.selective = selective();
  bth.psn = wire_psn(send_.next);
  bth.emit(header);
  wire::AtomicEth{w.remote_addr, w.rkey, swap ? w.swap : w.compare_add, swap ? w.compare_add : 0}.emit(
      header + wire::Bth::kSize);
  emit(sink, header, wire::Bth::kSize + wire::AtomicEth::kSize, nullptr, 0, 0, position_flags(w, 1));
  if (resending_) return Step::sent;
  request_ack_through(send_.next + 1);
  read_ends_[(reads_head_ + reads_out_++) % read_ends_.size()] = send_.next + 1;
  send_.sent(w, 1, w.length);
  return Step::sent;
}

// Fails the WR in place. It completes after all WRs before it, so completions keep their order.
Requester::Step Requester::fail(SendWqe& w, WcStatus status) {
  w.error = status;
  failed_ = true;
  // The QP may go back over the WR and fail it again.
  if ((w.flags & SendWqe::kCountedError) == 0) ++qp_.engine_.counters_.send_err;
  w.flags |= SendWqe::kCountedError;
  return Step::failed;
}

uint32_t Requester::window_packets() const {
  return qp_.congestion_.window_packets(qp_.engine_.config_.window_packets);
}

bool Requester::fits_shared_window(uint64_t outstanding) const {
  const Engine& e = qp_.engine_;
  return own_flow_control_ ||
         e.in_flight_ - counted_in_flight_ + outstanding <= e.config_.engine_window_bytes;
}

// True if the windows allow these packets. One packet with AckReq may always be in flight, in any case. So
// a window-limited QP always has an ACK coming and needs no timeout to go on, even when other QPs filled
// the shared window between two of its turns, or when a window shrank below the data in flight.
bool Requester::window_allows(uint32_t packets, uint32_t bytes) {
  const uint64_t outstanding = send_.next_bytes - send_.acked_bytes + bytes;
  const bool own = send_.next - send_.acked + packets <= window_packets() &&
                   outstanding <= qp_.engine_.config_.window_bytes;
  const bool shared = fits_shared_window(outstanding);
  if (own && shared) {
    progressed_this_turn_ = true;
    return true;
  }
  const bool fits =
      send_.next == send_.acked || send_.next - send_.acked + packets <= qp_.recovery_.most_in_flight();
  if (ack_requested_ <= send_.acked && fits) return true;
  blocked_on_shared_window_ = own;
  return false;
}

// True if a READ request or an atomic may go out. At the QP's limit, the next one waits until half of the
// outstanding ones have been answered. So several requests leave in one send, and the peer answers several
// at once.
bool Requester::responses_allowed(uint32_t packets, uint32_t bytes) {
  if (reads_out_ > refill_at_) return false;
  const bool depth = reads_out_ < qp_.attr_.max_rd_atomic;
  if (depth && window_allows(packets, bytes)) {
    refill_at_ = kAnyReads;
    return true;
  }
  if (!depth || !blocked_on_shared_window_) refill_at_ = reads_out_ / 2;
  return false;
}

// True if no full packet fits behind one of this size, which must then request an ACK, or if this packet
// itself does not fit.
bool Requester::window_nearly_full(uint32_t bytes) const {
  const uint64_t outstanding = send_.next_bytes - send_.acked_bytes + bytes + qp_.mtu_;
  return send_.next - send_.acked + 2 > window_packets() || outstanding > qp_.engine_.config_.window_bytes ||
         !fits_shared_window(outstanding);
}

bool Requester::ack_is_due(uint32_t bytes) const {
  const EngineConfig& c = qp_.engine_.config_;
  return since_ack_request_ + 1 >= c.ack_request_packets ||
         send_.next_bytes + bytes - ack_requested_bytes_ >= ack_request_bytes_;
}

void Requester::request_ack_through(ExtPsn end) {
  since_ack_request_ = 0;
  ack_requested_ = end;
  ack_requested_bytes_ = send_.next_bytes;
}

bool Requester::emit(PacketSink& sink, const uint8_t* header, uint32_t header_len, const IoVec* iov,
                     uint32_t iov_count, uint32_t len, uint8_t position_flags) {
  if (!sink.emit({&qp_.attr_.av, header, iov, header_len, iov_count, len, -len & 3, qp_.qpn_,
                  qp_.attr_.dest_qp_num, wire_psn(send_.next), header[0], position_flags, send_.cursor})) {
    send_.fault = t_guard.fault;
    return false;
  }
  emitted_ = header_len + len + (-len & 3) + wire::kIcrcSize;
  Counters& c = qp_.engine_.counters_;
  ++c.sent_pkts;
  if (send_.next < send_.high) ++c.retransmitted_pkts;
  return true;
}

uint8_t Requester::position_flags(const SendWqe& w, uint32_t packets) {
  const WrStamps* s = qp_.sq_.stamps(send_.cursor);
  if (s == nullptr || !s->valid) return 0;
  const uint8_t first = send_.next == w.first ? packet_position::first : 0;
  const uint8_t last = send_.next + packets == w.end() ? packet_position::last : 0;
  return first | last;
}

void Requester::note_tx_timestamp(const TxTimestamp& d, uint64_t time) {
  const SendQueue& sq = qp_.sq_;
  if (d.wqe - sq.head() >= sq.tail() - sq.head()) return;
  WrStamps* s = qp_.sq_.stamps(d.wqe);
  if (s == nullptr || !s->valid) return;
  if ((d.position_flags & packet_position::first) != 0 && s->first_tx == 0) s->first_tx = time;
  if ((d.position_flags & packet_position::last) != 0) s->last_tx = time;
}

// Work requests that send nothing: binding a memory window and invalidating one. They take no PSN. Each is
// executed when its turn comes, after all requests before it and ahead of all after it, and completes when
// everything before it has.
WindowFault Requester::execute(const SendWqe& w) const {
  MrTable& mrs = qp_.engine_.mrs_;
  if (w.opcode == WrOpcode::local_inv) return mrs.invalidate(w.imm_data, qp_.qpn_, qp_.init_.pd);
  return mrs.bind({static_cast<uint32_t>(w.swap >> 32), w.rkey, static_cast<uint32_t>(w.swap), w.remote_addr,
                   w.compare_add, w.imm_data},
                  qp_.qpn_, qp_.init_.pd);
}

void Requester::describe_local(const SendWqe& w, FailedWork* work) const {
  const bool bind = w.opcode != WrOpcode::local_inv;
  work->window_fault = window_fault_;
  work->window = bind ? static_cast<uint32_t>(w.swap >> 32) : w.imm_data;
  work->region = bind ? static_cast<uint32_t>(w.swap) : 0;
}

// Executes a local WR, once: going back over it does not execute it again.
Requester::Step Requester::run_local(uint64_t now, SendWqe& w) {
  if (!w.executed()) {
    // Bind and invalidate are memory management operations, whose error has the number of the bind error
    // (IBA 11.6.2).
    window_fault_ = execute(w);
    if (window_fault_ != WindowFault::none) return fail(w, WcStatus::mw_bind_err);
    w.flags |= SendWqe::kExecuted;
  }
  ++send_.cursor;
  qp_.completer_.complete_executed(now);
  return qp_.can_send() ? Step::local : Step::blocked;  // a full CQ takes the QP down
}

bool Requester::local_next() const {
  return send_.local_queued != 0 && send_.cursor != qp_.sq_.tail() && qp_.sq_.at(send_.cursor).is_local() &&
         qp_.attr_.qp_state == QpState::rts;
}

}  // namespace uroce::transport
