// Priority flow control: no loss (A8), shares (A9), a victim (A10), a slow receiver (A11), the longest pause (A25), the
// watchdog.
#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

Scenario lossless(uint32_t hosts) {
  Scenario s;
  s.topology.hosts = hosts;
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 2'000'000;
  s.transport.window_bytes = 1 << 20;
  return s;
}

TEST(Pause, HeadroomIsEnoughFromTheFormulaOn) {
  for (const uint64_t meters : {5u, 100u, 300u}) {
    uint64_t most = 0;
    Scenario s = lossless(9);
    s.links.host.delay = meters * 5 * kNs;
    s.links.host.pause_reaction = 2 * kUs;
    s.host.latency = 0;
    s.at.buffer.static_xoff = 60'000;
    s.duration = kMs;
    // C (2 L tau + reaction) + two frames + the PAUSE
    const uint64_t formula = (2 * s.links.host.delay + s.links.host.pause_reaction) / 80 + 2 * 4194 + 84;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      s.seed = seed;
      s.traffic.assign(1, {});
      s.traffic[0].kind = TrafficKind::incast;
      s.traffic[0].to = 8;
      s.traffic[0].jitter = 3 * kUs;
      s.at.buffer.headroom = formula;
      Simulation run(s);
      run.run();
      EXPECT_EQ(totals(run).drops, 0u) << meters << " m, seed " << seed;
      EXPECT_GT(totals(run).pauses, 0u);
      for (uint32_t i = 0; i < 9; ++i)
        most = std::max(most, run.fabric().switches[0]->buffer.group(i, 3).most_headroom);
      check_laws(run);
    }
    EXPECT_LE(most, formula);
    EXPECT_GT(most + 2 * 4194, formula) << meters << " m";
    s.at.buffer.headroom = most - 4194;
    uint64_t drops = 0;
    for (s.seed = 1; s.seed <= 8; ++s.seed) {
      Simulation run(s);
      run.run();
      drops += run.fabric().tally(PacketKind::data).dropped;
      check_laws(run);
    }
    EXPECT_GT(drops, 0u) << meters << " m";
  }
}

TEST(Pause, SharesByPortAndNotByFlow) {
  Scenario s = lossless(3);
  s.transport.qps = 3;
  s.traffic = {flow(0, 2), flow(1, 2)};
  s.traffic[1].count = 3;
  s.duration = 20 * kMs;
  Simulation run(s);
  run.run();
  EXPECT_GT(totals(run).pauses, 0u);
  const auto& flows = run.flows().all();
  const double c = 98.04, span = static_cast<double>(s.duration) / 8000;
  const auto rate = [&](uint32_t i) { return static_cast<double>(flows[i].done) / span; };
  EXPECT_NEAR(rate(0) / (c / 2), 1, 0.03);
  for (uint32_t i = 1; i <= 3; ++i) EXPECT_NEAR(rate(i) / (c / 6), 1, 0.06) << i;
  EXPECT_NEAR((rate(1) + rate(2) + rate(3)) / (c / 2), 1, 0.03);
  check_laws(run);
}

TEST(Pause, MakesAVictimOfAnInnocentFlow) {
  Scenario s = lossless(0);
  s.topology = {};
  s.topology.kind = TopologyKind::leaf_spine;
  s.topology.leaves = 4;
  s.topology.spines = 1;
  s.topology.per_switch = 5;
  for (uint32_t i = 0; i < 4; ++i) {
    s.traffic.push_back(flow(i, 10));
    s.traffic.push_back(flow(5 + i, 10));
  }
  s.traffic.push_back(flow(4, 15));
  s.duration = 10 * kMs;
  Simulation run(s);
  run.run();
  EXPECT_NEAR(goodput(run, 15, s.duration) / (12.5 * 0.98), 1, 0.05);
  EXPECT_NEAR(goodput(run, 10, s.duration), 98, 2);
  check_laws(run);
  // Without PAUSE and with room, the victim gets what is left of its uplink.
  endless_buffer(s);
  s.at.buffer.lossless = 0;
  Simulation ideal(s);
  ideal.run();
  EXPECT_GT(goodput(ideal, 15, s.duration), 35);
}

TEST(Pause, SlowReceiverPausesAtTheRateOfItsBuffer) {
  Scenario s;
  s.host.latency = 0;
  s.links.host.delay = 25 * kNs;
  s.links.host.pause_reaction = 0;
  s.transport.window_bytes = 1 << 23;
  s.host.receive = gbps(80);
  s.host.buffer = 1u << 24;
  s.host.xoff = 2'000'000;
  s.host.xon = 1'000'000;
  s.traffic = {flow(0, 1)};
  endless_buffer(s);
  s.duration = 50 * kMs;
  Simulation run(s);
  run.run();
  const Port& out = *run.fabric().ports[run.fabric().host_port(1).peer];
  const double period = 1e6 * 8 / 20e9 + 1e6 * 8 / 80e9;
  // Refreshes apart, one PAUSE and one resume per period.
  const double periods = static_cast<double>(run.fabric().host_port(1).resumes_sent[3]);
  EXPECT_NEAR(periods / (0.05 / period), 1, 0.05);
  EXPECT_NEAR(static_cast<double>(out.paused_time(3, s.duration)) / static_cast<double>(s.duration), 0.2,
              0.01);
  EXPECT_EQ(totals(run).drops, 0u);
  check_laws(run);
}

TEST(Pause, EndsByItselfAfterItsQuanta) {
  Scenario s;
  s.topology.kind = TopologyKind::back_to_back;
  s.links.host.delay = 0;
  s.links.host.pause_reaction = 0;
  s.host.latency = 0;
  TrafficSettings t;
  t.kind = TrafficKind::raw;
  t.to = 1;
  t.rate = gbps(100);
  s.traffic = {t};
  Simulation run(s);
  run.run(10 * kUs);
  Fabric& f = run.fabric();
  f.send_pause(f.host_port(1), 3, true, f.now());
  f.host_port(1).pausing = 0;  // no refresh
  run.run(300 * kUs);
  const uint64_t during = f.hosts[1]->raw_received();
  const Time until = f.host_port(0).paused_until[3];
  EXPECT_EQ(until - f.host_port(0).paused_since[3], 335'539'200u);  // 65535 x 5.12 ns
  run.run(until);
  EXPECT_EQ(f.hosts[1]->raw_received(), during);
  run.run(until + kUs);
  EXPECT_GT(f.hosts[1]->raw_received(), during);
  check_laws(run);
}

// A host that takes nothing pauses its switch port, and that the senders. The watchdog gives that port up.
TEST(Pause, WatchdogFreesTheOthers) {
  for (const bool watchdog : {false, true}) {
    Scenario s = lossless(4);
    s.at.buffer.shared = 1'000'000;
    s.traffic = {flow(0, 2), flow(0, 3)};
    s.transport.window_bytes = 1 << 22;
    s.duration = 12 * kMs;
    s.changes = {{Change::Kind::receive_rate, kMs, 2, kNone, 1}};
    if (watchdog) s.at.watchdog = {kMs, 100 * kMs, true};
    Simulation run(s);
    run.run(8 * kMs);
    const uint64_t before = run.fabric().hosts[3]->payload_received();
    run.run();
    const uint64_t after = run.fabric().hosts[3]->payload_received() - before;
    if (watchdog) {
      EXPECT_GT(after, 4'000'000u);
      EXPECT_GT(run.fabric().switches[0]->watchdog_actions, 0u);
    } else {
      EXPECT_EQ(after, 0u);
    }
    check_laws(run);
  }
}

}  // namespace
}  // namespace vlsim
