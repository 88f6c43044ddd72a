#include "uroce/transport/qp.h"

#include <utility>

#include "uroce/transport/engine.h"
#include "uroce/transport/unreliable/uc.h"
#include "uroce/transport/unreliable/ud.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

uint8_t service_of(QpType type) {
  switch (type) {
    case QpType::uc:
      return wire::service::kUc;
    case QpType::ud:
      return wire::service::kUd;
    default:
      return wire::service::kRc;
  }
}

}  // namespace

Qp::Qp(Engine& engine, uint32_t qpn, const QpInit& init, std::unique_ptr<PolledSlots> polled)
    : user(init.user),
      engine_(engine),
      qpn_(qpn),
      service_(service_of(init.type)),
      init_(init),
      recv_pd_(init.srq != nullptr ? init.srq->pd() : init.pd),
      polled_(std::move(polled)),
      requester_(*this, send_),
      completer_(*this, send_),
      executor_(*this, recv_),
      responder_(*this, recv_) {
  polled_->send = polled_->recv = 0;
  attr_.cap = init.cap;
  if (init.srq != nullptr) {
    attr_.cap.max_recv_wr = attr_.cap.max_recv_sge = 0;
    rq_.init(1, init.srq->query().max_sge);  // the receive of the current message
  } else {
    rq_.init(init.cap.max_recv_wr, init.cap.max_recv_sge);
    rq_.follow(polled_->recv);
  }
  sq_.init(init.cap.max_send_wr, init.cap.max_send_sge, init.cap.max_inline_data);
  sq_.follow(polled_->send);
  if (init.type == QpType::uc) unreliable_ = std::make_unique<Uc>(*this, send_, recv_);
  if (init.type == QpType::ud) {
    unreliable_ = std::make_unique<Ud>(*this, send_, recv_);
    mtu_ = engine.config().max_mtu;  // there is no path: the port's
  }
}

QpAttr Qp::query() const {
  QpAttr attr = attr_;
  attr.cur_qp_state = attr_.qp_state;
  if (init_.type == QpType::ud) attr.path_mtu = static_cast<uint16_t>(mtu_);
  attr.sq_psn = requester_.next_psn();
  attr.rq_psn = wire_psn(recv_.expected);
  attr.sq_draining = attr_.qp_state == QpState::sqd && !requester_.drained();
  return attr;
}

std::optional<OldestSend> Qp::oldest_send() {
  if (sq_.empty()) return std::nullopt;
  const uint32_t wqe = sq_.head();
  const SendWqe& wr = sq_.at(wqe);
  const WrStamps* stamps = sq_.stamps(wqe);
  return OldestSend{.wr_id = wr.wr_id,
                    .opcode = wr.opcode,
                    .length = wr.length,
                    .psn = wire_psn(wr.first),
                    .wqe = wqe,
                    .acknowledged = send_.acked_bytes - std::min(wr.start_bytes, send_.acked_bytes),
                    .posted = stamps != nullptr && stamps->valid ? stamps->posted : 0,
                    .sent = send_.high > wr.first};
}

void Qp::on_time(uint64_t now) {
  if (unreliable_) return unreliable_->on_time(now);
  if (congestion_.released(now)) engine_.activate(*this);
  requester_.on_time(now);
}

bool Qp::wait_for_pacer(uint64_t now) {
  if (!congestion_.holds(now)) return false;
  engine_.set_timer(*this, congestion_.deadline());
  return true;
}

void Qp::stop_sending() {
  requester_.stop();
  if (unreliable_) unreliable_->stop();
}

void Qp::reset_receiver(uint32_t rq_psn) {
  peer_is_selective_ = false;
  executor_.reset(rq_psn);
  responder_.reset();
}

void Qp::to_error(uint64_t now) {
  if (attr_.qp_state == QpState::err) return;
  attr_.qp_state = QpState::err;
  stop_sending();
  responder_.stop();
  completer_.flush(now);
  executor_.flush(now);
  // From here on it takes nothing from the SRQ.
  if (init_.srq != nullptr) engine_.events_.qp_event(*this, EventType::last_wqe_reached);
}

void Qp::to_reset() {
  stop_sending();
  engine_.forget(*this);
  sq_.clear();
  rq_.clear();
  const QpCap cap = attr_.cap;
  attr_ = {};
  attr_.cap = cap;
  requester_.reset(0);
  reset_receiver(0);
}

void Qp::cq_overrun(uint64_t now) {
  if (attr_.qp_state == QpState::err) return;
  to_error(now);
  engine_.events_.qp_event(*this, EventType::qp_fatal);
}

}  // namespace uroce::transport
