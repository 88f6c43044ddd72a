// Selective repeat: sends again single packets that are missing, where the other policies go back.
#include <algorithm>

#include "uroce/transport/engine.h"
#include "uroce/transport/rc/requester.h"

namespace uroce::transport {
namespace {

// Timeouts in a row after which the peer may have forgotten what it had, or the path takes nothing: the requester goes
// back.
constexpr uint32_t kTimeoutsUntilBack = 3;

}  // namespace

// The WR that holds this PSN, which was sent. WRs are in PSN order; those that send nothing hold none.
uint32_t Requester::wqe_of(ExtPsn seq) const {
  const SendQueue& sq = qp_.sq_;
  const uint32_t head = sq.head();
  uint32_t low = 0, high = sq.tail() - head;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (qp_.sq_.at(head + middle).first <= seq ? low : high) = middle;
  }
  return head + low;
}

// Sends what is missing, at most `budget` packets. Sets more_ if that is all that may be sent now.
uint32_t Requester::resend(uint64_t now, PacketSink& sink, uint32_t budget) {
  SelectiveRepeat& selective = *qp_.recovery_.selective();
  uint32_t count = 0;
  while (const auto seq = selective.next_resend(send_.next)) {
    // After a timeout the window is small.
    if (*seq != send_.acked && *seq - send_.acked >= window_packets()) break;
    if (count == budget) {
      more_ = true;
      break;
    }
    const bool controlled = qp_.congestion_.controlled();
    if (controlled && qp_.wait_for_pacer(now)) break;  // it holds new packets as well
    if (send_again(sink, *seq) == Step::failed) {
      rewind();  // it fails once those before it have been sent and answered
      break;
    }
    if (controlled) qp_.congestion_.sent(now, emitted_, qp_.longest_pace());
    ++count;
  }
  return count;
}

Requester::Step Requester::send_again(PacketSink& sink, ExtPsn seq) {
  const SendState here = send_;
  send_.cursor = wqe_of(seq);
  send_.next = seq;
  SendWqe& w = qp_.sq_.at(send_.cursor);
  resending_ = true;
  const Step step = w.is_read()     ? send_read(sink, w)
                    : w.is_atomic() ? send_atomic(sink, w)
                                    : send_data(sink, w);
  resending_ = false;
  const uint32_t psns = w.is_read() ? read_rest(w, seq) : 1;
  const uintptr_t fault = send_.fault;
  send_ = here;
  send_.fault = fault;
  if (step == Step::sent) qp_.recovery_.selective()->sent(seq, psns);
  return step;
}

void Requester::fill_gaps(ExtPsn expected, const Arrived& arrived, uint64_t now) {
  if (!in_flight() || !qp_.recovery_.selective()->reported(expected, arrived, send_.next)) return;
  ++qp_.engine_.counters_.completer_retry_err;
  qp_.congestion_.lost(now);
  qp_.congestion_.rewound(send_.acked);
  qp_.engine_.activate(qp_);
}

void Requester::check_kept(ExtPsn expected) {
  if (qp_.recovery_.selective()->forgotten(expected, send_.next)) qp_.engine_.activate(qp_);
}

// After a timeout what has not arrived, or the unanswered READs and atomics, is sent again. False if the requester must go
// back.
bool Requester::recover(LossSignal signal, uint64_t now) {
  SelectiveRepeat* selective = qp_.recovery_.selective();
  if (selective == nullptr || signal == LossSignal::sequence_nak) return false;
  if (signal == LossSignal::timeout) {
    if (selective->timeouts() + 1 >= kTimeoutsUntilBack) return false;
    selective->timed_out(send_.next);
  }
  ask_again();
  qp_.congestion_.rewound(send_.acked);
  ack_deadline_ = answer_due(now);
  qp_.engine_.set_timer(qp_, ack_deadline_);
  qp_.engine_.activate(qp_);
  return true;
}

// Responses come in order, so those behind a missing one were dropped: go-back-N for READs and atomics.
void Requester::ask_again() {
  SelectiveRepeat& selective = *qp_.recovery_.selective();
  for (uint32_t i = qp_.sq_.head(); i != qp_.sq_.tail() && qp_.sq_.at(i).first < send_.next; ++i) {
    const SendWqe& w = qp_.sq_.at(i);
    if (!w.wants_response()) continue;
    ExtPsn seq = std::max(w.first, send_.acked);
    for (const ExtPsn end = std::min(w.end(), send_.next); seq < end;
         seq += w.is_read() ? read_rest(w, seq) : 1)
      selective.ask_again(seq, send_.next);
  }
}

}  // namespace uroce::transport
