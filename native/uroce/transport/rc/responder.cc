#include "uroce/transport/rc/responder.h"

#include <algorithm>
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

}  // namespace

void Responder::set_acks(uint32_t every, uint64_t delay_ns) {
  coalesce_ = every != 0 ? every : qp_.engine_.config_.ack_coalesce_packets;
  unasked_ = every != 0 ? every : UINT32_MAX;
  own_ack_delay_ = delay_ns;
}

void Responder::reset() {
  release_held();
  ack_end_ = recv_.expected;
  msn_ = 0;
  nak_sent_ = ack_due_ = nak_due_ = more_ = false;
  unacked_ = 0;
  failure_ = {};
  clear_resources();
}

// Inlined, since each packet in order comes this way.
inline void Responder::execute(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  const uint8_t opcode = bth.opcode();
  if (opcode == op::read_request) {
    on_read(now, body);
  } else if (opcode == op::compare_swap || opcode == op::fetch_add) {
    on_atomic(now, bth, body);
  } else {
    qp_.executor_.on_data(now, bth, body, len);
  }
}

void Responder::on_packet(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len) {
  const ExtPsn seq = extend_psn(bth.psn(), recv_.expected);
  Counters& c = qp_.engine_.counters_;
  if (seq > recv_.expected) return on_ahead(bth, body, len, seq);
  if (seq < recv_.expected && !restarts_message(seq)) {
    ++c.duplicate_request;
    if (recv_.expected == recv_.first) [[unlikely]]
      qp_.engine_.events_.duplicate_of_nothing(qp_, bth.psn());
    return on_duplicate(now, bth, body, seq);
  }
  if (failure_.armed) return;  // already judged; the answer waits for the READ responses before it
  nak_sent_ = false;
  nak_due_ = false;  // a NAK not yet sent asks for what has just come
  execute(now, bth, body, len);
  if (!held_.empty()) [[unlikely]] {
    if (recv_.expected == seq) return release_held();
    execute_held(now);
  }
}

void Responder::on_ahead(const wire::BthView& bth, const uint8_t* body, uint32_t len, ExtPsn seq) {
  Counters& c = qp_.engine_.counters_;
  ++c.out_of_sequence;
  if (nak_sent_) return;
  if (qp_.recovery_.selective() != nullptr && bth.selective() && hold(bth, body, len, seq)) return;
  ++c.out_of_seq_request;
  if (qp_.recovery_.restarts_messages()) forget_message();
  nak_sent_ = true;
  nak(aeth::kNakSequence);
}

bool Responder::hold(const wire::BthView& bth, const uint8_t* body, uint32_t len, ExtPsn seq) {
  Engine& e = qp_.engine_;
  if (seq - recv_.expected > SelectiveRepeat::kReach) return false;
  const bool first = held_.empty();
  const uint32_t here =
      e.config_.carry_payload ? len : wire::kOpcodes[bth.opcode()].header_size - wire::Bth::kSize;
  const uint8_t* const packet = body - wire::Bth::kSize;
  if (e.reorder_.hold(held_, seq, {packet, wire::Bth::kSize + here}, len) == ReorderPool::Result::full)
    return false;
  e.counters_.out_of_seq_request += first;
  nak(aeth::kNakSequence);
  nak_names_held_ = true;
  return true;
}

void Responder::execute_held(uint64_t now) {
  ReorderPool& pool = qp_.engine_.reorder_;
  for (;;) {
    const ExtPsn before = recv_.expected;
    const uint16_t place = pool.take(held_, before);
    if (place == HeldPackets::kNone) break;
    const uint8_t* const packet = pool.bytes(place);
    execute(now, *wire::BthView::of(packet, wire::Bth::kSize), packet + wire::Bth::kSize, pool.at(place).len);
    pool.give_back(place);
    if (recv_.expected == before) return release_held();
  }
  if (held_.empty()) return;
  nak(aeth::kNakSequence);
  nak_names_held_ = true;
}

void Responder::release_held() {
  qp_.engine_.reorder_.release(held_);
  if (nak_names_held_) nak_due_ = nak_names_held_ = false;
}

// True if the current message begins again: what has come of it is forgotten.
bool Responder::restarts_message(ExtPsn seq) {
  if (!qp_.recovery_.restarts_messages() || recv_.message == ReceiveState::Message::none || failure_.armed ||
      seq != recv_.expected - recv_.offset / qp_.mtu_)
    return false;
  forget_message();
  return true;
}

void Responder::forget_message() {
  if (recv_.message == ReceiveState::Message::none) return;
  recv_.expected -= recv_.offset / qp_.mtu_;  // all packets before the last one are full
  recv_.offset = 0;
  recv_.message = ReceiveState::Message::none;
  ack_end_ = std::min(ack_end_, recv_.expected);
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

void Responder::on_read(uint64_t now, const uint8_t* body) {
  const auto reth = *wire::RethView::of(body, wire::Reth::kSize);
  const uint32_t length = reth.length();
  if (recv_.message != ReceiveState::Message::none || length > kMaxMessage)
    return fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  const auto request = [&reth, length](RefusedRequest::Because because) {
    return RefusedRequest{because, WrOpcode::rdma_read,     reth.va(), reth.rkey(), length,
                          0,       access_flag::remote_read};
  };
  if (!(qp_.attr_.qp_access_flags & access_flag::remote_read))
    return qp_.executor_.refuse(now, request(RefusedRequest::qp_access), aeth::kNakInvalidRequest,
                                EventType::qp_req_err);
  if (length != 0 && !qp_.remote(reth.rkey(), reth.va(), length, access_flag::remote_read))
    return qp_.executor_.refuse(now, request(RefusedRequest::memory), aeth::kNakRemoteAccess,
                                EventType::qp_access_err);
  Resource* r = next_resource();
  if (r == nullptr)
    return qp_.executor_.refuse(now, request(RefusedRequest::resources), aeth::kNakInvalidRequest,
                                EventType::qp_req_err);
  r->kind = Resource::read;
  r->rkey = reth.rkey();
  r->va = reth.va();
  r->length = length;
  r->first = recv_.expected;
  r->psn_count = length == 0 ? 1 : (length - 1) / qp_.mtu_ + 1;
  start_read_response(*r, recv_.expected, 0, length);
  recv_.expected += r->psn_count;
  msn_ = (msn_ + 1) & kPsnMask;
}

void Responder::on_atomic(uint64_t now, const wire::BthView& bth, const uint8_t* body) {
  const auto eth = *wire::AtomicEthView::of(body, wire::AtomicEth::kSize);
  if (recv_.message != ReceiveState::Message::none)
    return fail(now, aeth::kNakInvalidRequest, EventType::qp_req_err);
  const auto turn_down = [&](RefusedRequest::Because because) {
    const bool swap = bth.opcode() == op::compare_swap;
    const bool access = because == RefusedRequest::memory;
    qp_.executor_.refuse(now,
                         {because, swap ? WrOpcode::atomic_cmp_and_swp : WrOpcode::atomic_fetch_and_add,
                          eth.va(), eth.rkey(), 8, 0, access_flag::remote_atomic},
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
    guard_range(word, sizeof *word);
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
    return qp_.executor_.memory_gone(now,
                                     swap ? WrOpcode::atomic_cmp_and_swp : WrOpcode::atomic_fetch_and_add,
                                     {eth.va(), eth.rkey(), 8}, WcStatus::success);
  }
  r->kind = Resource::atomic;
  r->first = recv_.expected;
  r->psn_count = 1;
  ++recv_.expected;
  msn_ = (msn_ + 1) & kPsnMask;
}

// The request at the expected PSN cannot be executed. Answers to READs and atomics before it go out first,
// then the QP fails.
void Responder::fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status) {
  fail(now, syndrome, event, recv_status, recv_.expected);
}

void Responder::fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status, ExtPsn at) {
  failure_ = {true, syndrome, event, recv_status, at};
  nak_sent_ = true;
  if (pending_ == 0) carry_out_failure(now);
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
    qp_.executor_.tell_failed_receive(f.recv_status);
    qp_.executor_.complete_recv(now, f.recv_status, WcOpcode::recv, 0, 0, 0, false);
  }
  qp_.to_error(now);
  qp_.engine_.events_.qp_event(qp_, f.event);
}

void Responder::stop() {
  release_held();
  clear_resources();
  drop_ack();
  recv_.message = ReceiveState::Message::none;
}

}  // namespace uroce::transport
