#include "uroce/transport/rc/responder.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "uroce/refusal.h"
#include "uroce/transport/engine.h"
#include "uroce/transport/memory/memory.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

namespace op = wire::opcode;
namespace aeth = wire::aeth;
using Info = wire::OpcodeInfo;

// The bits that RC and UC have in common.
constexpr uint8_t kOperation = static_cast<uint8_t>(~wire::service::kMask);

bool is_write(uint8_t opcode) { return opcode >= op::write_first && opcode <= op::write_only_imm; }
bool is_send(uint8_t opcode) {
  return opcode <= op::send_only_imm || opcode == op::send_last_inv || opcode == op::send_only_inv;
}

}  // namespace

void Responder::reset(uint32_t rq_psn) {
  first_ = expected_ = ack_end_ = kExtPsnBase + rq_psn;
  msn_ = 0;
  message_ = Message::none;
  offset_ = 0;
  nak_sent_ = ack_due_ = nak_due_ = more_ = false;
  unacked_ = 0;
  failure_ = {};
  fault_ = 0;
  established_ = false;
  clear_resources();
}

int Responder::post(const RecvWr& wr) {
  // A QP on a shared queue has none of its own to post to.
  return qp_.init_.srq == nullptr ? qp_.rq_.add(wr) : uroce::refuse(EINVAL, Cause::post_on_srq);
}

void Responder::heard_before_rts() {
  if (established_ || qp_.type() == QpType::ud) return;
  established_ = true;
  qp_.engine_.events_.qp_event(qp_, EventType::comm_est);
}

void Responder::on_packet(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  const ExtPsn seq = extend_psn(bth.psn(), expected_);
  Counters& c = qp_.engine_.counters_;
  if (seq > expected_) {
    ++c.out_of_sequence;
    if (nak_sent_) return;
    ++c.out_of_seq_request;
    nak_sent_ = true;
    nak(aeth::kNakSequence);
    return;
  }
  if (seq < expected_) {
    ++c.duplicate_request;
    if (expected_ == first_) [[unlikely]]
      qp_.engine_.events_.duplicate_of_nothing(qp_, bth.psn());
    return on_duplicate(now, bth, body, seq);
  }
  if (failure_.armed) return;  // already judged; the answer waits for the READ responses before it
  nak_sent_ = false;
  nak_due_ = false;  // a NAK not yet sent asks for what has just come
  const uint8_t opcode = bth.opcode();
  if (opcode == op::read_request) {
    on_read(now, body);
  } else if (opcode == op::compare_swap || opcode == op::fetch_add) {
    on_atomic(now, bth, body);
  } else {
    on_data(now, bth, body, len);
  }
}

void Responder::on_data(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  const auto operation = static_cast<uint8_t>(bth.opcode() & kOperation);
  if (is_send(operation)) {
    on_send(now, bth, body, len);
  } else if (is_write(operation)) {
    on_write(now, bth, body, len);
  } else {
    fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  }
}

// A duplicate request. SEND and WRITE are acknowledged again, the requested part of a READ is read again, and
// an atomic is answered with its saved result. A duplicate without a resource is dropped.
void Responder::on_duplicate(uint64_t now, const wire::BthView& bth, const uint8_t* body, ExtPsn seq) {
  const uint8_t opcode = bth.opcode();
  const bool read = opcode == op::read_request;
  if (!read && opcode != op::compare_swap && opcode != op::fetch_add) return want_ack(now);
  Resource* r = find_resource(seq);
  if (r == nullptr || (r->kind == Resource::read) != read) return;
  if (read) {
    const auto reth = *wire::RethView::of(body, wire::Reth::kSize);
    const uint64_t offset = (seq - r->first) * qp_.mtu_;
    if (reth.rkey() != r->rkey || reth.va() != r->va + offset || offset + reth.length() > r->length) return;
    start_read_response(*r, seq, static_cast<uint32_t>(offset), reth.length());
  }
  if (!r->pending) {
    r->pending = true;
    ++pending_;
  }
  qp_.engine_.activate(qp_);
}

bool Responder::sequence_ok(uint8_t opcode, uint32_t len) const {
  const Info& info = wire::kOpcodes[opcode];
  const Message needed = info.has(Info::first | Info::only) ? Message::none
                         : is_send(opcode & kOperation)     ? Message::send
                                                            : Message::write;
  if (message_ != needed) return false;
  if (info.has(Info::first | Info::middle)) return len == qp_.mtu_;
  return len <= qp_.mtu_ && (len != 0 || info.has(Info::only));
}

void Responder::on_send(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  const Info& info = wire::kOpcodes[bth.opcode()];
  uint32_t imm_or_rkey = 0;
  uint32_t flags = 0;
  if (info.has(Info::imm)) {
    imm_or_rkey = wire::ImmDtView::of(body, len)->data();
    flags = wc_flag::with_imm;
    body += wire::ImmDt::kSize;
    len -= wire::ImmDt::kSize;
  } else if (info.has(Info::ieth)) {
    imm_or_rkey = wire::IethView::of(body, len)->rkey();
    if (reads_pending(imm_or_rkey)) return nak_sequence();
    flags = wc_flag::with_inv;
    body += wire::Ieth::kSize;
    len -= wire::Ieth::kSize;
  }
  if (!sequence_ok(bth.opcode(), len)) return fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  if (info.has(Info::first | Info::only)) {
    if (!qp_.recv_ready()) return rnr(WrOpcode::send, len);
    offset_ = 0;
  }
  const RecvWqe& w = qp_.rq_.at(qp_.rq_.head());
  if (len > w.length - offset_) {
    return refuse(now,
                  {.because = RefusedRequest::short_receive,
                   .length = offset_ + len,
                   .wr_id = w.wr_id,
                   .room = w.length},
                  aeth::kNakInvalidRequest, EventType::qp_req_err, WcStatus::loc_len_err);
  }
  if (!scatter(offset_, body, len))
    return fail(now, aeth::kNakRemoteOperation, EventType::qp_fatal, WcStatus::loc_prot_err);
  // A class J error (IBA 9.9.3): no NAK, as with rxe.
  if ((flags & wc_flag::with_inv) != 0) {
    const WindowFault fault = qp_.engine_.mrs_.invalidate(imm_or_rkey, qp_.qpn_, qp_.init_.pd);
    if (fault != WindowFault::none) {
      return refuse(now,
                    {.because = RefusedRequest::invalidate,
                     .opcode = WrOpcode::send_with_inv,
                     .rkey = imm_or_rkey,
                     .length = offset_ + len,
                     .window_fault = fault},
                    kNoNak, EventType::qp_access_err, WcStatus::rem_inv_req_err);
    }
  }
  offset_ += len;
  const bool end = info.has(Info::last | Info::only);
  message_ = end ? Message::none : Message::send;
  executed(now, bth, end);
  if (end)
    complete_recv(now, WcStatus::success, WcOpcode::recv, offset_, flags, imm_or_rkey, bth.solicited());
}

void Responder::on_write(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  const Info& info = wire::kOpcodes[bth.opcode()];
  const bool start = info.has(Info::first | Info::only);
  if (!(qp_.attr_.qp_access_flags & access_flag::remote_write)) [[unlikely]] {
    const wire::Reth reth = start ? *wire::Reth::parse(body, len) : wire::Reth{};
    return refuse(now,
                  {RefusedRequest::qp_access, WrOpcode::rdma_write, reth.va, reth.rkey, reth.length, 0,
                   access_flag::remote_write},
                  aeth::kNakInvalidRequest, EventType::qp_req_err);
  }
  const bool end = info.has(Info::last | Info::only);
  wire::Reth reth{write_va_, write_rkey_, write_length_};
  if (start) {
    reth = *wire::Reth::parse(body, len);
    body += wire::Reth::kSize;
    len -= wire::Reth::kSize;
  }
  uint32_t imm = 0;
  if (info.has(Info::imm)) {
    imm = wire::ImmDtView::of(body, len)->data();
    body += wire::ImmDt::kSize;
    len -= wire::ImmDt::kSize;
  }
  const uint32_t offset = start ? 0 : offset_;
  // The message ends where its RETH said, not before and not behind.
  if (!sequence_ok(bth.opcode(), len) || reth.length > kMaxMessage ||
      (end ? offset + len != reth.length : offset + len >= reth.length)) {
    return fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  }
  uint8_t* to = nullptr;
  if (reth.length != 0) {
    // At the start the whole range must be the peer's to write; later the region may have gone.
    if (!start || qp_.remote(reth.rkey, reth.va, reth.length, access_flag::remote_write) != nullptr)
      to = qp_.remote(reth.rkey, reth.va + offset, len, access_flag::remote_write);
    if (to == nullptr) {
      // The immediate data would have consumed a receive. That receive tells the program what went wrong.
      const bool consumes = info.has(Info::imm) && qp_.recv_ready();
      return refuse(now,
                    {RefusedRequest::memory, WrOpcode::rdma_write, reth.va, reth.rkey, reth.length, 0,
                     access_flag::remote_write},
                    aeth::kNakRemoteAccess, EventType::qp_access_err,
                    consumes ? WcStatus::loc_access_err : WcStatus::success);
    }
  }
  if (info.has(Info::imm) && !qp_.recv_ready()) return rnr(WrOpcode::rdma_write_with_imm, reth.length);
  if (!place(to, body, len)) [[unlikely]] {
    const bool consumes = info.has(Info::imm);
    return memory_gone(now, WrOpcode::rdma_write, reth,
                       consumes ? WcStatus::loc_prot_err : WcStatus::success);
  }
  write_va_ = reth.va;
  write_rkey_ = reth.rkey;
  write_length_ = reth.length;
  offset_ = offset + len;
  message_ = end ? Message::none : Message::write;
  executed(now, bth, end);
  if (info.has(Info::imm)) {
    complete_recv(now, WcStatus::success, WcOpcode::recv_rdma_with_imm, reth.length, wc_flag::with_imm, imm,
                  bth.solicited());
  }
}

void Responder::on_read(uint64_t now, const uint8_t* body) {
  const auto reth = *wire::RethView::of(body, wire::Reth::kSize);
  const uint32_t length = reth.length();
  if (message_ != Message::none || length > kMaxMessage)
    return fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  const auto request = [&reth, length](RefusedRequest::Because because) {
    return RefusedRequest{because, WrOpcode::rdma_read,     reth.va(), reth.rkey(), length,
                          0,       access_flag::remote_read};
  };
  if (!(qp_.attr_.qp_access_flags & access_flag::remote_read))
    return refuse(now, request(RefusedRequest::qp_access), aeth::kNakInvalidRequest, EventType::qp_req_err);
  if (length != 0 && !qp_.remote(reth.rkey(), reth.va(), length, access_flag::remote_read))
    return refuse(now, request(RefusedRequest::memory), aeth::kNakRemoteAccess, EventType::qp_access_err);
  Resource* r = next_resource();
  if (r == nullptr)
    return refuse(now, request(RefusedRequest::resources), aeth::kNakInvalidRequest, EventType::qp_req_err);
  r->kind = Resource::read;
  r->rkey = reth.rkey();
  r->va = reth.va();
  r->length = length;
  r->first = expected_;
  r->psn_count = length == 0 ? 1 : (length - 1) / qp_.mtu_ + 1;
  start_read_response(*r, expected_, 0, length);
  expected_ += r->psn_count;
  msn_ = (msn_ + 1) & kPsnMask;
}

void Responder::on_atomic(uint64_t now, const wire::BthView& bth, const uint8_t* body) {
  const auto eth = *wire::AtomicEthView::of(body, wire::AtomicEth::kSize);
  if (message_ != Message::none) return fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  const auto turn_down = [&](RefusedRequest::Because because) {
    const bool swap = bth.opcode() == op::compare_swap;
    const bool access = because == RefusedRequest::memory;
    refuse(now,
           {because, swap ? WrOpcode::atomic_cmp_and_swp : WrOpcode::atomic_fetch_and_add, eth.va(),
            eth.rkey(), 8, 0, access_flag::remote_atomic},
           access ? aeth::kNakRemoteAccess : aeth::kNakInvalidRequest,
           access ? EventType::qp_access_err : EventType::qp_req_err);
  };
  if ((eth.va() & 7) != 0) return turn_down(RefusedRequest::misaligned);
  if (!(qp_.attr_.qp_access_flags & access_flag::remote_atomic)) return turn_down(RefusedRequest::qp_access);
  uint8_t* at = qp_.remote(eth.rkey(), eth.va(), 8, access_flag::remote_atomic);
  if (at == nullptr) return turn_down(RefusedRequest::memory);
  if ((reinterpret_cast<uintptr_t>(at) & 7) != 0) return turn_down(RefusedRequest::misaligned);
  Resource* r = next_resource();
  if (r == nullptr) return turn_down(RefusedRequest::resources);
  // The application and other processes may use the word at the same time: the machine's own atomics keep it
  // right.
  auto* word = reinterpret_cast<uint64_t*>(at);
  const bool there = guarded([&] {
    watch(word, sizeof *word);
    if (bth.opcode() == op::compare_swap) {
      uint64_t original = eth.compare();
      __atomic_compare_exchange_n(word, &original, eth.swap_add(), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
      r->original = original;
    } else {
      r->original = __atomic_fetch_add(word, eth.swap_add(), __ATOMIC_ACQ_REL);
    }
  });
  if (!there) [[unlikely]] {
    r->pending = false;
    --pending_;
    const bool swap = bth.opcode() == op::compare_swap;
    return memory_gone(now, swap ? WrOpcode::atomic_cmp_and_swp : WrOpcode::atomic_fetch_and_add,
                       {eth.va(), eth.rkey(), 8}, WcStatus::success);
  }
  r->kind = Resource::atomic;
  r->first = expected_;
  r->psn_count = 1;
  ++expected_;
  msn_ = (msn_ + 1) & kPsnMask;
}

void Responder::executed(uint64_t now, const wire::BthView& bth, bool message_end) {
  ++expected_;
  ack_end_ = expected_;
  ++unacked_;
  if (message_end) msn_ = (msn_ + 1) & kPsnMask;
  if (bth.ack_req() && !qp_.unreliable_) want_ack(now);
}

// The request at the expected PSN cannot be executed. Answers to READs and atomics before it go out first,
// then the QP fails.
void Responder::fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status) {
  fail(now, syndrome, event, recv_status, expected_);
}

void Responder::fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status, ExtPsn at) {
  if (qp_.unreliable_) return qp_.unreliable_->refuse(now, recv_status);
  failure_ = {true, syndrome, event, recv_status, at};
  nak_sent_ = true;
  if (pending_ == 0) carry_out_failure(now);
}

void Responder::refuse(uint64_t now, const RefusedRequest& request, uint8_t syndrome, EventType event,
                       WcStatus recv_status) {
  RefusedRequest told = request;
  told.psn = wire_psn(expected_);
  qp_.engine_.events_.request_refused(qp_, told);
  fail(now, syndrome, event, recv_status);
}

// As a NIC that cannot reach the page: a remote operational error.
void Responder::memory_gone(uint64_t now, WrOpcode opcode, const wire::Reth& reth, WcStatus recv_status) {
  qp_.engine_.events_.request_refused(qp_, {.because = RefusedRequest::gone,
                                            .opcode = opcode,
                                            .va = reth.va,
                                            .rkey = reth.rkey,
                                            .length = reth.length,
                                            .psn = wire_psn(expected_),
                                            .fault = t_guard.fault});
  fault_ = t_guard.fault;
  fail(now, aeth::kNakRemoteOperation, EventType::qp_fatal, recv_status);
}

void Responder::carry_out_failure(uint64_t now) {
  const Failure f = failure_;
  failure_ = {};
  if (f.syndrome != kNoNak) {
    nak(f.syndrome);
    nak_psn_ = wire_psn(f.at);
  } else if (ack_due_) {
    // Requests executed before are still acknowledged.
    nak(aeth::kAckUnlimited);
    nak_psn_ = wire_psn(ack_end_ - 1);
  }
  if (f.recv_status != WcStatus::success && !qp_.rq_.empty()) {
    tell_failed_receive(f.recv_status);
    complete_recv(now, f.recv_status, WcOpcode::recv, 0, 0, 0, false);
  }
  qp_.to_error(now);
  qp_.engine_.events_.qp_event(qp_, f.event);
}

void Responder::tell_failed_receive(WcStatus status) {
  qp_.engine_.events_.work_failed(
      qp_, {.wr_id = qp_.rq_.at(qp_.rq_.head()).wr_id, .status = status, .fault = std::exchange(fault_, 0)});
}

bool Responder::scatter(uint32_t offset, const uint8_t* data, uint32_t len) {
  RecvQueue& rq = qp_.rq_;
  const uint32_t head = rq.head();
  return for_each_piece(qp_.engine_.mrs_, qp_.recv_pd_, rq.sges(head), rq.at(head).num_sge, offset, len,
                        access_flag::local_write, [&](uint8_t* p, uint32_t n) {
                          if (!place(p, data, n)) {
                            fault_ = t_guard.fault;
                            return false;
                          }
                          data += n;
                          return true;
                        });
}

void Responder::complete_recv(uint64_t now, WcStatus status, WcOpcode opcode, uint32_t byte_len,
                              uint32_t flags, uint32_t imm_or_rkey, bool solicited) {
  RecvQueue& rq = qp_.rq_;
  const SlotRef slot = rq.slot(rq.head());
  const uint64_t wr_id = rq.at(rq.head()).wr_id;
  rq.pop();
  const bool success = status == WcStatus::success;
  qp_.engine_.counters_.rdma_recvs += success;
  Cq& cq = *qp_.init_.recv_cq;
  Completion* wc = cq.next();
  if (wc == nullptr) [[unlikely]]
    return qp_.cq_overrun(now);
  *wc = {};
  wc->wr_id = wr_id;
  wc->status = status;
  wc->opcode = opcode;
  wc->qp_num = qp_.qpn_;
  if (success) {
    wc->byte_len = byte_len;
    wc->imm_data = imm_or_rkey;
    wc->wc_flags = flags;
  }
  cq.publish(solicited, nullptr, now, slot);
}

void Responder::deliver(uint64_t now, Completion& wc, bool solicited) {
  RecvQueue& rq = qp_.rq_;
  wc.wr_id = rq.at(rq.head()).wr_id;
  wc.qp_num = qp_.qpn_;
  const SlotRef slot = rq.slot(rq.head());
  rq.pop();
  if (!qp_.init_.recv_cq->push(wc, solicited, nullptr, now, slot)) qp_.cq_overrun(now);
}

void Responder::stop() {
  clear_resources();
  drop_ack();
  message_ = Message::none;
}

void Responder::flush(uint64_t now) {
  while (!qp_.rq_.empty()) complete_recv(now, WcStatus::wr_flush_err, WcOpcode::recv, 0, 0, 0, false);
}

}  // namespace uroce::transport
