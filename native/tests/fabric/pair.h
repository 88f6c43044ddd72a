// Two hosts with payload and a link between them, driven request by request: each must complete once, and memory must hold
// what the requests that succeeded have moved, in their order.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "check.h"
#include "packet_log.h"

namespace vlsim {

struct PairSettings {
  uroce::transport::RecoveryKind recovery = uroce::transport::RecoveryKind::go_back_n;
  ConnectionSettings connection{
      .mtu = 1024, .timeout = 8, .retries = 7, .depth = 64, .receives = 64, .reads = 4};
  uint32_t queue_pairs = 1;
};

class Pair final : public Listener {
 public:
  explicit Pair(const PairSettings& settings, PacketLog::Rule loses = {})
      : scenario_(scenario_of(settings)), fabric_(1, true), log(fabric_, std::move(loses)) {
    build(fabric_, scenario_.topology, scenario_.links, scenario_.host, scenario_.at,
          engine_config(scenario_), 1);
    fabric_.set_listener(this);
    SeededRandom random(7);
    for (uint32_t end = 0; end < 2; ++end) {
      for (uint32_t i = 0; i < Host::kRealMemory; ++i)
        host(end).memory()[i] = static_cast<uint8_t>(random.next());
      expected_[end].assign(host(end).memory(), host(end).memory() + Host::kRealMemory);
    }
    for (uint32_t i = 0; i < settings.queue_pairs; ++i) {
      for (uint32_t end = 0; end < 2; ++end) qps_[end].push_back(host(end).create(settings.connection));
      for (uint32_t end = 0; end < 2; ++end) {
        EXPECT_TRUE(Host::connect(host(end), qp(end, i), host(1 - end), qp(1 - end, i), settings.connection,
                                  0xc001, 0));
      }
    }
  }

  Host& host(uint32_t end) { return *fabric_.hosts[end]; }
  uroce::transport::Qp& qp(uint32_t end, uint32_t i = 0) { return *qps_[end][i]; }
  Fabric& fabric() { return fabric_; }
  const uroce::transport::Counters& counters(uint32_t end) { return host(end).engine().counters(); }

  // Host 0 posts it on its queue pair i. A SEND is received at the start of the peer's memory.
  void post(uroce::WrOpcode opcode, uint32_t bytes, uint32_t offset = 0, uint32_t i = 0) {
    const uint64_t id = posted_.size();
    posted_.push_back({opcode, bytes, offset, i, {}});
    EXPECT_EQ(host(0).post(qp(0, i), opcode, id, bytes, 0, host(1), fabric_.now(), offset), 0);
    host(0).kick(fabric_.now());
  }
  void post_receives(uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) host(1).post_receive(qp(1), kReceive);
  }
  void run(Time until) { fabric_.run(until); }
  void fail(uint32_t i) {
    uroce::QpAttr attr;
    attr.qp_state = uroce::QpState::err;
    EXPECT_EQ(host(0).engine().modify_qp(qp(0, i), attr, 1, fabric_.now() / kNs), 0);
    host(0).kick(fabric_.now());
  }

  void completed(Time, Host& at, const uroce::transport::Completion& wc) override {
    if (wc.wr_id >= kReceive) {
      ++received;
      return;
    }
    ASSERT_EQ(at.index(), 0u);
    ASSERT_LT(wc.wr_id, posted_.size());
    Posted& p = posted_[wc.wr_id];
    EXPECT_FALSE(p.status.has_value()) << "request " << wc.wr_id << " has completed twice";
    EXPECT_EQ(wc.wr_id, next_[p.qp] == 0 ? first_of(p.qp) : next_[p.qp]) << "out of order";
    next_[p.qp] = after(wc.wr_id);
    p.status = wc.status;
    if (wc.status != uroce::WcStatus::success) return;
    // What it has moved must be there now.
    const bool read = p.opcode == uroce::WrOpcode::rdma_read;
    const uint32_t from = read ? 1 : 0, to = 1 - from;
    const uint32_t place = p.opcode == uroce::WrOpcode::send ? 0 : p.offset;
    std::memcpy(&expected_[to][place], &expected_[from][p.offset], p.bytes);
  }
  void happens(Time, const Event&) override {}

  uint32_t with_status(uroce::WcStatus status) const {
    return static_cast<uint32_t>(
        std::count_if(posted_.begin(), posted_.end(), [=](const Posted& p) { return p.status == status; }));
  }
  // All requests have completed. Memory is compared where no request has failed that may have moved a part of its bytes.
  void check() {
    std::vector<bool> unknown(Host::kRealMemory);
    for (size_t id = 0; id < posted_.size(); ++id) {
      const Posted& p = posted_[id];
      EXPECT_TRUE(p.status.has_value()) << "request " << id << " has not completed";
      if (p.status == uroce::WcStatus::success) continue;
      std::fill_n(unknown.begin() + (p.opcode == uroce::WrOpcode::send ? 0 : p.offset), p.bytes, true);
    }
    for (uint32_t end = 0; end < 2; ++end) {
      uint32_t wrong = 0;
      for (uint32_t i = 0; i < Host::kRealMemory; ++i)
        wrong += !unknown[i] && host(end).memory()[i] != expected_[end][i];
      EXPECT_EQ(wrong, 0u) << "bytes of host " << end;
    }
    expect_laws(fabric_);
  }

 private:
  struct Posted {
    uroce::WrOpcode opcode;
    uint32_t bytes, offset, qp;
    std::optional<uroce::WcStatus> status;
  };
  static constexpr uint64_t kReceive = 1ull << 63;

  static Scenario scenario_of(const PairSettings& settings) {
    Scenario s;
    s.topology.kind = TopologyKind::back_to_back;
    s.transport.connection = settings.connection;
    s.transport.policy.recovery = settings.recovery;
    return s;
  }
  uint64_t first_of(uint32_t qp) const {
    uint64_t id = 0;
    while (posted_[id].qp != qp) ++id;
    return id;
  }
  // The request behind this one on its queue pair.
  uint64_t after(uint64_t id) const {
    const uint32_t qp = posted_[id].qp;
    do ++id;
    while (id < posted_.size() && posted_[id].qp != qp);
    return id;
  }

  const Scenario scenario_;
  Fabric fabric_;
  std::vector<uroce::transport::Qp*> qps_[2];
  std::vector<Posted> posted_;
  std::map<uint32_t, uint64_t> next_;  // request that each queue pair completes next
  std::vector<uint8_t> expected_[2];

 public:
  PacketLog log;
  uint32_t received = 0;
};

}  // namespace vlsim
