// Acknowledgments, losses, timers and state changes of the requester. requester_send.cc sends the packets.
#include <algorithm>
#include <utility>

#include "uroce/transport/engine.h"
#include "uroce/transport/rc/requester.h"

namespace uroce::transport {
namespace {

constexpr uint64_t kShortestStall = 1'000'000;  // ns: a turn that finds no room again comes no sooner
constexpr uint64_t kLongWait = 2'000'000'000;   // ns

}  // namespace

void Requester::reset(uint32_t sq_psn) {
  send_.reset(sq_psn, qp_.sq_.head());
  qp_.recovery_.reset(send_.acked);
  stray_ = {};
  long_wait_reported_ = false;
  qp_.congestion_.reset(qp_.mtu_);
  rx_since_timeout_ = false;
  ack_requested_bytes_ = 0;
  update_in_flight();
  since_ack_request_ = 0;
  ack_requested_ = send_.acked;
  ack_deadline_ = kNever;
  stall_expired_ = false;
  rnr_until_ = 0;
  retries_left_ = qp_.attr_.retry_cnt;
  rnr_retries_left_ = qp_.attr_.rnr_retry;
  more_ = blocked_on_shared_window_ = progressed_this_turn_ = failed_ = draining_ = false;
  reads_out_ = 0;
  refill_at_ = kAnyReads;
  const EngineConfig& c = qp_.engine_.config_;
  ack_request_bytes_ = c.ack_request_bytes;
  read_packets_ = std::clamp(std::min(c.read_request_bytes, c.window_bytes) / qp_.mtu_, 1u,
                             std::min(c.window_packets, qp_.recovery_.most_in_flight()));
}

void Requester::progressed(uint64_t now) {
  retries_left_ = qp_.attr_.retry_cnt;
  rnr_retries_left_ = qp_.attr_.rnr_retry;
  rnr_until_ = 0;
  qp_.recovery_.progressed();
  if (SelectiveRepeat* selective = qp_.recovery_.selective()) [[unlikely]]
    selective->acked(send_.acked);
  qp_.congestion_.acked(now, send_.acked, qp_.engine_.config_.window_packets);
  if (send_.next < send_.acked) {  // a late ACK for what was about to be sent again
    send_.rewind(qp_.sq_.head());
  }
  while (reads_out_ != 0 && read_ends_[reads_head_] <= send_.acked) {
    reads_head_ = static_cast<uint8_t>((reads_head_ + 1) % read_ends_.size());
    --reads_out_;
  }
  least_left_ = least_left(now);
  ack_deadline_ = in_flight() ? answer_due(now) : kNever;
  qp_.engine_.set_timer(qp_, ack_deadline_);
  update_in_flight();
  if (draining_) check_drained();
  if (failed_) {
    qp_.completer_.check_local_failure(now);
  } else if (send_.cursor != qp_.sq_.tail()) {
    qp_.engine_.activate(qp_);
  }
}

void Requester::go_back(LossSignal signal, uint64_t now) {
  if (!in_flight() || !qp_.recovery_.on_loss(signal, send_.acked) || !consume_retry(now)) return;
  ++qp_.engine_.counters_.completer_retry_err;
  if (signal != LossSignal::timeout) qp_.congestion_.lost(now);
  if (recover(signal, now)) return;
  if (qp_.recovery_.restarts_messages()) forget_part();
  rewind();
  qp_.engine_.activate(qp_);
}

// Takes back the ACKs of a message that is to be sent again as a whole.
void Requester::forget_part() {
  const SendWqe& w = qp_.sq_.at(qp_.sq_.head());
  if (!qp_.sq_.empty() && !w.wants_response() && !w.is_local()) send_.forget(w);
}

// False if none was left: the QP has failed.
bool Requester::consume_retry(uint64_t now) {
  if (qp_.attr_.retry_cnt == 7 && qp_.engine_.config_.retry_seven_is_endless) return true;
  if (retries_left_ == 0) {
    ++qp_.engine_.counters_.retry_exceeded_err;
    qp_.completer_.fail_head(now, WcStatus::retry_exc_err);
    return false;
  }
  --retries_left_;
  return true;
}

bool Requester::wait_rnr(uint64_t until) {
  if (qp_.attr_.rnr_retry != 7) {
    if (rnr_retries_left_ == 0) return false;
    --rnr_retries_left_;
  }
  rewind();
  rnr_until_ = until;
  qp_.engine_.set_timer(qp_, until);
  return true;
}

void Requester::rewind() {
  send_.rewind(qp_.sq_.head());
  qp_.congestion_.rewound(send_.acked);
  if (SelectiveRepeat* selective = qp_.recovery_.selective()) [[unlikely]]
    selective->rewound(send_.acked);
  since_ack_request_ = 0;
  ack_requested_ = send_.acked;
  ack_requested_bytes_ = send_.acked_bytes;
  reads_out_ = 0;
  refill_at_ = kAnyReads;
  failed_ = false;
  ack_deadline_ = kNever;
  stall_expired_ = false;
  update_in_flight();
}

void Requester::on_time(uint64_t now) {
  if (rnr_until_ != 0) {
    if (now < rnr_until_) return;
    rnr_until_ = 0;
    qp_.engine_.activate(qp_);
  } else if (now >= ack_deadline_) {
    ack_deadline_ = kNever;
    if (!in_flight()) {
      stall_expired_ = true;
      qp_.engine_.activate(qp_);
      return;
    }
    if (qp_.attr_.timeout == 0) {
      long_wait_reported_ = true;
      return qp_.engine_.events_.waits_forever(qp_, kLongWait);
    }
    const EngineConfig& c = qp_.engine_.config_;
    qp_.congestion_.timed_out(now, c.window_packets, c.timeout_window_cut);
    count_timeout();
    go_back(LossSignal::timeout, now);
  }
}

void Requester::count_timeout() {
  ++qp_.engine_.counters_.local_ack_timeout_err;
  qp_.recovery_.timeout().expired(qp_.attr_.timeout, std::exchange(rx_since_timeout_, false),
                                  qp_.engine_.config_.timeout_stretch);
}

void Requester::stall(uint64_t now, PacketSink& sink) {
  // Work that sends nothing needs no room.
  while (rnr_until_ == 0 && !failed_ && local_next()) {
    const Step step = send_one(now, sink);
    if (step == Step::failed) qp_.completer_.check_local_failure(now);
    if (step == Step::blocked || !qp_.can_send()) break;
  }
  if (!qp_.can_send() || in_flight() || rnr_until_ != 0 || send_.next >= limit() || qp_.attr_.timeout == 0)
    return;
  const bool expired = std::exchange(stall_expired_, false);
  if (!sink.made_progress(qp_.attr_.av, qp_.attr_.dest_qp_num, &path_position_)) {
    if (!expired && ack_deadline_ != kNever) return;
    if (expired) {
      count_timeout();
      if (!consume_retry(now)) return;
    }
  }
  ack_deadline_ = now + std::max(ack_timeout(), kShortestStall);
  qp_.engine_.set_timer(qp_, ack_deadline_);
}

void Requester::stop() {
  rewind();
  rnr_until_ = 0;
  draining_ = false;
}

void Requester::resume() {
  send_.acked = send_.next = send_.high = send_.posted;
  send_.acked_bytes = send_.next_bytes = send_.posted_bytes;
  send_.cursor = qp_.sq_.head();
}

uint32_t Requester::retries() const { return uint32_t{qp_.attr_.retry_cnt} - retries_left_; }

ExtPsn Requester::limit() const { return qp_.attr_.qp_state == QpState::sqd ? drain_end_ : send_.posted; }

void Requester::start_drain() {
  drain_end_ = send_.acked;
  for (uint32_t i = qp_.sq_.head(); i != qp_.sq_.tail() && qp_.sq_.at(i).first < send_.high; ++i)
    drain_end_ = qp_.sq_.at(i).end();
  draining_ = true;
  check_drained();
}

void Requester::check_drained() {
  if (send_.acked < drain_end_) return;
  draining_ = false;
  if (qp_.attr_.en_sqd_async_notify) qp_.engine_.events_.qp_event(qp_, EventType::sq_drained);
}

void Requester::update_in_flight() {
  const uint32_t outstanding = own_flow_control_ ? 0 : static_cast<uint32_t>(send_.bytes_in_flight());
  qp_.engine_.change_in_flight(static_cast<int64_t>(outstanding) - counted_in_flight_);
  counted_in_flight_ = outstanding;
}

// Without a timeout nothing is sent again. That it waits for long is worth a word.
uint64_t Requester::answer_due(uint64_t now) const {
  if (qp_.attr_.timeout != 0) return now + ack_timeout();
  return long_wait_reported_ ? kNever : now + kLongWait;
}

uint64_t Requester::least_left(uint64_t now) const {
  return std::min(least_left_, ack_deadline_ > now ? ack_deadline_ - now : 0);
}

std::pair<uint64_t, uint64_t> Requester::longest_wait(uint64_t now) const {
  if (qp_.attr_.timeout == 0) return {0, 0};
  const uint64_t left = least_left(now);
  const uint64_t timeout = ack_timeout();
  return {timeout > left ? timeout - left : 0, timeout};
}

uint64_t Requester::ack_timeout() const { return qp_.recovery_.timeout().length(qp_.attr_.timeout); }

}  // namespace uroce::transport
