// The engine's policies among switches: go-back-0 (A17, A18), DCQCN's queue (A22), and what congestion control spares.
#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

namespace rdma = uroce::transport;

Scenario one_flow_that_loses(rdma::RecoveryKind recovery, uint64_t every, uint64_t ppb) {
  Scenario s;
  s.transport.policy.recovery = recovery;
  s.transport.message_bytes = 4 << 20;
  s.transport.connection.timeout = 8;
  s.transport.connection.depth = 2;
  s.links.host.lose_every = every;
  s.links.host.loss_ppb = ppb;
  s.traffic = {flow(0, 1)};
  s.duration = 20 * kMs;
  return s;
}

TEST(Policy, GoBackZeroNeverFinishesWhereEvery256thIsLost) {
  Simulation zero(one_flow_that_loses(rdma::RecoveryKind::go_back_0, 256, 0));
  zero.run();
  EXPECT_EQ(zero.flows().all()[0].done, 0u);
  // The link is full all the same.
  const Port& out = zero.fabric().host_port(0);
  EXPECT_GT(static_cast<double>(out.sent_bytes) * 80, 0.9 * static_cast<double>(zero.fabric().now()));
  check_laws(zero);
  Simulation n(one_flow_that_loses(rdma::RecoveryKind::go_back_n, 256, 0));
  n.run();
  EXPECT_GT(static_cast<double>(n.flows().all()[0].done) * 8e-6 / 20, 75);
  check_laws(n);
}

TEST(Policy, GoBackZeroRestartsAsTheFormulaSays) {
  Scenario s = one_flow_that_loses(rdma::RecoveryKind::go_back_0, 0, 0);
  s.duration = 400 * kMs;
  const double packets = 1024, p = 1e-3, rtt = static_cast<double>(base_rtt(s, 1)) / 334'240.0;
  s.links.host.loss_ppb = 500'000;  // each of two links
  Simulation run(s);
  run.run();
  // Packets per message: restarts are geometric, and each costs what was in flight.
  const double each = (std::pow(1 - p, -packets) - 1) * (1 / p + rtt);
  const double sent = static_cast<double>(s.duration) / 334'240.0;
  const double done = static_cast<double>(run.flows().all()[0].done) / 4096;
  EXPECT_NEAR(done / (sent / each * packets), 1, 0.15);
  check_laws(run);
}

Scenario marked_incast(uint32_t senders, const rdma::CongestionChoice& law) {
  Scenario s;
  s.topology.hosts = senders + 1;
  s.transport.policy.congestion = law;
  s.transport.connection.mtu = 1024;
  s.at.ecn = {true, false, 5'000, 200'000, 10'000};
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 2'000'000;
  TrafficSettings t;
  t.kind = TrafficKind::incast;
  t.to = senders;
  s.traffic = {t};
  s.duration = 10 * kMs;
  return s;
}

TEST(Policy, EachLawOfCongestionControlHasAnEffect) {
  const rdma::CongestionChoice kLaws[] = {rdma::NoLaw{}, rdma::DcqcnParameters::paper(100'000'000'000),
                                          rdma::DcqcnParameters::nic(100'000'000'000),
                                          rdma::DcqcnParameters::ns3(100'000'000'000),
                                          rdma::SwiftParameters{}};
  std::vector<uint64_t> traces, pauses;
  for (const auto& law : kLaws) {
    Simulation run(marked_incast(16, law));
    run.run(2 * kMs);
    const uint64_t before = totals(run).pauses;
    run.run();
    check_laws(run);
    pauses.push_back(totals(run).pauses - before);
    traces.push_back(run.fabric().trace());
    EXPECT_EQ(totals(run).drops, 0u);
  }
  EXPECT_GT(pauses[0], 100u);
  for (size_t i = 1; i < traces.size(); ++i) {
    EXPECT_LT(pauses[i], pauses[0] / 10) << "law " << i;
    for (size_t j = 0; j < i; ++j) EXPECT_NE(traces[i], traces[j]);
  }
}

TEST(Policy, DcqcnHoldsTheQueueOfItsFixedPoint) {
  Scenario s = marked_incast(2, rdma::DcqcnParameters::paper(100'000'000'000));
  s.transport.window_bytes = 1 << 20;
  s.duration = 200 * kMs;
  s.sample = 1'000'003;  // ps
  Simulation run(s);
  const ClassQueue& q = run.fabric().ports[run.fabric().host_port(2).peer]->queues[3];
  double sum = 0, samples = 0;
  run.on_sample([&](Time now) {
    if (now < 100 * kMs) return;
    sum += static_cast<double>(q.bytes);
    ++samples;
  });
  run.run();
  EXPECT_NEAR(sum / samples / 10'400, 1, 0.25);
  EXPECT_GT(goodput(run, 2, s.duration), 70);
  check_laws(run);
}

TEST(Policy, CongestionControlSparesTheVictim) {
  const auto victim = [](const rdma::CongestionChoice& law) {
    Scenario s = marked_incast(0, law);
    s.topology.kind = TopologyKind::leaf_spine;
    s.topology.leaves = 4;
    s.topology.spines = 1;
    s.topology.per_switch = 5;
    s.traffic.clear();
    for (uint32_t i = 0; i < 4; ++i) {
      s.traffic.push_back(flow(i, 10));
      s.traffic.push_back(flow(5 + i, 10));
    }
    s.traffic.push_back(flow(4, 15));
    s.transport.window_bytes = 1 << 20;
    s.transport.connection.mtu = 4096;
    Simulation run(s);
    // The first marks cut the victim as well, since its queue is paused. It takes long to return.
    run.run(100 * kMs);
    const uint64_t before = run.fabric().hosts[15]->payload_received();
    run.run(120 * kMs);
    check_laws(run);
    return static_cast<double>(run.fabric().hosts[15]->payload_received() - before) * 8e-6 / 20;
  };
  const double none = victim(rdma::NoLaw{}), dcqcn = victim(rdma::DcqcnParameters::paper(100'000'000'000));
  EXPECT_NEAR(none, 12.5, 1);
  EXPECT_GT(dcqcn, 2 * none);
}

}  // namespace
}  // namespace vlsim
