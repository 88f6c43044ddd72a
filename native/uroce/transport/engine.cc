#include "uroce/transport/engine.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "uroce/refusal.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

// Operation of the message that begins with a packet of this opcode.
WrOpcode opcode_of(uint8_t opcode) {
  namespace op = wire::opcode;
  const auto operation = static_cast<uint8_t>(opcode & ~wire::service::kMask);
  if (operation == op::read_request) return WrOpcode::rdma_read;
  if (operation == op::compare_swap) return WrOpcode::atomic_cmp_and_swp;
  if (operation == op::fetch_add) return WrOpcode::atomic_fetch_and_add;
  return operation >= op::write_first && operation <= op::write_only_imm ? WrOpcode::rdma_write
                                                                         : WrOpcode::send;
}

QpType sender_of(uint8_t opcode) {
  const auto service = static_cast<uint8_t>(opcode & wire::service::kMask);
  return service == wire::service::kUd ? QpType::ud : service == wire::service::kUc ? QpType::uc : QpType::rc;
}

// Refuses a send before RTS, or a receive in RESET.
int refused_state(const Qp& qp, QpState needed) {
  return refuse(EINVAL, Cause::state_too_low, static_cast<uint64_t>(qp.state()),
                static_cast<uint64_t>(needed), needed == QpState::rts ? 0 : 1);
}

}  // namespace

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
  if (const int error = qp.executor_.post(wr)) return error;
  if (qp.state() == QpState::err) qp.executor_.flush(0);
  return 0;
}

Validated Engine::validate(const RxPacket& packet) {
  const Validated validated = uroce::transport::validate(*this, packet);
  if (!validated.wanted()) [[unlikely]]
    reject(packet, validated);
  return validated;
}

// Counts rejected packets, and reports a message that does not arrive. Late packets to a QP that was
// destroyed, or that has failed, are not reported.
void Engine::reject(const RxPacket& packet, const Validated& validated) {
  ++counters_.of(validated.reject);
  const auto bth = wire::BthView::of(packet.data, packet.len);
  if (!bth || bth->opcode() == wire::opcode::cnp) return;
  const wire::OpcodeInfo& info = wire::kOpcodes[bth->opcode()];
  const uint8_t* body = packet.data + wire::Bth::kSize;
  if (validated.reject == Reject::stray_response)
    return validated.qp->completer_.on_stray(*bth, body, packet.len - wire::Bth::kSize - bth->pad());
  const bool begins =
      info.has(wire::OpcodeInfo::first | wire::OpcodeInfo::only) && !info.has(wire::OpcodeInfo::response);
  if (!begins) return;
  const bool to_group = bth->dest_qpn() == kMulticastQpn && is_multicast(*packet.destination);
  if (Gsi::is_for(bth->dest_qpn()) ||
      (validated.reject == Reject::unknown_qp && !to_group && !was_here(bth->dest_qpn())))
    return events_.message_lost({bth->dest_qpn(), opcode_of(bth->opcode()), packet.source});
  if (validated.reject != Reject::wrong_state && validated.reject != Reject::wrong_transport) return;
  const Qp& qp = *validated.qp;
  const bool foreign = qp.service_ != (bth->opcode() & wire::service::kMask);
  if (!foreign && (!qp.unreliable_ || qp.state() >= QpState::rtr)) return;
  const auto deth = foreign && info.has(wire::OpcodeInfo::deth)
                        ? wire::DethView::of(body, packet.len - wire::Bth::kSize)
                        : std::nullopt;
  events_.request_refused(qp, {.because = foreign ? RefusedRequest::wrong_service : RefusedRequest::too_early,
                               .opcode = opcode_of(bth->opcode()),
                               .psn = bth->psn(),
                               .source_qpn = deth ? deth->src_qpn() : 0,
                               .source = packet.source,
                               .sender = sender_of(bth->opcode())});
}

void Engine::on_packet(uint64_t now, const RxPacket& packet) {
  if (const Validated validated = validate(packet); validated.wanted()) process(now, packet, validated);
}

void Engine::process(uint64_t now, const RxPacket& packet, const Validated& validated) {
  ++counters_.rcvd_pkts;
  const auto bth = *wire::BthView::of(packet.data, packet.len);
  Qp* qp = validated.qp;
  if (qp == nullptr && bth.dest_qpn() != kMulticastQpn) [[unlikely]] {
    if (const auto mad = Gsi::parse(packet)) events_.mad(*mad);
    return;
  }
  if (bth.opcode() == wire::opcode::cnp) [[unlikely]] {
    ++counters_.rp_cnp_handled;
    ++qp->cnps_;
    qp->congestion_.cnp(now);
    return;
  }
  if (packet.congested()) [[unlikely]]
    on_congestion(now, qp);
  const uint8_t* body = packet.data + wire::Bth::kSize;
  const uint32_t len = packet.len - wire::Bth::kSize - bth.pad();
  if (qp == nullptr) return on_multicast(now, packet, bth, body, len);
  qp->requester_.note_rx();
  if (bth.selective()) [[unlikely]]
    qp->peer_is_selective_ = true;
  if (wire::kOpcodes[bth.opcode()].has(wire::OpcodeInfo::response)) {
    qp->completer_.on_packet(now, bth, body, len);
    return;
  }
  if (qp->state() == QpState::rtr) [[unlikely]]
    qp->executor_.note_rx_before_rts();
  if (qp->unreliable_) {
    qp->unreliable_->on_packet(now, packet, bth, body, len);
  } else {
    qp->responder_.on_packet(now, bth, body, len);
  }
}

void Engine::on_multicast(uint64_t now, const RxPacket& packet, const wire::BthView& bth, const uint8_t* body,
                          uint32_t len) {
  const std::vector<Qp*>* attached = mcast_.find(*packet.destination);
  if (attached == nullptr) return;
  for (Qp* qp : *attached) {
    if (!qp->can_receive()) continue;
    ++counters_.mcast_pkts;
    qp->unreliable_->on_packet(now, packet, bth, body, len);
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
  if (flags & kOnlyAcks) [[unlikely]] {
    transmit_acks(sink, &room);
    return true;
  }
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
    qp->requester_.set_own_flow_control(on_the_way != UINT32_MAX);
    bool more = false;
    room -= transmit_qp(*qp, now, sink, std::min({room, on_the_way, config_.burst_packets}), &more);
    if (more) active_.push_back(qp);
  }
  // ACKs that no other packet has carried.
  Qp* next = nullptr;
  for (Qp* qp = ack_due_.front(); qp != nullptr; qp = next) {
    next = ack_due_.next(qp);
    if (qp->congestion_.controlled() &&
        qp->responder_.responses_pending()) {  // its pacer holds READ responses, which the ACK goes behind
      ack_due_.remove(qp);
      continue;
    }
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
    // An ACK that was taken off the list until its responses have left.
    if (qp.responder_.ack_due() && !qp.responder_.responses_pending()) ack_due_.push_front(&qp);
  }
  if (qp.responder_.ack_due() &&
      (count != 0 || qp.responder_.ack_urgent() || (qp.can_send() && qp.requester_.unsent()))) {
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
  if (qp.can_send() && qp.requester_.blocked_on_shared_window()) {
    *more |= wait_for_window(qp);
  } else {
    blocked_.remove(&qp);
  }
  return count;
}

// A NIC acknowledges a message before its program can see it. So the ACKs of all queue pairs go ahead of
// newly posted requests: the peer never has the answer to a request without the completion of that request.
// An ACK behind READ responses waits for them.
bool Engine::transmit_acks(PacketSink& sink, uint32_t* room) {
  Qp* next = nullptr;
  for (Qp* qp = ack_due_.front(); qp != nullptr; qp = next) {
    next = ack_due_.next(qp);
    if (*room == 0 && (*room = sink.room()) == 0) return false;
    if (room_to(*qp, sink) != 0 && qp->responder_.transmit_ack(sink)) --*room;
  }
  return true;
}

// Room for an unreliable QP whose path has none: if the receiver has stopped, its packets are sent anyway,
// to be lost.
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
  const bool served = qp.requester_.progressed_this_turn();
  if (served) blocked_.remove(&qp);
  if (served && !active_.empty()) return true;
  blocked_.push_back(&qp);
  return false;
}

// Congestion: a connected QP answers packets that a switch has marked (ECN) with notifications (CNPs). What a received
// CNP does is up to the QP's policy. No CNP for UD: a CNP slows a connected QP, and a datagram has none.
void Engine::on_congestion(uint64_t now, Qp* qp) {
  ++counters_.np_ecn_marked_roce_packets;
  if (qp != nullptr) ++qp->marks_;
  if (qp == nullptr || qp->type() == QpType::ud || now < qp->next_cnp_) return;
  qp->next_cnp_ = now + qp->congestion_.cnp_interval(config_.cnp_interval_ns);
  cnp_due_.push_back(qp);
}

// A CNP that finds no room on the path is not sent: the next mark asks for another. True if the sink has no
// room.
bool Engine::transmit_cnps(PacketSink& sink) {
  constexpr std::array<uint8_t, wire::kCnpReserved> kReserved{};
  while (Qp* qp = cnp_due_.front()) {
    if (sink.room() == 0) return true;
    cnp_due_.remove(qp);
    if (room_to(*qp, sink) == 0) continue;
    const uint32_t dest_qpn = qp->attr_.dest_qp_num;
    uint8_t header[wire::Bth::kSize];
    wire::cnp_bth(dest_qpn).emit(header);
    const IoVec reserved{kReserved.data(), kReserved.size()};
    sink.emit({.path = &qp->attr_.av,
               .header = header,
               .iov = &reserved,
               .header_len = wire::Bth::kSize,
               .iov_count = 1,
               .payload_len = kReserved.size(),
               .pad = 0,
               .qpn = qp->qpn(),
               .dest_qpn = dest_qpn,
               .psn = 0,
               .opcode = wire::opcode::cnp});
    ++counters_.sent_pkts;
    ++counters_.np_cnp_sent;
  }
  return false;
}

void Engine::note_tx_timestamp(const TxTimestamp& timestamp, uint64_t time) {
  if (Qp* qp = find_qp(timestamp.qpn)) qp->requester_.note_tx_timestamp(timestamp, time);
}

void Engine::on_time(uint64_t now) {
  while (Qp* qp = timers_.pop_due(now)) {
    qp->on_time(now);
    set_timer(*qp, qp->deadline());
  }
}

uint64_t Engine::next_wake() {
  uint64_t wake = timers_.next();
  if (const Qp* qp = ack_due_.front()) wake = std::min(wake, qp->responder_.ack_deadline());
  return wake;
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
