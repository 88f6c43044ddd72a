#include "sim/workload/flows.h"

#include <algorithm>
#include <new>

namespace vlsim {
namespace {

using uroce::WrOpcode;

// A notification carries the group and the tag of its flow.
constexpr uint32_t kTagBits = 24;
// Marks the id of a receive, which is followed by its channel. That of a send is its flow and its bytes.
constexpr uint64_t kReceive = 1ull << 63;
// Most QPs of a host: the numbers from 2 to 4095.
constexpr uint32_t kMostQps = 4094;
// Memory of a queue pair, beside the object itself: a work request, a receive, and the rest.
constexpr uint64_t kRequestBytes = 128, kReceiveBytes = 64, kQpRest = 512;

}  // namespace

Flows::Flows(Fabric& fabric, const ConnectionSettings& settings, uint32_t message, uint32_t qps,
             uint64_t seed, bool in_turn)
    : fabric_(fabric),
      settings_(settings),
      message_(std::clamp(message, 1u, fabric.packets.with_payload() ? Host::kRealMemory : Host::kMemory)),
      qps_(std::max(qps, 1u)),
      in_turn_(in_turn),
      random_(seed),
      by_pair_(fabric.hosts.size()),
      lanes_used_(fabric.hosts.size()),
      connected_(fabric.hosts.size()) {}

uint32_t Flows::channel_between(Time now, uint32_t host, uint32_t peer, uint32_t lane) {
  const auto place = [&](uint32_t from, uint32_t to) -> uint32_t& {
    std::vector<uint32_t>& row = by_pair_[from];
    if (row.empty()) row.assign(fabric_.hosts.size() * qps_, kNone);
    return row[to * qps_ + lane];
  };
  if (place(host, peer) != kNone) return place(host, peer);
  if (!fabric_.error().empty()) return kNone;
  Host &a = *fabric_.hosts[host], &b = *fabric_.hosts[peer];
  uroce::transport::Qp *qp = a.create(settings_), *other = b.create(settings_);
  // As the kernel's: 14 bits of a hash of the two queue pairs.
  // In turn, hosts begin at different paths, so that those of a switch take different ones.
  constexpr uint32_t kPorts = 1 << 14;
  const uint32_t chosen = in_turn_ ? (host + connected_[host]++) % kPorts : random_.below(kPorts);
  const auto entropy = static_cast<uint16_t>(0xc000 | chosen);
  if (qp == nullptr || other == nullptr) {
    fabric_.fail("queue pairs", "Host " + std::to_string(qp == nullptr ? host : peer) +
                                    " has no queue pair left: a host has at most " +
                                    std::to_string(kMostQps) +
                                    ". Lower transport.qps, or let fewer hosts talk to each other.");
    return kNone;
  }
  if (!Host::connect(a, *qp, b, *other, settings_, entropy, now) ||
      !Host::connect(b, *other, a, *qp, settings_, entropy, now)) {
    fabric_.fail("connection",
                 "Host " + std::to_string(host) + " cannot connect to host " + std::to_string(peer) + ".");
    return kNone;
  }
  // An event may make all connections of an all-to-all.
  constexpr uint32_t kInterval = 1024;
  const auto first = static_cast<uint32_t>(channels_.size());
  if (first % kInterval == 0) fabric_.check_budget();
  place(host, peer) = first;
  place(peer, host) = first + 1;
  channels_.push_back({host, peer, qp, 0, 0, {}});
  channels_.push_back({peer, host, other, 0, 0, {}});
  for (uint32_t i = 0; i < settings_.receives; ++i) {
    a.post_receive(*qp, kReceive | first);
    b.post_receive(*other, kReceive | (first + 1));
  }
  return first;
}

uint32_t Flows::start(Time now, const Flow& flow) {
  // All flows are in one block: where it cannot grow, nothing else is harmed.
  if (flows_.size() == flows_.capacity()) {
    try {
      flows_.reserve(std::max<size_t>(2 * flows_.size(), 64));
    } catch (const std::bad_alloc&) {
      fabric_.fail("memory", "The system has no memory for more than " + std::to_string(flows_.size()) +
                                 " flows. Let fewer begin: storage has `flows`.");
      return kNone;
    }
  }
  const auto number = static_cast<uint32_t>(flows_.size());
  const uint32_t lane = lanes_used_[flow.poster]++ % qps_;
  const uint32_t channel = channel_between(now, flow.poster, flow.peer, lane);
  flows_.push_back(flow);
  flows_.back().created = now;
  flows_.back().channel = channel;
  if (channel == kNone) return number;
  if (flow.bytes != kEndless) ++unfinished_;
  Channel& c = channels_[channel];
  c.flows.push_back(number);
  fill(now, c);
  fabric_.hosts[flow.poster]->kick(now);
  return number;
}

void Flows::fill(Time now, Channel& c) {
  while (c.outstanding < settings_.depth && c.next < c.flows.size()) {
    const uint32_t number = c.flows[c.next];
    Flow& f = flows_[number];
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(message_, f.bytes - f.posted));
    const bool last = f.posted + bytes == f.bytes;
    const WrOpcode opcode = f.read               ? WrOpcode::rdma_read
                            : last && f.notifies ? WrOpcode::rdma_write_with_imm
                                                 : WrOpcode::rdma_write;
    const uint32_t tag = f.group << kTagBits | f.tag;
    if (fabric_.hosts[c.host]->post(*c.qp, opcode, uint64_t{number} << 32 | bytes, bytes, tag,
                                    *fabric_.hosts[c.peer], now) != 0) {
      ++post_errors_;
      return;
    }
    ++c.outstanding;
    if (f.bytes != kEndless) f.posted += bytes;
    if (last) ++c.next;
  }
  if (c.next == c.flows.size()) {
    c.flows.clear();
    c.next = 0;
  }
}

uint64_t Flows::memory() const {
  const uint64_t qp = sizeof(uroce::transport::Qp) + settings_.depth * kRequestBytes +
                      settings_.receives * kReceiveBytes + kQpRest;
  // Each flow that has not finished waits at its channel.
  return flows_.size() * (sizeof(Flow) + sizeof(uint32_t)) + channels_.size() * (sizeof(Channel) + qp);
}

uint64_t Flows::acknowledged(const Flow& flow) const {
  uroce::transport::Qp* qp = connection(flow);
  const auto oldest = qp == nullptr ? std::nullopt : qp->oldest_send();
  const bool of_flow = oldest && &flows_[oldest->wr_id >> 32] == &flow;
  return flow.done + (of_flow ? oldest->acknowledged : 0);
}

void Flows::completed(Time now, Host& host, const uroce::transport::Completion& wc) {
  const bool ok = wc.status == uroce::WcStatus::success;
  if (wc.wr_id & kReceive) {
    if (!ok) return;
    const auto channel = static_cast<uint32_t>(wc.wr_id);
    host.post_receive(*channels_[channel].qp, wc.wr_id);
    if (user_ != nullptr)
      user_->notified(now, host.index(), wc.imm_data >> kTagBits, wc.imm_data & ((1u << kTagBits) - 1));
    return;
  }
  const auto number = static_cast<uint32_t>(wc.wr_id >> 32);
  Flow& f = flows_[number];
  Channel& c = channels_[f.channel];
  --c.outstanding;
  if (!ok) {
    if (!f.failed && f.bytes != kEndless) --unfinished_;
    f.failed = true;
    return;
  }
  f.done += static_cast<uint32_t>(wc.wr_id);
  fill(now, c);
  if (f.done == f.bytes) {
    f.finished = now;
    --unfinished_;
    if (user_ != nullptr) user_->finished(now, f);
  }
}

}  // namespace vlsim
