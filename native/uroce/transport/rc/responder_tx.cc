// Packets of the responder: READ responses, atomic results, ACKs and NAKs. responder.cc receives the
// requests.
#include <algorithm>
#include <bit>

#include "uroce/transport/engine.h"
#include "uroce/transport/rc/arrived_header.h"
#include "uroce/transport/rc/responder.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

namespace op = wire::opcode;
namespace aeth = wire::aeth;

}  // namespace

void Responder::set_resources(uint32_t max_dest_rd_atomic) {
  // Rounded up, as rxe does: a peer that rounds its own figure must not exceed ours.
  uint32_t slots = max_dest_rd_atomic == 0 ? 0 : std::bit_ceil(max_dest_rd_atomic);
  const uint32_t used = std::min(head_, resource_count_);  // places ever taken
  uint32_t needed = used;                                  // the newest ones, so that none is left unanswered
  while (needed != 0 && !resources_[(head_ - needed) & (resource_count_ - 1)].pending) --needed;
  if (needed > slots) slots = std::bit_ceil(needed);
  if (slots == resource_count_) return;
  std::unique_ptr<Resource[]> kept(slots ? new Resource[slots] : nullptr);
  const uint32_t moved = std::min(used, slots);
  for (uint32_t i = 0; i < moved; ++i) kept[i] = resources_[(head_ - moved + i) & (resource_count_ - 1)];
  resources_ = std::move(kept);
  resource_count_ = slots;
  head_ = moved;
}

void Responder::clear_resources() {
  for (uint32_t i = 0; i < resource_count_; ++i) resources_[i] = {};
  head_ = pending_ = 0;
}

// The oldest place of the ring, marked as having something to send; nullptr if its answer has never gone
// out whole: the peer has more outstanding than was agreed. A repeated answer still pending there is
// dropped: the peer has it, or it would not have gone on.
Responder::Resource* Responder::next_resource() {
  if (resource_count_ == 0) return nullptr;
  Resource& r = resources_[head_ & (resource_count_ - 1)];
  if (r.pending) {
    if (!r.sent_once) return nullptr;
    --pending_;
  }
  ++head_;
  r = {};
  r.pending = true;
  ++pending_;
  qp_.engine_.activate(qp_);
  return &r;
}

Responder::Resource* Responder::find_resource(ExtPsn seq) {
  for (uint32_t i = 0; i < resource_count_; ++i) {
    Resource& r = resources_[i];
    if (r.kind != Resource::none && seq >= r.first && seq < r.first + r.psn_count) return &r;
  }
  return nullptr;
}

bool Responder::reads_pending(uint32_t rkey) const {
  if (pending_ == 0) return false;
  const Resource* begin = resources_.get();
  return std::any_of(begin, begin + resource_count_, [rkey](const Resource& r) {
    return r.pending && r.kind == Resource::read && r.rkey == rkey;
  });
}

void Responder::start_read_response(Resource& r, ExtPsn seq, uint32_t offset, uint32_t length) {
  r.start = r.next = seq;
  r.stop = seq + (length == 0 ? 1 : (length - 1) / qp_.mtu_ + 1);
  r.stop_offset = offset + length;
}

uint32_t Responder::transmit_responses(uint64_t now, PacketSink& sink, uint32_t budget) {
  uint32_t count = 0;
  more_ = false;
  const bool controlled = qp_.congestion_.controlled();
  // Oldest first, so that responses leave in PSN order.
  for (uint32_t i = 0; i < resource_count_ && pending_ != 0; ++i) {
    Resource& r = resources_[(head_ + i) & (resource_count_ - 1)];
    while (r.pending) {
      if (count == budget) {
        more_ = true;
        return count;
      }
      if (controlled && qp_.wait_for_pacer(now)) return count;
      if (r.kind == Resource::atomic) {
        send_atomic_ack(sink, r);
      } else if (!send_read_response(now, sink, r)) {
        return count;
      }
      ++count;
    }
  }
  if (failure_.armed) carry_out_failure(now);
  return count;
}

bool Responder::send_read_response(uint64_t now, PacketSink& sink, Resource& r) {
  const uint32_t mtu = qp_.mtu_;
  const uint32_t offset = static_cast<uint32_t>(r.next - r.first) * mtu;
  const uint32_t len = std::min(mtu, r.stop_offset - offset);
  IoVec iov{nullptr, len};
  if (len != 0) {
    iov.base = qp_.remote(r.rkey, r.va + offset, len, access_flag::remote_read);
    if (iov.base == nullptr && r.sent_once) return give_up_repeat(r);
    if (iov.base == nullptr) {  // deregistered since the request
      pending_ = 0;
      qp_.engine_.events_.request_refused(qp_, {RefusedRequest::memory, WrOpcode::rdma_read, r.va, r.rkey,
                                                r.stop_offset, wire_psn(r.next), access_flag::remote_read});
      fail(now, aeth::kNakRemoteAccess, EventType::qp_access_err, WcStatus::success, r.next);
      return false;
    }
  }
  const bool first = r.next == r.start;
  const bool last = r.next + 1 == r.stop;
  const uint8_t opcode = first ? (last ? op::read_response_only : op::read_response_first)
                               : (last ? op::read_response_last : op::read_response_middle);
  if (!emit(sink, opcode, wire_psn(r.next), aeth::kAckUnlimited, nullptr, &iov, len)) [[unlikely]] {
    if (r.sent_once) return give_up_repeat(r);
    pending_ = 0;
    qp_.engine_.events_.request_refused(qp_, {.because = RefusedRequest::gone,
                                              .opcode = WrOpcode::rdma_read,
                                              .va = r.va,
                                              .rkey = r.rkey,
                                              .length = r.stop_offset,
                                              .psn = wire_psn(r.next),
                                              .fault = t_guard.fault});
    fail(now, aeth::kNakRemoteOperation, EventType::qp_fatal, WcStatus::success, r.next);
    return false;
  }
  if (qp_.congestion_.controlled()) {
    const uint32_t headers = wire::Bth::kSize + (opcode == op::read_response_middle ? 0u : wire::Aeth::kSize);
    qp_.congestion_.sent(now, headers + len + (-len & 3) + wire::kIcrcSize, qp_.longest_pace());
  }
  ++r.next;
  if (last) response_sent(r);
  if (ack_due_ && r.first >= ack_end_) drop_ack();  // a response acknowledges all that came before it
  return true;
}

// A late duplicate of a READ. The memory may be gone, because the peer already has the response.
bool Responder::give_up_repeat(Resource& r) {
  response_sent(r);
  r.kind = Resource::none;
  return true;
}

void Responder::send_atomic_ack(PacketSink& sink, Resource& r) {
  response_sent(r);
  if (ack_due_ && r.first >= ack_end_) drop_ack();
  emit(sink, op::atomic_acknowledge, wire_psn(r.first), aeth::kAckUnlimited, &r.original, nullptr, 0);
}

void Responder::response_sent(Resource& r) {
  r.pending = false;
  r.sent_once = true;
  --pending_;
}

bool Responder::transmit_ack(PacketSink& sink) {
  if (pending_ != 0) return false;
  Counters& c = qp_.engine_.counters_;
  if (nak_due_) {
    nak_due_ = false;
    ++(nak_syndrome_ == aeth::kAckUnlimited ? c.acks_sent : c.naks_sent);
    if (nak_names_held_) [[unlikely]] {
      const Arrived arrived = qp_.engine_.reorder_.arrived(held_, recv_.expected);
      emit(sink, op::acknowledge, nak_psn_, nak_syndrome_, nullptr, nullptr, 0, &arrived);
    } else {
      emit(sink, op::acknowledge, nak_psn_, nak_syndrome_, nullptr, nullptr, 0);
    }
    drop_ack();  // a NAK acknowledges all before it
    return true;
  }
  if (!ack_due_) return false;
  ++c.acks_sent;
  emit(sink, op::acknowledge, wire_psn(ack_end_ - 1), aeth::kAckUnlimited, nullptr, nullptr, 0);
  drop_ack();
  return true;
}

bool Responder::emit(PacketSink& sink, uint8_t opcode, uint32_t psn, uint8_t syndrome,
                     const uint64_t* original, const IoVec* iov, uint32_t len, const Arrived* arrived) {
  uint8_t header[wire::Bth::kSize + wire::Aeth::kSize + ArrivedHeader::kLongest];
  wire::Bth bth;
  bth.opcode = opcode;
  bth.pad = static_cast<uint8_t>(-len & 3);
  bth.dest_qpn = qp_.attr_.dest_qp_num;
  bth.psn = psn;
  bth.selective = qp_.recovery_.selective() != nullptr;
  bth.emit(header);
  uint32_t header_len = wire::Bth::kSize;
  if (opcode != op::read_response_middle) {
    wire::Aeth{syndrome, msn_}.emit(header + header_len);
    header_len += wire::Aeth::kSize;
  }
  if (original != nullptr) {
    wire::AtomicAckEth{*original}.emit(header + header_len);
    header_len += wire::AtomicAckEth::kSize;
  }
  if (arrived != nullptr) header_len += ArrivedHeader::emit(*arrived, header + header_len);
  if (!sink.emit({&qp_.attr_.av, header, iov, header_len, len != 0 ? 1u : 0u, len, -len & 3, qp_.qpn_,
                  qp_.attr_.dest_qp_num, psn, opcode}))
    return false;
  ++qp_.engine_.counters_.sent_pkts;
  return true;
}

void Responder::want_ack(uint64_t now) {
  Engine& e = qp_.engine_;
  if (ack_due_) {
    ++e.counters_.ack_deferred;
  } else {
    ack_due_ = true;
    if (qp_.congestion_.measures_delay()) {
      ack_deadline_ = now;
      e.ack_due_.push_front(&qp_);
    } else {
      ack_deadline_ = now + (own_ack_delay_ != kDefaultAckDelay ? own_ack_delay_ : e.config_.ack_delay_ns);
      // Almost always the last place: most QPs wait for the same time.
      Qp* before = e.ack_due_.back();
      while (before != nullptr && before->responder_.ack_deadline_ > ack_deadline_)
        before = e.ack_due_.previous(before);
      e.ack_due_.insert_behind(before, &qp_);
    }
  }
  if (ack_urgent()) e.activate(qp_);
}

bool Responder::will_piggyback() const { return piggybacked_ || qp_.requester_.posts() != posts_at_ack_; }

void Responder::drop_ack() {
  const uint64_t posts = qp_.requester_.posts();
  piggybacked_ = posts != posts_at_ack_;
  posts_at_ack_ = posts;
  ack_due_ = false;
  unacked_ = 0;
  qp_.engine_.ack_due_.remove(&qp_);
}

void Responder::nak(uint8_t syndrome) {
  nak_due_ = true;
  nak_names_held_ = false;
  nak_syndrome_ = syndrome;
  nak_psn_ = wire_psn(recv_.expected);
  qp_.engine_.activate(qp_);
}

// Sends a sequence NAK after the pending responses, as if the packet had been lost.
void Responder::nak_sequence() {
  nak_sent_ = true;
  nak(aeth::kNakSequence);
}

void Responder::rnr() {
  ++qp_.engine_.counters_.send_rnr_err;
  qp_.engine_.events_.rnr_nak(qp_, true);
  nak_sent_ = true;
  nak(static_cast<uint8_t>(aeth::kRnrNak | qp_.attr_.min_rnr_timer));
}

}  // namespace uroce::transport
