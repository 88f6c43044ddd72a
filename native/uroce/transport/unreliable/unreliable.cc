#include "uroce/transport/unreliable/unreliable.h"

#include <algorithm>

#include "uroce/transport/engine.h"

namespace uroce::transport {
namespace {

// Until the sink is asked again whether the receiver has room; doubles while it has none.
constexpr uint64_t kFirstWait = 20'000, kLongestWait = 1'000'000;  // ns

}  // namespace

uint32_t Unreliable::transmit(uint64_t now, PacketSink& sink, uint32_t budget, bool* more) {
  if (retry_at_ != 0) return 0;
  Requester& r = qp_.requester_;
  uint32_t count = 0;
  bool failed = false;
  while (send_.next < r.limit()) {
    if (count == budget) {
      *more = true;
      break;
    }
    SendWqe& w = qp_.sq_.at(send_.cursor);
    const Step step = w.error != WcStatus::success ? fail(w, w.error) : send_one(now, sink, w);
    if (step == Step::waits) break;
    failed = step == Step::failed;
    if (failed) break;
    ++count;
  }
  complete_sent(now, sink);
  if (failed && qp_.can_send()) send_queue_error(now);
  if (!r.drained() && qp_.can_send()) r.check_drained();
  return count;
}

bool Unreliable::gather(const SendWqe& w, uint32_t offset, uint32_t len, IoVec* iov, uint32_t* pieces) const {
  return qp_.requester_.gather(w, offset, len, iov, pieces);
}

void Unreliable::sent(const SendWqe& w, uint32_t packets, uint32_t bytes) {
  wait_ns_ = 0;
  send_.sent(w, packets, bytes);
  send_.acked = send_.next;
  send_.acked_bytes = send_.next_bytes;
}

// Completions may take the QP out of its state on the way: a CQ without room does.
void Unreliable::complete_sent(uint64_t now, PacketSink& sink) {
  if (qp_.sq_.head() == send_.cursor) return;
  // The stamps of a completion tell when its packets left.
  if (qp_.engine_.stamping()) sink.flush();
  while (qp_.can_send() && qp_.sq_.head() != send_.cursor)
    qp_.completer_.complete_head(now, WcStatus::success);
}

Unreliable::Step Unreliable::fail(SendWqe& w, WcStatus status) {
  w.error = status;
  ++qp_.engine_.counters_.send_err;
  return Step::failed;
}

Unreliable::Step Unreliable::memory_gone(SendWqe& w) {
  send_.fault = t_guard.fault;
  return fail(w, WcStatus::loc_prot_err);
}

Unreliable::Step Unreliable::wait(uint64_t now) {
  wait_ns_ = std::clamp(2 * wait_ns_, kFirstWait, kLongestWait);
  retry_at_ = now + wait_ns_;
  qp_.engine_.set_timer(qp_, retry_at_);
  return Step::waits;
}

void Unreliable::on_time(uint64_t now) {
  if (retry_at_ == 0 || now < retry_at_) return;
  retry_at_ = 0;
  qp_.engine_.activate(qp_);
}

// The WR at the head fails, those behind it are flushed, and the QP goes to SQE: its receive queue goes on
// (IBA 10.3.1.7). In SQD, which has no way there, it goes to ERR.
void Unreliable::send_queue_error(uint64_t now) {
  if (qp_.attr_.qp_state == QpState::sqd) {
    qp_.completer_.fail_head(now, qp_.sq_.at(qp_.sq_.head()).error);
    return;
  }
  qp_.attr_.qp_state = QpState::sqe;
  qp_.stop_sending();
  qp_.completer_.report_failed(qp_.sq_.at(qp_.sq_.head()).error);
  qp_.completer_.complete_head(now, qp_.sq_.at(qp_.sq_.head()).error);
  qp_.completer_.flush(now);
}

void Unreliable::refuse(uint64_t now, WcStatus status) {
  if (status != WcStatus::loc_prot_err) return drop_message();
  qp_.executor_.tell_failed_receive(status);
  qp_.executor_.complete_recv(now, status, WcOpcode::recv, 0, 0, 0, false);
  if (qp_.attr_.qp_state == QpState::err) return;  // the completion had no room
  qp_.to_error(now);
  qp_.engine_.events_.qp_event(qp_, EventType::qp_fatal);
}

void Unreliable::drop_message() {
  recv_.message = ReceiveState::Message::none;
  ++qp_.engine_.counters_.dropped_messages;
}

void Unreliable::no_receive(WrOpcode opcode, uint32_t length) {
  qp_.engine_.events_.request_refused(
      qp_, {.because = RefusedRequest::no_receive, .opcode = opcode, .length = length});
  recv_.message = ReceiveState::Message::none;
  ++qp_.engine_.counters_.out_of_buffer;
}

}  // namespace uroce::transport
