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

struct Cable {
  uint64_t meters, rate;  // Gb/s
  Time reaction;
  uint64_t published;  // table of the reference notes, with frames of 4178 B
};

// Raw frames of one size. Eight hosts send to one whose NIC is slow, so that the switch, paused itself, drains nothing while it
// pauses them; and eight others fill the links back to them, so that a PAUSE waits for a frame that has just begun. XOFF is a
// whole number of frames: a packet counts when all of it is there, and one that crossed XOFF would be one more than the formula
// has.
Scenario full_cables(const Cable& cable) {
  constexpr uint32_t kFrame = 4178, kSenders = 8;
  Scenario s = lossless(2 * kSenders + 1);
  s.links.host.rate = gbps(cable.rate);
  s.links.host.delay = cable.meters * 5 * kNs;
  s.links.host.pause_reaction = cable.reaction;
  s.host.latency = 0;
  s.host.xoff = 100'000;
  s.host.xon = 50'000;
  s.at.buffer.static_xoff = 14 * kFrame;
  s.at.buffer.xon_offset = 2 * kFrame;
  s.at.buffer.shared = 10'000'000;
  s.duration = 100 * kMs / cable.rate;
  s.changes = {{Change::Kind::receive_rate, 0, kSenders, kNone, cable.rate * 100}};
  for (uint32_t i = 0; i < kSenders; ++i) {
    TrafficSettings t = flow(i, kSenders);
    t.kind = TrafficKind::raw;
    t.rate = gbps(cable.rate);
    t.packet = kFrame;
    s.traffic.push_back(t);
    // What comes back is lossy.
    t.from = kSenders + 1 + i;
    t.to = i;
    t.cls = 2;
    t.rate = {cable.rate * 980};
    t.poisson = true;
    s.traffic.push_back(t);
  }
  return s;
}

TEST(Pause, HeadroomIsEnoughFromTheFormulaOnAndNotBelow) {
  for (const Cable& cable : {Cable{5, 100, 2 * kUs, 34'065}, Cable{40, 100, 2 * kUs, 38'440},
                             Cable{100, 100, 2 * kUs, 45'940}, Cable{300, 100, 2 * kUs, 70'940},
                             Cable{40, 400, 2 * kUs, 128'440}, Cable{40, 400, 1158 * kNs, 86'340}}) {
    Scenario s = full_cables(cable);
    // C (2 L tau + reaction) + two frames + the PAUSE
    const uint64_t formula =
        s.links.host.rate.bytes_in(2 * s.links.host.delay + s.links.host.pause_reaction) + 2 * 4178 + 84;
    EXPECT_NEAR(static_cast<double>(formula), static_cast<double>(cable.published), 100);
    for (const bool enough : {true, false}) {
      uint64_t drops = 0, pauses = 0, most = 0;
      for (uint64_t seed = 1; seed <= 2; ++seed) {
        s.seed = seed;
        s.at.buffer.headroom = enough ? formula : formula - 4178;
        Simulation run(s);
        run.run();
        pauses += totals(run).pauses;
        for (const auto& port : run.fabric().ports) {
          drops += port->dropped[static_cast<uint32_t>(DropReason::headroom)];
          if (port->host) continue;
          const SharedBuffer::Group& g = run.fabric().switches[0]->buffer.group(port->number, 3);
          EXPECT_LE(g.most, s.at.buffer.static_xoff);
          most = std::max(most, g.most_headroom);
        }
        check_laws(run);
      }
      EXPECT_GT(pauses, 0u);
      if (enough) {
        EXPECT_EQ(drops, 0u) << cable.meters << " m, " << cable.rate << " Gb/s, most " << most;
        EXPECT_LE(most, formula);
      } else {
        EXPECT_GT(drops, 0u) << cable.meters << " m, " << cable.rate << " Gb/s, most " << most;
      }
    }
  }
}

// Gb/s of each flow from `warm` on.
std::vector<double> rates_after(Simulation& run, Time warm, Time end) {
  run.run(warm);
  std::vector<uint64_t> before;
  for (const Flow& flow : run.flows().all()) before.push_back(run.flows().acknowledged(flow));
  run.run(end);
  std::vector<double> rates;
  for (size_t i = 0; i < before.size(); ++i) {
    const uint64_t bytes = run.flows().acknowledged(run.flows().all()[i]) - before[i];
    rates.push_back(static_cast<double>(bytes) * 8000 / static_cast<double>(end - warm));
  }
  return rates;
}

TEST(Pause, SharesByPortAndNotByFlow) {
  Scenario s = lossless(3);
  s.transport.qps = 3;
  s.traffic = {flow(0, 2), flow(1, 2)};
  s.traffic[1].count = 3;
  Simulation run(s);
  const std::vector<double> rates = rates_after(run, 5 * kMs, 45 * kMs);
  EXPECT_GT(totals(run).pauses, 0u);
  const double c = 98.04;
  EXPECT_NEAR(rates[0] / (c / 2), 1, 0.02);
  for (size_t i = 1; i <= 3; ++i) EXPECT_NEAR(rates[i] / (c / 6), 1, 0.02) << i;
  check_laws(run);
}

TEST(Pause, MakesAVictimOfAnInnocentFlow) {
  for (const bool pause : {true, false}) {
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
    if (!pause) {
      // The ideal: nothing is paused, and each of the eight gets its share of the receiver, by the clock of its ACKs.
      // The window is little more than the pipe of the victim, else those beside it wait behind its queue.
      endless_buffer(s);
      s.at.buffer.lossless = 0;
      s.transport.window_bytes = 80 << 10;
    }
    Simulation run(s);
    const std::vector<double> rates = rates_after(run, 5 * kMs, 15 * kMs);
    EXPECT_NEAR(rates[8] / ((pause ? 12.5 : 50) * 0.98), 1, 0.05) << pause;
    double sum = 0;
    for (size_t i = 0; i < 8; ++i) sum += rates[i];
    EXPECT_NEAR(sum, 98, 2) << pause;
    check_laws(run);
  }
}

TEST(Pause, SlowReceiverPausesAtTheRateOfItsBuffer) {
  Scenario s;
  s.host.latency = 0;
  s.links.host.delay = 25 * kNs;
  s.links.host.pause_reaction = 0;
  s.transport.window_bytes = 1 << 20;
  // Frames that are short beside the hysteresis, as the sender ends the one that it has begun.
  s.transport.connection.mtu = 1024;
  s.host.receive = gbps(80);
  s.host.buffer = 1u << 20;
  s.host.xoff = 200'000;
  s.host.xon = 136'000;
  s.traffic = {flow(0, 1)};
  endless_buffer(s);
  s.duration = 10 * kMs;
  Simulation run(s);
  run.run();
  const Port& out = *run.fabric().ports[run.fabric().host_port(1).peer];
  // 64 KB: 25.6 and 6.4 us, 31,250 a second. Refreshes apart, one PAUSE and one resume per period.
  const double period = 64'000 * 8 / 20e9 + 64'000 * 8 / 80e9;
  const double periods = static_cast<double>(run.fabric().host_port(1).resumes_sent[3]);
  EXPECT_NEAR(periods / (0.01 / period), 1, 0.05);
  EXPECT_NEAR(static_cast<double>(out.paused_time(3, s.duration)) / static_cast<double>(s.duration) / 0.2, 1,
              0.05);
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
