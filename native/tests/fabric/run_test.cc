// Runs: the same from the same seed, however they are driven; payload that arrives; scale.
#include <cstring>

#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

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

// Twice the rates and half of every delay: the same run in half of the time.
TEST(Run, ScalesWithTheUnits) {
  Scenario s;
  s.topology.hosts = 5;
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 1'000'000;
  s.transport.connection.timeout = 20;
  TrafficSettings t;
  t.kind = TrafficKind::incast;
  t.to = 4;
  s.traffic = {t};
  Simulation slow(s);
  slow.run(2 * kMs);
  s.links.host.rate = gbps(200);
  s.links.host.delay /= 2;
  s.links.host.pause_reaction /= 2;
  s.host.latency /= 2;
  Simulation fast(s);
  fast.run(kMs);
  EXPECT_EQ(slow.fabric().tally(PacketKind::data).delivered, fast.fabric().tally(PacketKind::data).delivered);
  EXPECT_EQ(totals(slow).pauses, totals(fast).pauses);
  EXPECT_EQ(totals(slow).most_queue, totals(fast).most_queue);
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
