// Executes SENDs and WRITEs, and completes receives.
#include "uroce/transport/qp/executor.h"

#include <cerrno>
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

// Opcode bits that RC and UC have in common.
constexpr uint8_t kOperation = static_cast<uint8_t>(~wire::service::kMask);

bool is_write(uint8_t opcode) { return opcode >= op::write_first && opcode <= op::write_only_imm; }
bool is_send(uint8_t opcode) {
  return opcode <= op::send_only_imm || opcode == op::send_last_inv || opcode == op::send_only_inv;
}

}  // namespace

void Executor::reset(uint32_t rq_psn) {
  recv_.reset(rq_psn);
  established_ = false;
}

int Executor::post(const RecvWr& wr) {
  // A QP on a shared queue has no receive queue to post to.
  return qp_.init_.srq == nullptr ? qp_.rq_.add(wr) : uroce::refuse(EINVAL, Cause::post_on_srq);
}

void Executor::note_rx_before_rts() {
  if (established_ || qp_.type() == QpType::ud) return;
  established_ = true;
  qp_.engine_.events_.qp_event(qp_, EventType::comm_est);
}

void Executor::on_data(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  const auto operation = static_cast<uint8_t>(bth.opcode() & kOperation);
  if (is_send(operation)) {
    on_send(now, bth, body, len);
  } else if (is_write(operation)) {
    on_write(now, bth, body, len);
  } else {
    fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  }
}

bool Executor::sequence_ok(uint8_t opcode, uint32_t len) const {
  const Info& info = wire::kOpcodes[opcode];
  const ReceiveState::Message needed = info.has(Info::first | Info::only) ? ReceiveState::Message::none
                                       : is_send(opcode & kOperation)     ? ReceiveState::Message::send
                                                                          : ReceiveState::Message::write;
  if (recv_.message != needed) return false;
  if (info.has(Info::first | Info::middle)) return len == qp_.mtu_;
  return len <= qp_.mtu_ && (len != 0 || info.has(Info::only));
}

void Executor::on_send(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
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
    if (qp_.responder_.reads_pending(imm_or_rkey)) return qp_.responder_.nak_sequence();
    flags = wc_flag::with_inv;
    body += wire::Ieth::kSize;
    len -= wire::Ieth::kSize;
  }
  if (!sequence_ok(bth.opcode(), len)) return fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  if (info.has(Info::first | Info::only)) {
    if (!qp_.recv_ready()) return no_receive(WrOpcode::send, len);
    recv_.offset = 0;
  }
  const RecvWqe& w = qp_.rq_.at(qp_.rq_.head());
  if (len > w.length - recv_.offset) {
    return refuse(now,
                  {.because = RefusedRequest::short_receive,
                   .length = recv_.offset + len,
                   .wr_id = w.wr_id,
                   .room = w.length},
                  aeth::kNakInvalidRequest, EventType::qp_req_err, WcStatus::loc_len_err);
  }
  if (!scatter(recv_.offset, body, len))
    return fail(now, aeth::kNakRemoteOperation, EventType::qp_fatal, WcStatus::loc_prot_err);
  // A class J error (IBA 9.9.3): no NAK, as with rxe.
  if ((flags & wc_flag::with_inv) != 0) {
    const WindowFault fault = qp_.engine_.mrs_.invalidate(imm_or_rkey, qp_.qpn_, qp_.init_.pd);
    if (fault != WindowFault::none) {
      return refuse(now,
                    {.because = RefusedRequest::invalidate,
                     .opcode = WrOpcode::send_with_inv,
                     .rkey = imm_or_rkey,
                     .length = recv_.offset + len,
                     .window_fault = fault},
                    Responder::kNoNak, EventType::qp_access_err, WcStatus::rem_inv_req_err);
    }
  }
  recv_.offset += len;
  const bool end = info.has(Info::last | Info::only);
  recv_.message = end ? ReceiveState::Message::none : ReceiveState::Message::send;
  executed(now, bth, end);
  if (end)
    complete_recv(now, WcStatus::success, WcOpcode::recv, recv_.offset, flags, imm_or_rkey, bth.solicited());
}

void Executor::on_write(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
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
  wire::Reth reth{recv_.write_va, recv_.write_rkey, recv_.write_length};
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
  const uint32_t offset = start ? 0 : recv_.offset;
  // The message must end exactly where its RETH said.
  if (!sequence_ok(bth.opcode(), len) || reth.length > kMaxMessage ||
      (end ? offset + len != reth.length : offset + len >= reth.length)) {
    return fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  }
  uint8_t* to = nullptr;
  if (reth.length != 0) {
    // At the start the peer must have write access to the whole range; later the region may have gone.
    if (!start || qp_.remote(reth.rkey, reth.va, reth.length, access_flag::remote_write) != nullptr)
      to = qp_.remote(reth.rkey, reth.va + offset, len, access_flag::remote_write);
    if (to == nullptr) {
      // The immediate data would have consumed a receive. That receive reports the error to the program.
      const bool consumes = info.has(Info::imm) && qp_.recv_ready();
      return refuse(now,
                    {RefusedRequest::memory, WrOpcode::rdma_write, reth.va, reth.rkey, reth.length, 0,
                     access_flag::remote_write},
                    aeth::kNakRemoteAccess, EventType::qp_access_err,
                    consumes ? WcStatus::loc_access_err : WcStatus::success);
    }
  }
  if (info.has(Info::imm) && !qp_.recv_ready()) return no_receive(WrOpcode::rdma_write_with_imm, reth.length);
  if (!qp_.engine_.place_payload(to, body, len)) [[unlikely]] {
    const bool consumes = info.has(Info::imm);
    return memory_gone(now, WrOpcode::rdma_write, reth,
                       consumes ? WcStatus::loc_prot_err : WcStatus::success);
  }
  recv_.write_va = reth.va;
  recv_.write_rkey = reth.rkey;
  recv_.write_length = reth.length;
  recv_.offset = offset + len;
  recv_.message = end ? ReceiveState::Message::none : ReceiveState::Message::write;
  executed(now, bth, end);
  if (info.has(Info::imm)) {
    complete_recv(now, WcStatus::success, WcOpcode::recv_rdma_with_imm, reth.length, wc_flag::with_imm, imm,
                  bth.solicited());
  }
}

void Executor::executed(uint64_t now, const wire::BthView& bth, bool message_end) {
  ++recv_.expected;
  if (!qp_.unreliable_) qp_.responder_.executed(now, bth, message_end);
}

void Executor::no_receive(WrOpcode opcode, uint32_t length) {
  if (qp_.unreliable_) return qp_.unreliable_->no_receive(opcode, length);
  qp_.responder_.rnr();
}

void Executor::fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status) {
  if (qp_.unreliable_) return qp_.unreliable_->refuse(now, recv_status);
  qp_.responder_.fail(now, syndrome, event, recv_status, recv_.expected);
}

void Executor::refuse(uint64_t now, const RefusedRequest& request, uint8_t syndrome, EventType event,
                      WcStatus recv_status) {
  RefusedRequest reported = request;
  reported.psn = wire_psn(recv_.expected);
  qp_.engine_.events_.request_refused(qp_, reported);
  fail(now, syndrome, event, recv_status);
}

// Reports a remote operational error, like a NIC that cannot reach the page.
void Executor::memory_gone(uint64_t now, WrOpcode opcode, const wire::Reth& reth, WcStatus recv_status) {
  qp_.engine_.events_.request_refused(qp_, {.because = RefusedRequest::gone,
                                            .opcode = opcode,
                                            .va = reth.va,
                                            .rkey = reth.rkey,
                                            .length = reth.length,
                                            .psn = wire_psn(recv_.expected),
                                            .fault = t_guard.fault});
  recv_.fault = t_guard.fault;
  fail(now, aeth::kNakRemoteOperation, EventType::qp_fatal, recv_status);
}

void Executor::tell_failed_receive(WcStatus status) {
  qp_.engine_.events_.work_failed(
      qp_,
      {.wr_id = qp_.rq_.at(qp_.rq_.head()).wr_id, .status = status, .fault = std::exchange(recv_.fault, 0)});
}

bool Executor::scatter(uint32_t offset, const uint8_t* data, uint32_t len) {
  RecvQueue& rq = qp_.rq_;
  const uint32_t head = rq.head();
  return for_each_piece(qp_.engine_.mrs_, qp_.recv_pd_, rq.sges(head), rq.at(head).num_sge, offset, len,
                        access_flag::local_write, [&](uint8_t* p, uint32_t n) {
                          if (!qp_.engine_.place_payload(p, data, n)) {
                            recv_.fault = t_guard.fault;
                            return false;
                          }
                          data += n;
                          return true;
                        });
}

void Executor::complete_recv(uint64_t now, WcStatus status, WcOpcode opcode, uint32_t byte_len,
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

void Executor::deliver(uint64_t now, Completion& wc, bool solicited) {
  RecvQueue& rq = qp_.rq_;
  wc.wr_id = rq.at(rq.head()).wr_id;
  wc.qp_num = qp_.qpn_;
  const SlotRef slot = rq.slot(rq.head());
  rq.pop();
  if (!qp_.init_.recv_cq->push(wc, solicited, nullptr, now, slot)) qp_.cq_overrun(now);
}

void Executor::flush(uint64_t now) {
  while (!qp_.rq_.empty()) complete_recv(now, WcStatus::wr_flush_err, WcOpcode::recv, 0, 0, 0, false);
}

}  // namespace uroce::transport
