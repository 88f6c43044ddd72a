#include "uroce/transport/engine.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "uroce/refusal.h"
#include "uroce/transport/qp_state.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

constexpr uint32_t kLocalQps = 4096;
constexpr uint32_t kLocalMask = kLocalQps - 1;

// Of the first packet of a message.
WrOpcode opcode_of(uint8_t opcode) {
  namespace op = wire::opcode;
  const auto operation = static_cast<uint8_t>(opcode & ~wire::service::kMask);
  if (operation == op::read_request) return WrOpcode::rdma_read;
  if (operation == op::compare_swap) return WrOpcode::atomic_cmp_and_swp;
  if (operation == op::fetch_add) return WrOpcode::atomic_fetch_and_add;
  return operation >= op::write_first && operation <= op::write_only_imm ? WrOpcode::rdma_write
                                                                         : WrOpcode::send;
}

// A send before RTS, or a receive in RESET.
int refused_state(const Qp& qp, QpState needed) {
  return refuse(EINVAL, Cause::state_too_low, static_cast<uint64_t>(qp.state()),
                static_cast<uint64_t>(needed), needed == QpState::rts ? 0 : 1);
}

}  // namespace

Engine::Engine(const EngineConfig& config, RandomSource& random, EventSink& events)
    : config_(config),
      random_(random),
      events_(events),
      mrs_(random, config.max_mr, config.max_mw),
      qps_(kLocalQps),
      mcast_(config.max_mcast_groups, config.max_mcast_qps) {
  config_.max_message = std::min(config_.max_message, kMaxMessage);
  config_.max_sge = std::min(config_.max_sge, kMaxSge);
  config_.max_rd_atomic = std::min(config_.max_rd_atomic, 128u);
  set_windows(config_.window_packets, config_.window_bytes, config_.engine_window_bytes);
  const uint32_t range = kLocalQps - config_.first_local_index;
  next_qp_index_ = config_.first_local_index + random_.next() % range;
}

Engine::~Engine() = default;

uint32_t Engine::alloc_pd() {
  if (pds_.size() >= config_.max_pd) return 0;
  pds_.emplace(next_pd_, 0);
  return next_pd_++;
}

int Engine::dealloc_pd(uint32_t pd) {
  const auto it = pds_.find(pd);
  if (it == pds_.end()) return EINVAL;
  if (it->second != 0 || mrs_.count_in_pd(pd) != 0) return refuse(EBUSY, Cause::in_use, 1);
  pds_.erase(it);
  return 0;
}

std::expected<uint32_t, int> Engine::reg_mr(uint32_t pd, uint8_t* base, uint64_t iova, uint64_t length,
                                            uint32_t access) {
  if (!pds_.contains(pd)) return std::unexpected(EINVAL);
  return mrs_.reg(base, iova, length, access, pd);
}

int Engine::dereg_mr(uint32_t key) { return mrs_.dereg(key); }

std::expected<uint32_t, int> Engine::alloc_mw(uint32_t pd, MwType type) {
  if (!pds_.contains(pd)) return std::unexpected(EINVAL);
  return mrs_.alloc_window(pd, type);
}

int Engine::dealloc_mw(uint32_t rkey) { return mrs_.free_window(rkey); }

std::expected<Cq*, int> Engine::create_cq(uint32_t capacity, bool timed) {
  if (capacity == 0) return std::unexpected(refuse(EINVAL, Cause::cqe));
  if (capacity > config_.max_cqe)
    return std::unexpected(refuse(EINVAL, Cause::cap, Limit::cqe, capacity, config_.max_cqe));
  if (cqs_.size() >= config_.max_cq)
    return std::unexpected(refuse(ENOMEM, Cause::too_many, Thing::cqs, config_.max_cq));
  auto made = std::make_unique<Cq>(capacity, events_, timed);
  Cq* cq = made.get();
  cqs_.emplace(cq, std::move(made));
  if (stamping_) cq->enable_stamps();
  return cq;
}

int Engine::destroy_cq(Cq* cq) {
  const auto it = cqs_.find(cq);
  if (it == cqs_.end()) return EINVAL;
  if (cq->references != 0) return refuse(EBUSY, Cause::in_use, 0);
  cqs_.erase(it);
  return 0;
}

std::expected<Srq*, int> Engine::create_srq(uint32_t pd, const SrqAttr& attr) {
  const auto domain = pds_.find(pd);
  if (domain == pds_.end()) return std::unexpected(refuse(EINVAL, Cause::no_pd));
  if (attr.max_wr == 0) return std::unexpected(refuse(EINVAL, Cause::srq_empty));
  if (attr.max_wr > config_.max_srq_wr)
    return std::unexpected(refuse(EINVAL, Cause::cap, Limit::srq_wr, attr.max_wr, config_.max_srq_wr));
  if (attr.max_sge > config_.max_sge)
    return std::unexpected(refuse(EINVAL, Cause::cap, Limit::srq_sge, attr.max_sge, config_.max_sge));
  if (srqs_.size() >= config_.max_srq)
    return std::unexpected(refuse(ENOMEM, Cause::too_many, Thing::srqs, config_.max_srq));
  auto made = std::make_unique<Srq>(pd, attr, events_);
  Srq* srq = made.get();
  srqs_.emplace(srq, std::move(made));
  ++domain->second;
  return srq;
}

int Engine::modify_srq(Srq& srq, const SrqAttr& attr, uint32_t mask) {
  if ((mask & srq_mask::max_wr) && attr.max_wr > config_.max_srq_wr)
    return refuse(EINVAL, Cause::cap, Limit::srq_wr, attr.max_wr, config_.max_srq_wr);
  return srq.modify(attr, mask);
}

int Engine::destroy_srq(Srq* srq) {
  const auto it = srqs_.find(srq);
  if (it == srqs_.end()) return EINVAL;
  if (srq->references != 0) return refuse(EBUSY, Cause::in_use, 0);
  --pds_.at(srq->pd());
  srqs_.erase(it);
  return 0;
}

std::expected<Qp*, int> Engine::create_qp(const QpInit& init) {
  if (init.type != QpType::rc && init.type != QpType::uc && init.type != QpType::ud)
    return std::unexpected(refuse(EOPNOTSUPP, Cause::qp_type, static_cast<uint64_t>(init.type)));
  const auto domain = pds_.find(init.pd);
  if (init.send_cq == nullptr || init.recv_cq == nullptr)
    return std::unexpected(refuse(EINVAL, Cause::no_cq));
  if (domain == pds_.end()) return std::unexpected(refuse(EINVAL, Cause::no_pd));
  if (const int error = refused_cap(init)) return std::unexpected(error);
  const uint32_t range = kLocalQps - config_.first_local_index;
  if (qp_count_ == range) return std::unexpected(refuse(ENOMEM, Cause::too_many, Thing::qps, range));
  while (qps_[next_qp_index_]) next_qp_index_ = next_index(next_qp_index_);
  const uint32_t index = next_qp_index_;
  next_qp_index_ = next_index(index);
  used_.set(index);
  if (spare_slots_.empty()) spare_slots_.push_back(std::make_unique<PolledSlots>());
  qps_[index] = std::make_unique<Qp>(*this, config_.qpn_base + index, init, std::move(spare_slots_.back()));
  spare_slots_.pop_back();
  Qp* qp = qps_[index].get();
  if (stamping_) qp->sq_.enable_stamps();
  ++init.send_cq->references;
  ++init.recv_cq->references;
  if (init.srq != nullptr) ++init.srq->references;
  ++domain->second;
  ++qp_count_;
  return qp;
}

int Engine::refused_cap(const QpInit& init) const {
  const QpCap& cap = init.cap;
  const bool own = init.srq == nullptr;
  const struct {
    Limit limit;
    uint32_t asked, most;
  } limits[] = {{Limit::send_wr, cap.max_send_wr, config_.max_qp_wr},
                {Limit::send_sge, cap.max_send_sge, config_.max_sge},
                {Limit::inline_data, cap.max_inline_data, config_.max_inline},
                {Limit::recv_wr, own ? cap.max_recv_wr : 0, config_.max_qp_wr},
                {Limit::recv_sge, own ? cap.max_recv_sge : 0, config_.max_sge}};
  for (const auto& [limit, asked, most] : limits) {
    if (asked > most) return refuse(EINVAL, Cause::cap, limit, asked, most);
  }
  return 0;
}

uint32_t Engine::next_index(uint32_t index) const {
  return index + 1 == kLocalQps ? config_.first_local_index : index + 1;
}

int Engine::destroy_qp(Qp* qp) {
  const uint32_t index = qp->qpn() & kLocalMask;
  if (qps_[index].get() != qp) return EINVAL;
  if (mcast_.holds(*qp)) return refuse(EBUSY, Cause::in_use, 3);
  qp->to_reset();
  mrs_.unbind_qp(qp->qpn());
  --qp->init_.send_cq->references;
  --qp->init_.recv_cq->references;
  if (qp->init_.srq != nullptr) --qp->init_.srq->references;
  --pds_.at(qp->init_.pd);
  spare_slots_.push_back(std::move(qp->polled_));
  qps_[index].reset();
  --qp_count_;
  return 0;
}

int Engine::modify_qp(Qp& qp, const QpAttr& attr, uint32_t mask, uint64_t now) {
  return QpStateMachine::modify(*this, qp, attr, mask, now);
}

Qp* Engine::find_qp(uint32_t qpn) const {
  return (qpn & ~kLocalMask) == config_.qpn_base ? qps_[qpn & kLocalMask].get() : nullptr;
}

bool Engine::was_here(uint32_t qpn) const {
  return (qpn & ~kLocalMask) == config_.qpn_base && used_.test(qpn & kLocalMask);
}

std::optional<std::size_t> Engine::peers(std::span<Gid> out) const {
  std::size_t count = 0;
  for (const auto& qp : qps_) {
    if (!qp || !(qp->can_receive() || qp->can_send())) continue;
    if (qp->type() == QpType::ud) return std::nullopt;
    const Gid& peer = qp->attr_.av.dgid;
    const auto known = out.first(count);
    if (std::ranges::find(known, peer) != known.end()) continue;
    if (count == out.size()) return std::nullopt;
    out[count++] = peer;
  }
  return count;
}

int Engine::check_send(const Qp& qp, const SendWr& wr, uint32_t ahead) const {
  if (qp.state() < QpState::rts) return refused_state(qp, QpState::rts);
  if (qp.unreliable_) {
    if (const int error = qp.unreliable_->check(wr)) return error;
  }
  uint64_t length;
  return qp.requester_.check(wr, ahead, &length);
}

int Engine::post_send(Qp& qp, const SendWr& wr, uint64_t now) {
  if (qp.state() < QpState::rts) return refused_state(qp, QpState::rts);
  const int error = qp.unreliable_ ? qp.unreliable_->post(wr, now) : qp.requester_.post(wr, now);
  if (error != 0) return error;
  if (qp.state() == QpState::rts) {
    activate(qp);
  } else if (qp.state() >= QpState::sqe) {
    qp.completer_.flush(now);
  }
  return 0;
}

int Engine::post_recv(Qp& qp, const RecvWr& wr) {
  if (qp.state() == QpState::reset) return refused_state(qp, QpState::init);
  if (const int error = qp.responder_.post(wr)) return error;
  if (qp.state() == QpState::err) qp.responder_.flush(0);
  return 0;
}

Screened Engine::screen(const RxPacket& packet) {
  const Screened screened = uroce::transport::screen(*this, packet);
  if (!screened.wanted()) [[unlikely]]
    reject(packet, screened);
  return screened;
}

// Counts what is turned down, and tells what explains a message that does not arrive. Late packets to a QP that was
// destroyed, or that has failed, are nothing new.
void Engine::reject(const RxPacket& packet, const Screened& screened) {
  ++counters_.of(screened.reject);
  const auto bth = wire::BthView::of(packet.data, packet.len);
  if (!bth || bth->opcode() == wire::opcode::cnp) return;
  const wire::OpcodeInfo& info = wire::kOpcodes[bth->opcode()];
  const uint8_t* body = packet.data + wire::Bth::kSize;
  if (screened.reject == Reject::stray_response)
    return screened.qp->completer_.on_stray(*bth, body, packet.len - wire::Bth::kSize - bth->pad());
  const bool begins =
      info.has(wire::OpcodeInfo::first | wire::OpcodeInfo::only) && !info.has(wire::OpcodeInfo::response);
  if (!begins) return;
  if (screened.reject == Reject::unknown_qp && bth->dest_qpn() != kMulticastQpn && !was_here(bth->dest_qpn()))
    return events_.message_lost({bth->dest_qpn(), opcode_of(bth->opcode()), packet.source});
  if (screened.reject == Reject::wrong_state && screened.qp->unreliable_ &&
      screened.qp->state() < QpState::rtr) {
    events_.request_refused(*screened.qp, {.because = RefusedRequest::too_early,
                                           .opcode = opcode_of(bth->opcode()),
                                           .psn = bth->psn(),
                                           .source = packet.source});
  }
}

void Engine::on_packet(uint64_t now, const RxPacket& packet) {
  if (const Screened screened = screen(packet); screened.wanted()) take_in(now, packet, screened);
}

void Engine::take_in(uint64_t now, const RxPacket& packet, const Screened& screened) {
  ++counters_.rcvd_pkts;
  const auto bth = *wire::BthView::of(packet.data, packet.len);
  Qp* qp = screened.qp;
  if (qp == nullptr && bth.dest_qpn() != kMulticastQpn) [[unlikely]] {
    if (const auto mad = Gsi::parse(packet)) events_.mad(*mad);
    return;
  }
  if (bth.opcode() == wire::opcode::cnp) [[unlikely]] {
    ++counters_.rp_cnp_handled;
    return;
  }
  if (packet.congested()) [[unlikely]]
    on_congestion(now, qp);
  const uint8_t* body = packet.data + wire::Bth::kSize;
  const uint32_t len = packet.len - wire::Bth::kSize - bth.pad();
  if (qp == nullptr) return on_multicast(now, packet, bth, body, len);
  qp->requester_.heard();
  if (wire::kOpcodes[bth.opcode()].has(wire::OpcodeInfo::response)) {
    qp->completer_.on_packet(now, bth, body, len);
    return;
  }
  if (qp->state() == QpState::rtr) [[unlikely]]
    qp->responder_.heard_before_rts();
  if (qp->unreliable_) {
    qp->unreliable_->on_packet(now, packet, bth, body, len);
  } else {
    qp->responder_.on_packet(now, bth, body, len);
  }
}

bool Engine::transmit(uint64_t now, PacketSink& sink, uint32_t flags) {
  uint32_t room = 0;
  if (gsi_.pending()) [[unlikely]] {
    if (!transmit_acks(sink, &room) || gsi_.transmit(sink)) return true;
    room = 0;
  }
  if (!cnp_due_.empty() && transmit_cnps(sink)) [[unlikely]]
    return true;
  if (sink.room_returned()) unstall();
  bool acks_ahead = !ack_due_.empty();
  while (Qp* qp = next_turn()) {
    if (acks_ahead && qp->requester_.unsent()) {
      acks_ahead = false;
      if (!transmit_acks(sink, &room)) return true;
    }
    if (room == 0 && (room = sink.room()) == 0) return true;
    active_.remove(qp);
    const uint32_t on_the_way = room_to(*qp, sink);
    if (on_the_way == 0) [[unlikely]] {
      stall(*qp, now, sink);
      continue;
    }
    qp->requester_.set_own_way(on_the_way != UINT32_MAX);
    bool more = false;
    room -= transmit_qp(*qp, now, sink, std::min({room, on_the_way, config_.burst_packets}), &more);
    if (more) active_.push_back(qp);
  }
  // ACKs that nothing has taken along.
  Qp* next = nullptr;
  for (Qp* qp = ack_due_.front(); qp != nullptr; qp = next) {
    next = ack_due_.next(qp);
    const bool early = qp->responder_.ack_deadline() > now;
    if ((flags & kDeferAcks) && early) break;
    if ((flags & kDeferPiggybackAcks) && early && qp->responder_.will_piggyback()) continue;
    if (room == 0 && (room = sink.room()) == 0) return true;
    if (room_to(*qp, sink) == 0) {
      ack_due_.remove(qp);
      stalled_.push_back(qp);
      continue;
    }
    if (qp->responder_.transmit_ack(sink)) --room;
  }
  return false;
}

uint32_t Engine::transmit_qp(Qp& qp, uint64_t now, PacketSink& sink, uint32_t budget, bool* more) {
  if (qp.unreliable_) return qp.can_send() ? qp.unreliable_->transmit(now, sink, budget, more) : 0;
  uint32_t count = 0;
  if (qp.responder_.responses_pending()) {
    count = qp.responder_.transmit_responses(now, sink, budget);
    *more = qp.responder_.more();
  }
  if (qp.responder_.ack_due() && (count != 0 || qp.responder_.ack_urgent(config_.ack_coalesce_packets) ||
                                  (qp.can_send() && qp.requester_.unsent()))) {
    if (count < budget) {
      count += qp.responder_.transmit_ack(sink);
    } else {
      *more = true;
    }
  }
  if (qp.can_send()) {
    count += qp.requester_.transmit(now, sink, budget - count);
    *more |= qp.requester_.more();
  }
  if (qp.can_send() && qp.requester_.window_limited()) {
    *more |= wait_for_window(qp);
  } else {
    blocked_.remove(&qp);
  }
  return count;
}

// A NIC acknowledges a message before its program can see it. So the ACKs of all queue pairs go ahead of what
// the program posts: the peer never has the answer to a request without the completion of that request. An ACK
// behind READ responses waits for those.
bool Engine::transmit_acks(PacketSink& sink, uint32_t* room) {
  Qp* next = nullptr;
  for (Qp* qp = ack_due_.front(); qp != nullptr; qp = next) {
    next = ack_due_.next(qp);
    if (*room == 0 && (*room = sink.room()) == 0) return false;
    if (room_to(*qp, sink) != 0 && qp->responder_.transmit_ack(sink)) --*room;
  }
  return true;
}

// What needs no answer goes where the receiver has stopped, to be lost.
uint32_t Engine::room_without(const Qp& qp, PacketSink& sink) {
  return qp.unreliable_ && sink.admit(qp.attr_.av, qp.attr_.dest_qp_num, qp.mtu_) ? UINT32_MAX : 0;
}

void Engine::stall(Qp& qp, uint64_t now, PacketSink& sink) {
  blocked_.remove(&qp);
  stalled_.push_back(&qp);
  if (!qp.unreliable_ && qp.can_send()) qp.requester_.stall(now, sink);
}

void Engine::unstall() {
  while (Qp* qp = stalled_.front()) {
    stalled_.remove(qp);
    active_.push_back(qp);
    if (qp->responder_.owes_ack()) ack_due_.push_front(qp);
  }
}

// QPs that wait for the engine's window go first while it is open. The engine tries only as many of them as
// the window has room for: with many QPs, trying all of them on each ACK costs more than sending the packets.
Qp* Engine::next_turn() {
  Qp* waiting = window_full_ ? nullptr : blocked_.front();
  return waiting != nullptr ? waiting : active_.front();
}

// QPs that were served this round go to the back of the queue. Otherwise the first QP would be served first
// every time. True keeps the QP active: it comes last in this round and then finds the window full.
bool Engine::wait_for_window(Qp& qp) {
  window_full_ = true;
  const bool served = qp.requester_.served();
  if (served) blocked_.remove(&qp);
  if (served && !active_.empty()) return true;
  blocked_.push_back(&qp);
  return false;
}

void Engine::departed(const Departure& departure, uint64_t time) {
  if (Qp* qp = find_qp(departure.qpn)) qp->requester_.departed(departure, time);
}

void Engine::on_time(uint64_t now) {
  while (Qp* qp = timers_.pop_due(now)) {
    qp->requester_.on_time(now);
    set_timer(*qp, qp->deadline());
  }
}

uint64_t Engine::next_wake() {
  uint64_t wake = timers_.next();
  if (const Qp* qp = ack_due_.front()) wake = std::min(wake, qp->responder_.ack_deadline());
  return wake;
}

void Engine::set_windows(uint32_t window_packets, uint32_t window_bytes, uint64_t engine_window_bytes) {
  // Far below half the PSN space, so that "ahead" and "behind" are never confused.
  config_.window_packets = std::clamp(window_packets, 1u, 1u << 20);
  config_.window_bytes = std::max(window_bytes, 1u);
  config_.engine_window_bytes = engine_window_bytes;
  window_full_ = false;
}

void Engine::set_stamping(bool on) {
  stamping_ = on;
  if (!on) return;
  for (auto& [key, cq] : cqs_) cq->enable_stamps();
  for (auto& qp : qps_) {
    if (qp) qp->sq_.enable_stamps();
  }
}

void Engine::set_timer(Qp& qp, uint64_t deadline) { timers_.set(qp, deadline); }

void Engine::change_in_flight(int64_t bytes) {
  in_flight_ += static_cast<uint64_t>(bytes);
  if (bytes < 0 && in_flight_ < config_.engine_window_bytes) window_full_ = false;
}

void Engine::forget(Qp& qp) {
  active_.remove(&qp);
  ack_due_.remove(&qp);
  cnp_due_.remove(&qp);
  blocked_.remove(&qp);
  stalled_.remove(&qp);
  timers_.remove(qp);
}

}  // namespace uroce::transport
