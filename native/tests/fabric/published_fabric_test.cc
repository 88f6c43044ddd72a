// Shapes that papers published of switches, buffers and pauses, as ranges: P20 to P27 of the reference notes.
#include <algorithm>

#include "check.h"
#include "pair.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

namespace rdma = uroce::transport;

// Issue 14 of the HPCC simulator: without a window DCQCN's senders make PFC act during the delay of the feedback, with one not.
TEST(Published, P20AWindowKeepsDcqcnFromPfc) {
  for (const bool window : {false, true}) {
    Scenario s;
    s.topology.hosts = 17;
    s.at.ecn = {true, false, 400'000, 1'600'000, 200'000};
    s.at.buffer.lossless = 1 << 3;
    s.at.buffer.shared = 4'000'000;
    s.transport.policy.congestion = rdma::DcqcnParameters::ns3(100'000'000'000);
    s.transport.window_bytes = window ? 100'000 : 1 << 26;
    TrafficSettings t;
    t.kind = TrafficKind::incast;
    t.to = 16;
    t.bytes = 10'000'000;
    s.traffic = {t};
    s.duration = 5 * kMs;
    Simulation run(s);
    run.run();
    EXPECT_EQ(totals(run).pauses != 0, !window);
    check_laws(run);
  }
}

// Validation of htsim: a permutation of 1024 hosts, 2 MB each. On one path each the last flow takes 5 to 7 times as long as over
// 128 paths. Here 128 hosts, and 32 connections in the place of the paths: fewer flows meet in one link, so the factor is smaller.
TEST(Published, P22OnePathTakesManyTimesAsLongAsMany) {
  const auto last = [](uint32_t paths) {
    Scenario s;
    s.topology.kind = TopologyKind::fat_tree;
    s.topology.arity = 8;
    s.at.buffer.lossless = 1 << 3;
    s.transport.qps = paths;
    s.transport.window_bytes = std::max(262'144 / paths, 8192u);
    s.transport.message_bytes = 1 << 16;
    TrafficSettings t;
    t.kind = TrafficKind::permutation;
    t.count = paths;
    t.bytes = 2'000'000 / paths;
    s.traffic = {t};
    s.until_done = true;
    s.duration = 100 * kMs;
    Simulation run(s);
    run.run();
    EXPECT_EQ(totals(run).unfinished, 0u);
    check_laws(run);
    return static_cast<double>(totals(run).last_finish) / kUs;
  };
  const double one = last(1), many = last(32);
  EXPECT_GT(one / many, 2);
  EXPECT_LT(one / many, 8);
}

// Guo et al., section 6.2: a switch model with alpha 1/64 in place of 1/16 paused far more.
TEST(Published, P25ASmallAlphaPausesFarMore) {
  const auto pauses = [](uint32_t alpha) {
    Scenario s;
    s.topology.hosts = 9;
    s.at.buffer.lossless = 1 << 3;
    s.at.buffer.alpha = alpha;
    s.at.buffer.shared = 12'000'000;
    TrafficSettings t;
    t.kind = TrafficKind::storage;
    t.sizes = SizeDistribution::named("hadoop");
    t.load_permille = 600;
    t.read_permille = 0;
    s.traffic = {t};
    s.duration = 20 * kMs;
    Simulation run(s);
    run.run();
    check_laws(run);
    return totals(run).pauses;
  };
  const uint64_t small = pauses(1024 / 64), large = pauses(1024 / 16);
  EXPECT_GT(small, 10 * std::max<uint64_t>(large, 1));
}

// Guo et al., section 4.4: a NIC whose memory takes packets more slowly than the link, because it misses translations of small
// pages, pauses its switch; one that keeps up does not.
TEST(Published, P26OnlyASlowReceiverPauses) {
  for (const bool slow : {false, true}) {
    Scenario s;
    s.host.receive = gbps(slow ? 90 : 110);
    s.at.buffer.lossless = 1 << 3;
    s.transport.window_bytes = 1 << 22;
    s.traffic = {flow(0, 1)};
    s.duration = 5 * kMs;
    Simulation run(s);
    run.run();
    EXPECT_EQ(run.fabric().host_port(1).pauses_sent[3] != 0, slow);
    check_laws(run);
    EXPECT_EQ(totals(run).drops, 0u);
  }
}

// Guo et al., section 4.3: one NIC that takes nothing stops its pod; the switches' watchdogs (there 200 ms, here 1 ms) free all
// but its port.
TEST(Published, P27OnePauseStormStopsAPodAndWatchdogsFreeIt) {
  for (const bool watchdog : {false, true}) {
    Scenario s;
    s.topology.kind = TopologyKind::leaf_spine;
    s.topology.leaves = 3;
    s.topology.spines = 1;
    s.topology.per_switch = 4;
    s.at.buffer.lossless = 1 << 3;
    s.at.buffer.shared = 1'000'000;
    s.transport.window_bytes = 1 << 20;
    s.transport.connection.timeout = 8;
    // Every host of two leaves sends to the bad NIC, and to a good one of its leaf.
    for (uint32_t i = 4; i < 12; ++i) {
      s.traffic.push_back(flow(i, 0));
      s.traffic.push_back(flow(i, 1));
    }
    s.changes = {{Change::Kind::receive_rate, kMs, 0, kNone, 1}};
    if (watchdog) s.at.watchdog = {kMs, 2 * kMs, true};
    Simulation run(s);
    run.run(10 * kMs);
    const uint64_t before = run.fabric().hosts[1]->payload_received();
    run.run(20 * kMs);
    check_laws(run);
    const double after =
        static_cast<double>(run.fabric().hosts[1]->payload_received() - before) * 8e-9 / 0.01;
    if (watchdog) {
      EXPECT_GT(after, 50);
    } else {
      EXPECT_LT(after, 1);
    }
  }
}

}  // namespace
}  // namespace vlsim
