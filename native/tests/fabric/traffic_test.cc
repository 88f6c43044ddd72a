// Traffic: all-reduce (A23), all-to-all (A24), sizes of flows, and the loss of the packets that hurt most.
#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

constexpr double kPayloadRate = 100.0 * 4096 / (4096 + 82) / 8 * 1e9;  // bytes per second

Scenario on_star(uint32_t hosts, TrafficKind kind, uint64_t bytes) {
  Scenario s;
  s.topology.hosts = hosts;
  TrafficSettings t;
  t.kind = kind;
  t.bytes = bytes;
  s.traffic = {t};
  s.until_done = true;
  s.duration = kSecond;
  s.transport.window_bytes = 1 << 20;
  s.transport.connection.receives = 8;
  endless_buffer(s);
  return s;
}

double seconds(const Simulation& run) {
  return static_cast<double>(run.traffic().sources()[0]->done().value_or(0)) / 1e12;
}

TEST(Traffic, RingAllReduceTakesItsClosedForm) {
  constexpr uint32_t kHosts = 8;
  constexpr uint64_t kBytes = 256'000'000;
  const Scenario s = on_star(kHosts, TrafficKind::ring_all_reduce, kBytes);
  Simulation run(s);
  run.run();
  // Each step ends when its last packet is there: half a round trip, with the serialization of one hop more.
  const double step = static_cast<double>(base_rtt(s, 1)) / 2e12;
  const double expected = 2.0 * (kHosts - 1) * (kBytes / (kHosts * kPayloadRate) + step);
  EXPECT_NEAR(seconds(run) / expected, 1, 0.02);
  check_laws(run);
}

TEST(Traffic, TreeAllReduceTakesItsClosedForm) {
  constexpr uint64_t kBytes = 16 << 20;
  const Scenario s = on_star(7, TrafficKind::tree_all_reduce, kBytes);
  Simulation run(s);
  run.run();
  // Up two levels, where two children share the link of their parent, and down two, where it sends to both.
  EXPECT_NEAR(seconds(run) / (4 * 2 * kBytes / kPayloadRate), 1, 0.02);
  check_laws(run);
}

TEST(Traffic, AllToAllTakesItsClosedForm) {
  constexpr uint32_t kHosts = 16;
  const Scenario s = on_star(kHosts, TrafficKind::all_to_all, 1 << 20);
  Simulation run(s);
  run.run();
  EXPECT_NEAR(seconds(run) / ((kHosts - 1) * double{1 << 20} / kPayloadRate), 1, 0.05);
  check_laws(run);
}

TEST(Traffic, PermutationFillsEveryLink) {
  Scenario s = on_star(16, TrafficKind::permutation, 10 << 20);
  Simulation run(s);
  run.run();
  EXPECT_NEAR(seconds(run) / ((10 << 20) / kPayloadRate), 1, 0.02);
  check_laws(run);
}

TEST(Traffic, SizesHaveThePublishedMeans) {
  const std::pair<const char*, uint64_t> kMeans[] = {
      {"web_search", 1'711'250}, {"hadoop", 120'421}, {"ali_storage", 40'870}};
  SeededRandom random(1);
  for (const auto& [name, mean] : kMeans) {
    const auto sizes = SizeDistribution::named(name);
    ASSERT_TRUE(sizes.has_value());
    EXPECT_NEAR(static_cast<double>(sizes->mean()) / static_cast<double>(mean), 1, 0.001) << name;
    double sum = 0;
    for (int i = 0; i < 1'000'000; ++i) sum += static_cast<double>(sizes->draw(random));
    EXPECT_NEAR(sum / 1e6 / static_cast<double>(mean), 1, 0.02) << name;
  }
}

TEST(Traffic, StorageReadsAndWritesAtItsLoad) {
  Scenario s = on_star(8, TrafficKind::storage, kEndless);
  s.traffic[0].sizes = SizeDistribution::named("ali_storage");
  s.transport.connection.reads = 16;
  s.until_done = false;
  s.duration = 20 * kMs;
  Simulation run(s);
  run.run();
  uint64_t bytes = 0, reads = 0;
  for (const Flow& flow : run.flows().all()) {
    bytes += flow.bytes;
    reads += flow.read;
  }
  const auto flows = static_cast<double>(run.flows().all().size());
  EXPECT_NEAR(flows / (8 * 91'755 * 0.02), 1, 0.05);
  EXPECT_NEAR(static_cast<double>(bytes) / (8 * 0.3 * 12.5e9 * 0.02), 1, 0.1);
  EXPECT_NEAR(static_cast<double>(reads) / flows, 0.5, 0.03);
  const Totals t = totals(run);
  EXPECT_GT(t.finished, run.flows().all().size() * 99 / 100);
  EXPECT_LT(t.fct_p50, t.fct_p99);
  check_laws(run);
}

// The last packet of a flow, its only ACK, every second packet: the real engine gets over all of them.
TEST(Traffic, LossesOfEveryKindAreRecovered) {
  const auto finish = [](auto&& change) {
    Scenario s;
    s.traffic = {flow(0, 1, 100'000)};
    s.transport.connection.timeout = 8;
    s.until_done = true;
    s.duration = kSecond;
    change(s.links.host);
    Simulation run(s);
    run.run();
    check_laws(run);
    const Totals t = totals(run);
    EXPECT_EQ(t.finished, 1u);
    EXPECT_GT(t.drops, 0u);
    return t;
  };
  EXPECT_GT(finish([](LinkSettings& l) { l.lose_every = 25; }).timeouts, 0u);  // the last of 25 packets
  EXPECT_GT(finish([](LinkSettings& l) { l.lose_every = 7; }).naks, 0u);
  EXPECT_GT(finish([](LinkSettings& l) { l.loss_ppb = 100'000'000; }).retransmitted, 0u);
  finish([](LinkSettings& l) { l.lose_acks_ppb = 700'000'000; });
}

// Goodput of go-back-N (A16). A repeated packet that is lost again costs an ACK timeout, since a gap is reported once.
TEST(Traffic, GoBackNLosesWhatTheFormulaSays) {
  struct Cell {
    uint64_t rate;  // Gb/s
    uint32_t mtu, ppm;
    uint8_t timeout;
    Time duration;
  };
  for (const auto& [rate, mtu, ppm, timeout, duration] :
       {Cell{100, 4096, 100, 8, 100 * kMs}, Cell{100, 4096, 1000, 8, 200 * kMs},
        Cell{100, 4096, 4000, 8, 400 * kMs}, Cell{100, 4096, 4000, 10, 600 * kMs},
        Cell{100, 4096, 10'000, 8, 400 * kMs}, Cell{100, 4096, 10'000, 10, 1000 * kMs},
        Cell{100, 4096, 10'000, 14, 16 * kSecond}, Cell{100, 1024, 1000, 8, 100 * kMs},
        Cell{10, 1024, 10'000, 8, 2 * kSecond}, Cell{400, 4096, 1000, 8, 60 * kMs}}) {
    Scenario s;
    s.topology.kind = TopologyKind::back_to_back;
    s.links.host.rate = gbps(rate);
    s.links.host.delay = 5'500 * kNs;
    s.host.latency = 250 * kNs;
    s.transport.window_bytes = 1 << 20;
    s.transport.connection.mtu = mtu;
    s.transport.connection.timeout = timeout;
    // Timeouts in a row are as long as the first.
    s.transport.timeout_stretch = 0;
    s.links.host.loss_ppb = ppm * 1000;
    s.traffic = {flow(0, 1)};
    s.duration = duration;
    Simulation run(s);
    run.run();
    const auto slot = static_cast<double>(s.links.host.rate.of(mtu + 82));
    const double p = ppm / 1e6, w = static_cast<double>(base_rtt(s, 0)) / slot,
                 r = 4.096e6 * (1 << timeout) / slot;
    const double got =
        static_cast<double>(run.flows().all()[0].done) / mtu * slot / static_cast<double>(duration);
    const double delivered = static_cast<double>(run.flows().all()[0].done) / mtu;
    // Timeouts of each packet that arrives. Where they take nearly all of the time, their number alone, which is random, decides: it
    // must be that of the formula, and the goodput that of their number.
    double timeouts = p * p / (1 - p);
    if (timeout == 14) {
      const auto counted = static_cast<double>(totals(run).timeouts);
      EXPECT_NEAR(counted, timeouts * delivered, 4 * std::sqrt(counted));
      timeouts = counted / delivered;
    }
    EXPECT_NEAR(got * (1 + p * w / (1 - p) + timeouts * r), 1, 0.05)
        << rate << " Gb/s, MTU " << mtu << ", loss " << p << ", timeout " << int{timeout};
    check_laws(run);
  }
}

}  // namespace
}  // namespace vlsim
