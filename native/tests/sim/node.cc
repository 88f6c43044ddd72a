#include "node.h"

#include <utility>

#include "recorder.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/opcode.h"

namespace uroce::sim {
namespace {

constexpr uint32_t kLongestFullPath = 50'000'000;  // ns

}  // namespace

Node::Node(int index, const Scenario& scenario, uint64_t seed, Network& network)
    : scenario_(scenario),
      limits_(scenario.engine[static_cast<size_t>(index)]),
      random_(seed),
      index_(index),
      network_(network),
      engine_(limits_, random_, *this) {
  engine_.set_stamping(scenario.stamping);
  pd_ = engine_.alloc_pd();
  const uint32_t each = scenario.shape.depth + scenario.shape.recv_depth;
  const uint32_t queues = scenario.shared_cq ? 1 : scenario.connections;
  for (uint32_t i = 0; i < queues; ++i) {
    cqs_.push_back({*engine_.create_cq(each * (scenario.shared_cq ? scenario.connections : 1))});
  }
  if (scenario.shared_receives) {
    receives_ = std::make_unique<SharedReceives>(engine_, pd_, scenario.shape, scenario.connections,
                                                 random_.next64());
  }
  for (uint32_t i = 0; i < scenario.connections; ++i) {
    transport::Cq* cq = cqs_[i % queues].cq;
    endpoints_.push_back(std::make_unique<Endpoint>(engine_, pd_, cq, scenario.shape, random_.next64(),
                                                    scenario.shared_words ? &shared_ : nullptr,
                                                    receives_.get()));
    by_index_[endpoints_.back()->qp().qpn() & 0xfff] = endpoints_.back().get();
  }
}

Endpoint& Node::endpoint_of(uint32_t qpn) const {
  Endpoint* e = by_index_[qpn & 0xfff];
  require(e != nullptr && e->qp().qpn() == qpn, "a QPN that no queue pair has");
  return *e;
}

void Node::receive(uint64_t now, const Frame& f, const Gid& from, const Gid& own) {
  if (!icrc_right(f, from, own, Endpoint::kPort)) {
    require(f.damaged, "an undamaged packet whose ICRC is wrong");
    ++rejected_;
    return;
  }
  require(!f.damaged, "damage that the ICRC did not find");
  ++accepted_;
  const uint32_t len = f.len - 4;
  endpoint_of(wire::BthView::of(f.bytes.data(), len)->dest_qpn()).wire().received(f.bytes.data(), len);
  const bool marked = scenario_.ecn != 0 && random_.below(10'000) < scenario_.ecn;
  const bool cnp = f.bytes[0] == wire::opcode::cnp;
  marked_ += marked && !cnp;
  notified_ += cnp;
  const transport::Counters before = engine_.counters();
  engine_.on_packet(now, {f.bytes.data(), len, &from, &own, static_cast<uint8_t>(marked ? 3 : 2)});
  if (network_.recorder() == nullptr) return;
  const uint32_t qpn = wire::BthView::of(f.bytes.data(), len)->dest_qpn();
  const transport::Counters& after = engine_.counters();
  if (after.rnr_nak_retry_err != before.rnr_nak_retry_err) {
    network_.recorder()->went_back(index_, qpn, Cause::rnr);
  } else if (after.completer_retry_err != before.completer_retry_err) {
    const bool gap = after.implied_nak_seq_err != before.implied_nak_seq_err;
    network_.recorder()->went_back(index_, qpn, gap ? Cause::read : Cause::nak);
  }
}

void Node::on_time(uint64_t now) {
  std::vector<uint64_t> next;
  for (const auto& e : endpoints_) next.push_back(transport::EngineInspector::next(e->qp()));
  engine_.on_time(now);
  if (network_.recorder() == nullptr) return;
  for (size_t i = 0; i < next.size(); ++i) {
    const transport::Qp& qp = endpoints_[i]->qp();
    if (transport::EngineInspector::next(qp) < next[i])
      network_.recorder()->went_back(index_, qp.qpn(), Cause::timeout);
  }
}

uint32_t Node::room() {
  if (room_ != 0 || random_.below(16) == 0) return room_;
  return room_ = random_.below(65);
}

uint32_t Node::room_to(const Path&, uint32_t) {
  if (scenario_.path_full == 0) return UINT32_MAX;
  if (now_ >= path_opens_at_ && random_.below(10'000) < scenario_.path_full)
    path_opens_at_ = now_ + 1 + random_.below(kLongestFullPath);
  if (now_ >= path_opens_at_) return 1 + random_.below(64);
  waits_for_path_ = true;
  return 0;
}

bool Node::room_returned() {
  return waits_for_path_ && now_ >= path_opens_at_ && std::exchange(waits_for_path_, false);
}

bool Node::emit(const transport::TxPacket& packet) {
  require(room_ != 0, "more packets than there was room for");
  require(now_ >= path_opens_at_, "a packet to a path without room");
  --room_;
  endpoint_of(packet.qpn).wire().sent(packet);
  if (network_.recorder() != nullptr) {
    const bool request = wire::kOpcodes[packet.opcode].has(wire::OpcodeInfo::request);
    const bool again = request && transport::EngineInspector::repeats(endpoint_of(packet.qpn).qp());
    network_.recorder()->next(index_, packet.qpn, again);
  }
  network_.send(now_, index_, packet);
  if (packet.position_flags != 0) engine_.note_tx_timestamp(packet.timestamp(), now_);
  return true;
}

void Node::transmit(uint64_t now) {
  now_ = now;
  room_ = random_.below(65);
  const bool hurry = scenario_.ack_now_in > 1 && random_.below(scenario_.ack_now_in) == 0;
  const uint32_t flags = hurry ? 0 : scenario_.ack_flags;
  const bool left = engine_.transmit(now, *this, flags);
  retry_at_ = left ? std::max(now + 1 + random_.below(1000), network_.departed(index_)) : kNever;
}

void Node::poll(uint64_t now) {
  transport::Completion wc[16];
  transport::WrStamps stamps[16];
  for (Watched& w : cqs_) {
    uint32_t taken = 0;
    bool solicited = false;
    for (uint32_t n; (n = w.cq->poll(wc, 16, scenario_.stamping ? stamps : nullptr)) != 0; taken += n) {
      for (uint32_t i = 0; i < n; ++i) {
        solicited |=
            endpoint_of(wc[i].qp_num).completed(now, wc[i], scenario_.stamping ? &stamps[i] : nullptr);
      }
    }
    const bool due = w.armed == Watched::any ? taken != 0 : w.armed == Watched::solicited && solicited;
    require(w.events == (due ? 1 : 0), "a completion event missing, or one too many");
    if (due) w.armed = Watched::idle;
    w.events = 0;
    if (w.armed == Watched::idle && random_.below(8) == 0) {
      w.armed = random_.below(2) == 0 ? Watched::any : Watched::solicited;
      w.cq->arm(w.armed == Watched::solicited);
    }
  }
  for (auto& e : endpoints_) e->settle();
}

void Node::completion_event(transport::Cq& cq) {
  for (Watched& w : cqs_) {
    if (w.cq == &cq) ++w.events;
  }
}

void Node::unsignaled_stamps(const transport::WrStamps& s) {
  require(s.valid, "stamps of nothing");
  Endpoint::check_order(s);
  ++unsignaled_stamps_;
}

// Between one packet and what the scenario began with.
void Node::change_windows() {
  const uint32_t part = random_.below(5);
  engine_.set_windows(limits_.window_packets >> part, limits_.window_bytes >> part,
                      limits_.engine_window_bytes >> part);
}

void Node::check_invariants() const {
  if (receives_) receives_->check();
  uint64_t flying = 0;
  uint32_t held = 0;
  for (const auto& e : endpoints_) {
    transport::EngineInspector::check(e->qp(), limits_);
    flying += transport::EngineInspector::in_flight(e->qp());
    held += transport::EngineInspector::held(e->qp());
  }
  require(flying == transport::EngineInspector::in_flight(engine_),
          "the engine's bytes in flight miscounted");
  require(held == transport::EngineInspector::held(engine_), "held packets miscounted");
}

void Node::check_idle() {
  require(engine_.next_wake() == kNever, "a timer of an idle engine");
  require(!engine_.tx_pending() && !engine_.acks_deferred(), "an idle engine with something to send");
  require(transport::EngineInspector::in_flight(engine_) == 0, "bytes in flight of an idle engine");
  require(transport::EngineInspector::held(engine_) == 0, "packets held by an idle engine");
  uint64_t sends = 0, received = 0, unsignaled = 0, repeats = 0;
  for (auto& e : endpoints_) {
    sends += e->messages();
    received += e->received();
    unsignaled += e->unsignaled();
    repeats += e->wire().repeats();
  }
  const transport::Counters& c = engine_.counters();
  require(c.rcvd_pkts == accepted_ && c.np_ecn_marked_roce_packets == marked_, "packets received miscounted");
  require(c.np_cnp_sent <= marked_ && c.rp_cnp_handled == notified_, "congestion notifications miscounted");
  require(c.rdma_sends == sends && c.rdma_recvs == received, "messages miscounted");
  require(c.retransmitted_pkts == repeats, "repeated packets miscounted");
  require(transport::rejected_packets(c) == 0, "good packets counted as bad");
  require(c.retry_exceeded_err + c.retry_rnr_exceeded_err + c.send_err == 0,
          "errors that no completion reported");
  require(!scenario_.faultless || c.completer_retry_err == 0, "a packet given up as lost where none is");
  if (scenario_.stamping) require(unsignaled_stamps_ == unsignaled, "stamps of unsignaled requests lost");
}

void Node::destroy() {
  require(engine_.dealloc_pd(pd_) != 0, "a PD gone under its QPs");
  for (auto& e : endpoints_) e->destroy();
  if (receives_) receives_->destroy();
  for (Watched& w : cqs_) require(engine_.destroy_cq(w.cq) == 0, "destroy_cq failed");
  require(engine_.dealloc_pd(pd_) == 0 && engine_.qp_count() == 0 && engine_.mrs().size() == 0,
          "something left behind");
}

}  // namespace uroce::sim
