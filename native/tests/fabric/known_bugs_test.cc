// Bugs that were found in other simulators (issues of their repositories): each is a test here. Four have theirs beside what
// they are about: headroom that ignores frames under way (HPCC #15) and PAUSE without an end in pause_test.cc, one hash seed
// in all tiers (ns3-rdma #19) in paths_test.cc, modes that change nothing (SimAI #145) in policy_test.cc.
#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

namespace rdma = uroce::transport;

constexpr uint64_t kLine = 100'000'000'000;

Scenario between_two(uint64_t bytes) {
  Scenario s;
  s.topology.kind = TopologyKind::back_to_back;
  s.traffic = {flow(0, 1, bytes)};
  s.until_done = true;
  s.duration = 100 * kMs;
  s.transport.connection.timeout = 4;  // 65 us
  return s;
}

// HPCC, switch-node: RESUME was decided only when the port that had been paused sent something itself. Here the ports of the
// senders send nothing but ACKs of another class, while host 2 empties its queue.
TEST(KnownBugs, ResumeWaitsForNoPacketOfThePausedPort) {
  Scenario s;
  s.topology.hosts = 3;
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 500'000;
  for (uint32_t i = 0; i < 2; ++i) {
    TrafficSettings t = flow(i, 2);
    t.kind = TrafficKind::raw;
    t.rate = gbps(100);
    t.packets = 400;
    s.traffic.push_back(t);
  }
  Simulation run(s);
  run.run(5 * kMs);
  EXPECT_GT(totals(run).pauses, 0u);
  for (const auto& port : run.fabric().ports) EXPECT_EQ(port->pausing, 0u);
  EXPECT_EQ(run.fabric().tally(PacketKind::raw).delivered, 800u);
  check_laws(run);
}

// SimAI #286: the class of a RESUME was used as the number of a queue pair.
TEST(KnownBugs, ResumeOfEveryClassReachesItsQueue) {
  for (uint8_t cls = 0; cls < kClasses; ++cls) {
    Scenario s;
    s.topology.hosts = 4;
    s.at.buffer.lossless = 1u << cls;
    s.at.buffer.shared = 300'000;
    s.host.data_class = cls;
    s.host.ack_class = s.host.cnp_class = cls == 6 ? 5 : 6;
    s.traffic = {flow(0, 3, 1 << 20), flow(1, 3, 1 << 20), flow(2, 3, 1 << 20)};
    s.until_done = true;
    s.duration = 10 * kMs;
    Simulation run(s);
    run.run();
    EXPECT_EQ(totals(run).finished, 3u) << "class " << +cls;
    EXPECT_GT(totals(run).pauses, 0u) << "class " << +cls;
    EXPECT_EQ(totals(run).drops, 0u) << "class " << +cls;
    check_laws(run);
  }
}

// ns3-rdma #8: a responder that did not acknowledge duplicates left its requester to send them for ever.
TEST(KnownBugs, DuplicatesAreAcknowledgedAgain) {
  Scenario s = between_two(1 << 22);
  s.links.host.lose_acks_ppb = 500'000'000;
  s.transport.connection.retries = 7;
  Simulation run(s);
  run.run();
  EXPECT_EQ(totals(run).finished, 1u);
  EXPECT_GT(run.fabric().hosts[1]->engine().counters().duplicate_request, 0u);
  check_laws(run);
}

// HPCC #28, astra-network-ns3 #12: without an ACK timeout the loss of a last packet, or of the only ACK, is the end.
TEST(KnownBugs, LostLastPacketAndLostLastAckAreSentAgain) {
  Scenario data = between_two(100 * 4096);
  data.links.host.lose_every = 100;
  Simulation last_packet(data);
  last_packet.run();
  EXPECT_EQ(totals(last_packet).finished, 1u);
  EXPECT_EQ(totals(last_packet).timeouts, 1u);
  EXPECT_EQ(totals(last_packet).naks, 0u);
  check_laws(last_packet);
  Scenario ack = between_two(4096);
  ack.links.host.lose_acks_ppb = 1'000'000'000;
  Simulation last_ack(ack);
  last_ack.run(40 * kUs);
  last_ack.fabric().host_port(1).link.lose_acks_ppb = 0;
  last_ack.run();
  EXPECT_EQ(totals(last_ack).finished, 1u);
  EXPECT_EQ(totals(last_ack).timeouts, 1u);
  EXPECT_EQ(last_ack.fabric().hosts[1]->engine().counters().duplicate_request, 1u);
  check_laws(last_ack);
}

// HPCC, ns-3-alibabacloud #12: a CNP for each marked packet, instead of one per interval and connection.
TEST(KnownBugs, CnpsKeepTheirInterval) {
  Scenario s;
  s.topology.hosts = 3;
  s.at.ecn = {true, false, 0, 0, 0};  // every packet is marked
  s.traffic = {flow(0, 2), flow(1, 2)};
  s.duration = 2 * kMs;
  Simulation run(s);
  run.run();
  const Totals t = totals(run);
  EXPECT_GT(t.marked, 5000u);
  const uint64_t most = 2 * (s.duration / (s.transport.cnp_interval_ns * kNs) + 1);
  EXPECT_LE(t.cnps, most);
  EXPECT_GE(t.cnps, most - 4);
  check_laws(run);
}

// ns3-rdma #46: the difference of two round-trip times had no sign, so the rate fell whenever the path became faster.
TEST(KnownBugs, TimelyRisesWhenTheRoundTripTimeFalls) {
  rdma::TimelyParameters parameters;
  parameters.line_rate = kLine;
  rdma::Timely timely(parameters);
  timely.reset(4096);
  uint64_t now = 0;
  for (const uint64_t rtt : {100'000, 300'000, 480'000}) timely.acked({now += rtt, 4, rtt});
  uint64_t before = timely.state(now).rate;
  ASSERT_LT(before, kLine);
  ASSERT_NE(before, 0u);
  // The average of the differences turns first.
  for (const uint64_t rtt : {400'000, 300'000}) timely.acked({now += rtt, 4, rtt});
  before = timely.state(now).rate;
  for (const uint64_t rtt : {200'000, 120'000, 80'000, 60'000, 55'000}) {
    timely.acked({now += rtt, 4, rtt});
    EXPECT_GT(timely.state(now).rate, before) << rtt;
    before = timely.state(now).rate;
  }
}

// astra-network-ns3 PR 11: the round-trip time of a packet that was sent twice was taken from the wrong time. Here nothing ever
// queues in the network. So no sample is below that of the empty path, which the answer to an earlier time would be, and none
// has a timeout in it: where an ACK is lost, the next one comes at most 32 packets later.
TEST(KnownBugs, RoundTripTimesAreNotThoseOfAnotherPacket) {
  for (const auto recovery :
       {rdma::RecoveryKind::go_back_n, rdma::RecoveryKind::go_back_0, rdma::RecoveryKind::selective_repeat}) {
    for (const rdma::CongestionChoice& law : {rdma::CongestionChoice{rdma::SwiftParameters{}},
                                              rdma::CongestionChoice{rdma::TimelyParameters::paper(kLine)}}) {
      Scenario s;
      s.transport.policy = {recovery, law};
      s.transport.connection.timeout = 4;
      s.transport.message_bytes = 1 << 18;
      s.links.host.loss_ppb = 5'000'000;
      s.links.host.lose_acks_ppb = 50'000'000;
      s.traffic = {flow(0, 1)};
      s.duration = 10 * kMs;
      s.sample = kUs;
      Simulation run(s);
      uint64_t least = UINT64_MAX, most = 0;
      run.on_sample([&](Time now) {
        const uint64_t rtt = run.flows().connection(run.flows().all()[0])->congestion(now / kNs).rtt;
        if (rtt == 0) return;
        least = std::min(least, rtt);
        most = std::max(most, rtt);
      });
      run.run();
      const uint64_t base = base_rtt(s, 1) / kNs;
      EXPECT_GT(totals(run).retransmitted, 20u);
      EXPECT_GE(least, base) << law.index() << ", " << static_cast<int>(recovery);
      EXPECT_LE(most, base + 32 * 334) << law.index() << ", " << static_cast<int>(recovery);
      check_laws(run);
    }
  }
}

// HPCC #65: with coalesced ACKs a flow waited for an ACK that was never asked for.
TEST(KnownBugs, WindowsBelowTheDistanceOfAcksDoNotStall) {
  for (const uint32_t window : {256u, 4096u, 8192u, 20'000u, 65'536u}) {
    for (const uint32_t acks : {1u, 2u, 64u}) {
      Scenario s = between_two(1 << 20);
      s.transport.window_bytes = window;
      s.transport.acks_per_window = acks;
      Simulation run(s);
      run.run();
      EXPECT_EQ(totals(run).finished, 1u) << window << " B, " << acks;
      EXPECT_EQ(totals(run).timeouts, 0u) << window << " B, " << acks;
      check_laws(run);
    }
  }
}

// uet-htsim: alpha was one variable for all flows.
TEST(KnownBugs, FlowsHaveTheirOwnState) {
  Scenario s;
  s.topology.hosts = 5;
  s.at.ecn = {true, false, 5'000, 200'000, 10'000};
  s.transport.policy.congestion = rdma::DcqcnParameters::paper(kLine);
  s.traffic = {flow(0, 2), flow(1, 2), flow(3, 4)};
  s.duration = 2 * kMs;
  Simulation run(s);
  run.run();
  const auto rate = [&](uint32_t i) {
    return run.flows().connection(run.flows().all()[i])->congestion(s.duration / kNs).rate;
  };
  EXPECT_LT(rate(0), kLine);
  EXPECT_GT(rate(0), 0u);
  EXPECT_EQ(rate(2), 0u);  // at the line rate, never cut
  EXPECT_NEAR(goodput(run, 4, s.duration), 98, 1);
  check_laws(run);
}

// ns-3-alibabacloud #13: paths of more than five hops crashed.
TEST(KnownBugs, LongPathsDeliver) {
  Scenario s = between_two(1 << 20);
  s.topology.kind = TopologyKind::ring;
  s.topology.switches = 24;
  s.topology.per_switch = 1;
  s.topology.clockwise = true;
  s.traffic = {flow(1, 0, 1 << 20)};
  s.transport.connection.timeout = 8;
  Simulation run(s);
  run.run();
  check_laws(run);
  EXPECT_EQ(run.fabric().hops(1, 0), 24u);
  EXPECT_EQ(totals(run).finished, 1u);
  EXPECT_EQ(totals(run).drops, 0u);
}

// ns3-rdma #18, HPCC #14: an index of a flow had 7 bits.
TEST(KnownBugs, ThousandsOfFlowsFinish) {
  Scenario s = between_two(4096);
  s.topology.kind = TopologyKind::star;
  s.topology.hosts = 40;
  s.traffic[0].kind = TrafficKind::all_to_all;
  s.traffic[0].count = 2;
  s.transport.qps = 2;
  s.transport.connection.timeout = 10;
  endless_buffer(s);
  Simulation run(s);
  run.run();
  EXPECT_EQ(totals(run).finished, 40u * 39 * 2);
  EXPECT_EQ(run.flows().connections(), 40u * 39);
  check_laws(run);
}

// HPCC #25: a PAUSE that came while a packet was leaving aborted the run.
TEST(KnownBugs, PauseWhileAPacketLeavesLetsItLeave) {
  Scenario s = between_two(1 << 20);
  s.until_done = false;
  Simulation run(s);
  Fabric& f = run.fabric();
  for (uint32_t i = 1; i <= 50; ++i) {
    // At many places within a packet of 334 ns.
    run.run(i * 7 * kUs + i * 13 * kNs);
    f.send_pause(f.host_port(1), 3, i % 2 == 1, f.now());
  }
  run.run(5 * kMs);
  EXPECT_EQ(totals(run).finished, 1u);
  EXPECT_EQ(totals(run).drops, 0u);
  EXPECT_EQ(totals(run).retransmitted, 0u);
  check_laws(run);
}

}  // namespace
}  // namespace vlsim
