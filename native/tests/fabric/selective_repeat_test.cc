// Selective repeat among switches: goodput 1 - p (A19), what it needs for that, and packets that overtake each other.
#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

namespace rdma = uroce::transport;

// 100 Gb/s, MTU 4096, a round trip of 12 us: 36 packets.
Scenario one_flow(rdma::RecoveryKind recovery, double loss, double windows) {
  Scenario s;
  s.transport.policy.recovery = recovery;
  s.transport.connection.timeout = 8;
  s.transport.acks_per_window = 1 << 10;
  s.links.host.delay = 2240 * kNs;
  s.links.host.loss_ppb = static_cast<uint64_t>(loss / 2 * 1e9);  // each of two links
  const double bdp = static_cast<double>(base_rtt(s, 1)) / 334'240.0;
  s.transport.window_bytes = static_cast<uint32_t>(std::ceil(windows * bdp)) * 4096;
  s.traffic = {flow(0, 1)};
  s.duration = 40 * kMs;
  return s;
}

struct Result {
  double goodput;     // part of what the link carries
  double efficiency;  // packets of data that were needed, of those sent
  uint64_t timeouts;
};

Result measure(const Scenario& s) {
  Simulation run(s);
  run.run();
  check_laws(run);
  const auto& sender = run.fabric().hosts[0]->engine().counters();
  const double packets = static_cast<double>(run.flows().all()[0].done) / 4096;
  return {packets * 334'240.0 / static_cast<double>(s.duration),
          1 - static_cast<double>(sender.retransmitted_pkts) / static_cast<double>(sender.sent_pkts),
          sender.local_ack_timeout_err};
}

TEST(SelectiveRepeat, LosesWhatTheLinkLoses) {
  for (const double p : {0.001, 0.004, 0.01}) {
    const Result r = measure(one_flow(rdma::RecoveryKind::selective_repeat, p, 2.5));
    EXPECT_NEAR(r.goodput / (1 - p), 1, 0.01) << p;
    EXPECT_NEAR(r.efficiency / (1 - p), 1, 0.001) << p;
    EXPECT_EQ(r.timeouts, 0u) << p;
    const Result n = measure(one_flow(rdma::RecoveryKind::go_back_n, p, 2.5));
    EXPECT_LT(n.goodput, r.goodput) << p;
  }
}

// The window counts from the first packet that has not arrived, so each loss stops a window of one round trip.
TEST(SelectiveRepeat, NeedsAWindowOfTwoRoundTrips) {
  const auto goodput = [](double windows) {
    return measure(one_flow(rdma::RecoveryKind::selective_repeat, 0.004, windows)).goodput;
  };
  EXPECT_LT(goodput(1), 0.9) << "a retransmission that is lost again costs a timeout";
  EXPECT_NEAR(goodput(1.5), 0.941, 0.02);
  EXPECT_NEAR(goodput(2), 0.995, 0.01);
}

TEST(SelectiveRepeat, TheLastPacketLostCostsATimeoutAndOnePacket) {
  Scenario s = one_flow(rdma::RecoveryKind::selective_repeat, 0, 2.5);
  s.topology.kind = TopologyKind::back_to_back;
  s.links.host.lose_every = 64;
  s.traffic = {flow(0, 1, 64 * 4096)};
  s.until_done = true;
  Simulation run(s);
  run.run();
  check_laws(run);
  EXPECT_EQ(totals(run).finished, 1u);
  EXPECT_EQ(totals(run).timeouts, 1u);
  EXPECT_EQ(totals(run).retransmitted, 1u);
}

// A link that loses everything for longer than a timeout, in the middle of a flow.
TEST(SelectiveRepeat, GoesOnBehindAnOutage) {
  Scenario s = one_flow(rdma::RecoveryKind::selective_repeat, 0, 2.5);
  s.traffic = {flow(0, 1, 16 << 20)};
  s.until_done = true;
  for (const bool up : {false, true}) {
    Change change{};
    change.kind = Change::Kind::link_up;
    change.at = up ? 3500 * kUs : 500 * kUs;
    change.host = 1;
    change.value = up;
    s.changes.push_back(change);
  }
  Simulation run(s);
  run.run();
  check_laws(run);
  EXPECT_EQ(totals(run).finished, 1u);
  EXPECT_GE(totals(run).timeouts, 1u);
  EXPECT_LT(totals(run).retransmitted, 512u) << "two windows, and a few of a window that grows again";
}

// Three of four hosts on each side of four equal paths.
Scenario sprayed(rdma::RecoveryKind recovery) {
  Scenario s;
  s.topology.kind = TopologyKind::leaf_spine;
  s.topology.leaves = 2;
  s.topology.spines = 4;
  s.topology.per_switch = 4;
  s.at.spread = Spread::spray;
  s.transport.policy.recovery = recovery;
  s.transport.connection.mtu = 1024;
  s.traffic.clear();
  for (uint32_t i = 0; i < 3; ++i) s.traffic.push_back(flow(i, 4 + i));
  endless_buffer(s);
  s.duration = 5 * kMs;
  return s;
}

TEST(SelectiveRepeat, ToleratesPacketsThatOvertakeEachOther) {
  const auto run = [](rdma::RecoveryKind recovery) {
    Simulation run(sprayed(recovery));
    run.run();
    check_laws(run);
    const auto& sender = run.fabric().hosts[0]->engine().counters();
    return std::pair(static_cast<double>(run.flows().all()[0].done) * 8000.0 / (5 * kMs),
                     static_cast<double>(sender.retransmitted_pkts) / static_cast<double>(sender.sent_pkts));
  };
  const auto [goodput, again] = run(rdma::RecoveryKind::selective_repeat);
  EXPECT_GT(goodput, 92);
  EXPECT_LT(again, 0.001);
  const auto [back, resent] = run(rdma::RecoveryKind::go_back_n);
  EXPECT_LT(back, goodput / 10) << "go-back-N takes each of them for a loss";
  EXPECT_GT(resent, 0.5);
}

// READs and WRITEs of random hosts over links that lose packets, switches that drop some and paths that overtake.
TEST(SelectiveRepeat, FinishesWhateverHappens) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Scenario s = sprayed(rdma::RecoveryKind::selective_repeat);
    s.seed = seed;
    s.payload = seed % 2 == 0;
    s.links.host.loss_ppb = 5'000'000;
    s.links.uplink.loss_ppb = 5'000'000;
    s.at.buffer.lossy_alpha = 1024;
    s.at.buffer.shared = 200'000;
    s.transport.connection.timeout = 6;
    s.transport.connection.retries = 7;
    s.transport.connection.reads = 4;
    s.transport.reorder_packets = 16u << seed;
    s.transport.message_bytes = 20'000;
    s.traffic.clear();
    TrafficSettings all;
    all.kind = TrafficKind::all_to_all;
    all.bytes = 200'000;
    s.traffic.push_back(all);
    all.read = true;
    s.traffic.push_back(all);
    s.until_done = true;
    s.duration = 1000 * kMs;
    Simulation run(s);
    run.run();
    check_laws(run);
    EXPECT_EQ(totals(run).finished, 2u * 8 * 7) << seed;
    EXPECT_EQ(totals(run).failed, 0u) << seed;
    EXPECT_GT(totals(run).drops, 100u) << seed;
  }
}

}  // namespace
}  // namespace vlsim
