// Equal-cost paths: utilization (A14), polarization (A15), spraying; and the topologies.
#include <set>

#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

TEST(Paths, HashedFlowsUseTheShareOfTheUplinks) {
  constexpr uint32_t kUplinks = 8, kSeeds = 1000;
  uint32_t used = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Fabric f(seed, false);
    Topology t;
    t.kind = TopologyKind::leaf_spine;
    t.spines = t.per_switch = kUplinks;
    build(f, t, {}, {}, {}, {}, seed);
    for (uint32_t i = 0; i < kUplinks; ++i) f.send_raw(0, i, kUplinks + i, 1000, i, 3);
    f.run(kMs);
    for (const uint32_t port : f.switches[0]->ports) {
      if (!f.ports[f.ports[port]->peer]->host) used += f.ports[port]->sent_packets != 0;
    }
    ASSERT_EQ(f.tally(PacketKind::raw).delivered, kUplinks);
  }
  const double expected = 1 - std::pow(1 - 1.0 / kUplinks, kUplinks);
  EXPECT_NEAR(used / double{kUplinks * kSeeds}, expected, 0.01);
}

// Core switches that many flows between two pods use.
size_t cores_used(bool same_seed) {
  Fabric f(1, false);
  Topology t;
  t.kind = TopologyKind::fat_tree;
  t.arity = 8;
  t.same_seed = same_seed;
  build(f, t, {}, {}, {}, {}, 7);
  for (uint32_t i = 0; i < 1000; ++i) f.send_raw(0, 0, 100, 100, i, 3);
  f.run(kMs);
  EXPECT_EQ(f.tally(PacketKind::raw).delivered, 1000u);
  std::set<uint32_t> cores;
  for (const auto& port : f.ports) {
    if (!port->host && port->owner >= 64 && port->sent_packets != 0) cores.insert(port->owner);
  }
  return cores.size();
}

TEST(Paths, EqualSeedsPolarize) {
  EXPECT_EQ(cores_used(true), 4u);
  EXPECT_EQ(cores_used(false), 16u);
}

TEST(Paths, SprayUsesAllAndReorders) {
  Scenario s;
  s.topology.kind = TopologyKind::leaf_spine;
  s.topology.spines = 4;
  s.at.spread = Spread::spray;
  s.transport.connection.timeout = 8;
  s.traffic = {flow(0, 4, 1 << 20), flow(1, 5, 1 << 20), flow(2, 6, 1 << 20)};
  s.until_done = true;
  s.duration = 100 * kMs;
  Simulation run(s);
  run.run();
  EXPECT_EQ(totals(run).finished, 3u);
  EXPECT_GT(totals(run).naks, 0u);  // go-back-N takes reordering for loss
  check_laws(run);
}

TEST(Paths, EveryTopologyConnectsAllHosts) {
  struct Case {
    TopologyKind kind;
    uint32_t hosts, switches;
  };
  for (const auto& [kind, hosts, switches] :
       {Case{TopologyKind::back_to_back, 2, 0}, Case{TopologyKind::star, 5, 1},
        Case{TopologyKind::leaf_spine, 12, 5}, Case{TopologyKind::fat_tree, 16, 20},
        Case{TopologyKind::rail, 20, 6}, Case{TopologyKind::ring, 16, 4}}) {
    Scenario s;
    s.topology.kind = kind;
    s.topology.hosts = 5;
    s.topology.leaves = 3;
    s.topology.rails = 4;
    s.topology.switches = 4;
    TrafficSettings t;
    t.kind = TrafficKind::all_to_all;
    t.bytes = 10'000;
    s.traffic = {t};
    s.until_done = true;
    endless_buffer(s);
    Simulation run(s);
    run.run();
    EXPECT_EQ(run.fabric().hosts.size(), hosts);
    EXPECT_EQ(run.fabric().switches.size(), switches);
    EXPECT_EQ(totals(run).finished, uint64_t{hosts} * (hosts - 1));
    check_laws(run);
  }
}

TEST(Paths, LoopEndsAtTheHopLimit) {
  Fabric f(1, false);
  Topology t;
  t.kind = TopologyKind::ring;
  t.per_switch = 1;
  t.clockwise = t.loop = true;
  build(f, t, {}, {}, {}, {}, 1);
  f.send_raw(0, 1, 0, 1000, 1, 3);
  f.run(kMs);
  EXPECT_EQ(f.tally(PacketKind::raw).dropped, 1u);
  EXPECT_EQ(f.tally(PacketKind::raw).delivered, 0u);
}

// Lossless flows over two of three hops of a ring wait for each other, and stay so when the senders have stopped.
TEST(Paths, RingDeadlocks) {
  for (const uint64_t rate : {45u, 100u}) {
    Scenario s;
    s.topology.kind = TopologyKind::ring;
    s.topology.per_switch = 1;
    s.topology.clockwise = true;
    s.at.buffer.lossless = 1 << 3;
    s.at.buffer.static_xoff = 100'000;
    s.at.buffer.shared = 10'000'000;
    for (uint32_t i = 0; i < 3; ++i) {
      TrafficSettings t;
      t.kind = TrafficKind::raw;
      t.from = i;
      t.to = (i + 2) % 3;
      t.rate = gbps(rate);
      t.packets = 20'000;
      s.traffic.push_back(t);
    }
    Simulation run(s);
    run.run(100 * kMs);
    const uint64_t at_100 = run.fabric().tally(PacketKind::raw).delivered;
    run.run(200 * kMs);
    const Fabric::Tally& tally = run.fabric().tally(PacketKind::raw);
    EXPECT_EQ(tally.dropped, 0u);
    if (rate < 50) {
      EXPECT_EQ(tally.delivered, 60'000u);
    } else {
      EXPECT_LT(tally.delivered, 60'000u);
      EXPECT_EQ(tally.delivered, at_100);
    }
    check_laws(run);
  }
}

}  // namespace
}  // namespace vlsim
