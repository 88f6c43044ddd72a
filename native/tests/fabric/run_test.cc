// Runs: the same from the same seed, however they are driven; payload that arrives; scale.
#include <cstring>

#include "check.h"
#include "packet_log.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

namespace rdma = uroce::transport;

Scenario busy() {
  Scenario s;
  s.topology.kind = TopologyKind::leaf_spine;
  s.topology.leaves = 4;
  s.links.uplink.loss_ppb = 200'000;
  s.at.buffer.shared = 500'000;
  s.at.ecn = {true, false, 50'000, 200'000, 200'000};
  s.transport.connection.timeout = 8;
  TrafficSettings all;
  all.kind = TrafficKind::all_to_all;
  TrafficSettings storage;
  storage.kind = TrafficKind::storage;
  storage.sizes = SizeDistribution::named("hadoop");
  s.transport.connection.reads = 4;
  s.traffic = {all, storage};
  return s;
}

TEST(Run, IsTheSameFromTheSameSeed) {
  Scenario s = busy();
  Simulation first(s), second(s);
  first.run();
  for (Time t = 0; t <= s.duration; t += 7 * kUs) second.run(t);
  second.run();
  EXPECT_GT(first.fabric().packet_events(), 10'000u);
  EXPECT_EQ(first.fabric().trace(), second.fabric().trace());
  EXPECT_EQ(result_line(first), result_line(second));
  check_laws(first);
  s.seed = 2;
  Simulation other(s);
  other.run();
  EXPECT_NE(first.fabric().trace(), other.fabric().trace());
}

// Raw packets alone, so that the engine has no say in it: every compiler and machine gives this hash.
TEST(Run, IsTheSameOnEveryMachine) {
  Scenario s;
  s.topology.kind = TopologyKind::leaf_spine;
  s.topology.leaves = 4;
  s.links.uplink.loss_ppb = 1'000'000;
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 300'000;
  s.at.ecn = {true, false, 20'000, 100'000, 200'000};
  for (uint32_t i = 0; i < 16; ++i) {
    TrafficSettings t;
    t.kind = TrafficKind::raw;
    t.from = i;
    t.to = (i * 7 + 5) % 16 == i ? (i + 1) % 16 : (i * 7 + 5) % 16;
    t.rate = {60'000 + 1000 * i};
    t.poisson = i % 2 == 0;
    t.random_sizes = i % 3 == 0;
    t.ecn = true;
    t.cls = i % 5 == 0 ? 2 : 3;
    s.traffic.push_back(t);
  }
  Simulation run(s);
  run.run();
  check_laws(run);
  EXPECT_GT(totals(run).pauses, 0u);
  EXPECT_GT(totals(run).marked, 0u);
  EXPECT_GT(totals(run).drops, 0u);
  EXPECT_EQ(run.fabric().trace(), 14232789632637420118u);
}

// Seeds that follow each other share no random numbers: the losses of a run vary as much as independent ones do.
TEST(Run, SeedsInARowAreIndependent) {
  constexpr uint32_t kSeeds = 200, kHosts = 32;
  double sum = 0, squares = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scenario s;
    s.seed = seed;
    s.topology.hosts = 2 * kHosts;
    s.links.host.loss_ppb = 5'000'000;
    for (uint32_t i = 0; i < kHosts; ++i) {
      TrafficSettings t;
      t.kind = TrafficKind::raw;
      t.from = i;
      t.to = kHosts + i;
      t.rate = gbps(50);
      t.packets = 100;
      s.traffic.push_back(t);
    }
    Simulation run(s);
    run.run();
    const auto lost = static_cast<double>(run.fabric().tally(PacketKind::raw).dropped);
    sum += lost;
    squares += lost * lost;
  }
  const double mean = sum / kSeeds, variance = squares / kSeeds - mean * mean;
  EXPECT_NEAR(mean, 2 * kHosts * 100 * 0.005, 2);
  EXPECT_NEAR(variance / mean, 1, 0.35);
}

// Four hosts send to one, over links that lose packets and a switch that pauses. All rates are `factor` times as high and all
// times that much shorter; every packet takes whole nanoseconds, which are the engine's unit.
Scenario scaled(uint64_t factor, rdma::RecoveryKind recovery, bool dcqcn) {
  Scenario s;
  s.topology.hosts = 5;
  s.links.host.rate = gbps(4 * factor);
  s.links.host.delay = 8 * kUs / factor;
  s.links.host.pause_reaction = 4 * kUs / factor;
  s.links.host.lose_every = dcqcn ? 0 : 301;
  s.host.latency = 2 * kUs / factor;
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 1'000'000;
  s.transport.connection.timeout = factor == 1 ? 12 : 11;
  s.transport.policy.recovery = recovery;
  s.duration = 80 * kMs / factor;
  if (dcqcn) {
    auto p = rdma::DcqcnParameters::paper(4'000'000'000 * factor);
    p.min_rate *= factor;
    p.additive_step *= factor;
    p.hyper_step *= factor;
    p.alpha_period = p.alpha_period * 8 / factor;
    p.increase_period = p.increase_period * 8 / factor;
    p.cnp_interval = p.cnp_interval * 8 / factor;
    s.transport.policy.congestion = p;
    s.at.ecn = {true, false, 50'000, 200'000, 100'000};
  }
  TrafficSettings t;
  t.kind = TrafficKind::incast;
  t.to = 4;
  s.traffic = {t};
  return s;
}

struct ScaledRun {
  Totals totals;
  std::vector<SentPacket> packets;
};

ScaledRun run_scaled(const Scenario& s) {
  Simulation run(s);
  PacketLog log(run.fabric());
  run.run();
  check_laws(run);
  return {totals(run), std::move(log.all)};
}

// C5: twice the rates and half of all times is the same run, packet by packet, in half of the time.
TEST(Run, ScalesWithTheUnits) {
  for (const auto recovery : {rdma::RecoveryKind::go_back_n, rdma::RecoveryKind::selective_repeat}) {
    const ScaledRun slow = run_scaled(scaled(1, recovery, false)),
                    fast = run_scaled(scaled(2, recovery, false));
    EXPECT_GT(slow.totals.timeouts + slow.totals.naks, 10u);
    EXPECT_GT(slow.totals.pauses, 10u);
    ASSERT_EQ(slow.packets.size(), fast.packets.size());
    for (size_t i = 0; i < slow.packets.size(); ++i) {
      SentPacket p = fast.packets[i];
      p.at *= 2;
      ASSERT_EQ(p, slow.packets[i]) << "packet " << i;
    }
    const Totals &a = slow.totals, &b = fast.totals;
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.drops, b.drops);
    EXPECT_EQ(a.pauses, b.pauses);
    EXPECT_EQ(a.timeouts, b.timeouts);
    EXPECT_EQ(a.naks, b.naks);
    EXPECT_EQ(a.retransmitted, b.retransmitted);
    EXPECT_EQ(a.most_queue, b.most_queue);
    EXPECT_EQ(a.paused, 2 * b.paused);
    EXPECT_EQ(2 * a.goodput_mbps / 10, b.goodput_mbps / 10);
    EXPECT_EQ(a.fairness_millionths, b.fairness_millionths);
  }
}

// With DCQCN the pacer's times are whole nanoseconds and rates whole bits per second. So the packets are the same until two
// that are nearly at the same time change their places, and the result is the same but for that.
TEST(Run, ScalesWithTheUnitsUnderDcqcn) {
  const ScaledRun slow = run_scaled(scaled(1, rdma::RecoveryKind::go_back_n, true));
  const ScaledRun fast = run_scaled(scaled(2, rdma::RecoveryKind::go_back_n, true));
  EXPECT_GT(slow.totals.cnps, 50u);
  size_t same = 0;
  while (same < std::min(slow.packets.size(), fast.packets.size())) {
    SentPacket p = fast.packets[same];
    const Time at = slow.packets[same].at;
    if (std::max(2 * p.at, at) - std::min(2 * p.at, at) > 100 * kNs) break;
    p.at = at;
    if (p != slow.packets[same]) break;
    ++same;
  }
  EXPECT_GT(same, 250u);
  std::printf("%zu of %zu packets are the same\n", same, slow.packets.size());
  const auto near = [](uint64_t a, uint64_t b) {
    EXPECT_NEAR(static_cast<double>(a), static_cast<double>(b), static_cast<double>(a) * 0.01);
  };
  near(slow.packets.size(), fast.packets.size());
  near(slow.totals.bytes, fast.totals.bytes);
  near(2 * slow.totals.goodput_mbps, fast.totals.goodput_mbps);
}

TEST(Run, CarriesThePayloadWhenAsked) {
  Scenario s;
  s.payload = true;
  s.links.host.loss_ppb = 10'000'000;
  s.transport.connection.timeout = 8;
  s.traffic = {flow(0, 1, Host::kRealMemory)};
  s.until_done = true;
  s.duration = kSecond;
  Simulation run(s);
  uint8_t *from = run.fabric().hosts[0]->memory(), *to = run.fabric().hosts[1]->memory();
  SeededRandom random(1);
  for (uint32_t i = 0; i < Host::kRealMemory; ++i) from[i] = static_cast<uint8_t>(random.next());
  run.run();
  EXPECT_EQ(totals(run).finished, 1u);
  EXPECT_GT(totals(run).retransmitted, 0u);
  EXPECT_EQ(std::memcmp(from, to, Host::kRealMemory), 0);
}

// The cost of an event grows no faster than the depth of the heap.
TEST(Run, EventsOfAPacketDoNotGrowWithTheHosts) {
  const auto events_per_packet = [](uint32_t hosts) {
    Scenario s;
    s.topology.hosts = hosts;
    TrafficSettings t;
    t.kind = TrafficKind::permutation;
    s.traffic = {t};
    s.duration = 200 * kUs;
    endless_buffer(s);
    Simulation run(s);
    run.run();
    return static_cast<double>(run.fabric().events.pushed()) /
           static_cast<double>(run.fabric().tally(PacketKind::data).made);
  };
  const double small = events_per_packet(8), large = events_per_packet(64);
  EXPECT_LT(small, 5);
  EXPECT_NEAR(large / small, 1, 0.05);
}

}  // namespace
}  // namespace vlsim
