// A single flow: goodput ceiling (A1), latency (A2), goodput limited by the window (A3).
#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

// Goodput of host 1, in Gb/s, from `warm` on for `span`.
double measured(Simulation& run, Time warm, Time span) {
  run.run(warm);
  const uint64_t before = run.fabric().hosts[1]->payload_received();
  run.run(warm + span);
  return static_cast<double>(run.fabric().hosts[1]->payload_received() - before) * 8000.0 /
         static_cast<double>(span);
}

TEST(Link, GoodputCeiling) {
  for (const uint32_t mtu : {1024u, 4096u}) {
    for (const uint64_t rate : {10u, 100u, 400u}) {
      Scenario s;
      s.topology.kind = TopologyKind::back_to_back;
      s.links.host.rate = gbps(rate);
      s.transport.connection.mtu = mtu;
      s.transport.window_bytes = 1 << 20;
      s.traffic = {flow(0, 1)};
      Simulation run(s);
      const double got = measured(run, 100 * kUs, 10 * kMs);
      // A message of 1 MiB has one RETH.
      const double packets = (1 << 20) / mtu;
      const double expected = static_cast<double>(rate) * (1 << 20) / (packets * (mtu + 82) + 16);
      EXPECT_NEAR(got / expected, 1, 0.001) << rate << " Gb/s, MTU " << mtu;
      check_laws(run);
    }
  }
}

TEST(Link, LatencyIsTheSumOfItsPartsExactly) {
  for (const uint64_t rate : {25u, 100u, 400u}) {
    for (const bool cut_through : {false, true}) {
      Scenario s;
      s.links.host.rate = gbps(rate);
      s.links.host.delay = 1234 * kNs;
      s.host.latency = 567 * kNs;
      s.at.latency = 89 * kNs;
      s.at.cut_through = cut_through;
      s.traffic = {flow(0, 1, 4096)};
      Simulation run(s);
      run.run();
      const Rate r = gbps(rate);
      const auto hops = [&](uint64_t bytes) {
        return cut_through ? r.of(84) + r.of(bytes) : 2 * r.of(bytes);
      };
      // The first packet of a WRITE has a RETH, the ACK an AETH.
      const Time expected = hops(4096 + 82 + 16) + hops(82 + 4) + 4 * s.links.host.delay +
                            4 * s.host.latency + 2 * s.at.latency;
      ASSERT_EQ(run.flows().all()[0].done, 4096u);
      EXPECT_EQ(run.flows().all()[0].finished, expected) << rate << " Gb/s, cut-through " << cut_through;
      check_laws(run);
    }
  }
}

TEST(Link, WindowLimitsTheGoodput) {
  for (const uint32_t window : {64u << 10, 128u << 10, 256u << 10}) {
    Scenario s;
    s.links.host.delay = 2'577'640;  // with two hops, 12 us there and back
    s.host.latency = 0;
    s.transport.window_bytes = window;
    s.transport.acks_per_window = 64;
    s.traffic = {flow(0, 1)};
    const double rtt = static_cast<double>(base_rtt(s, 1)) / 1e6;
    EXPECT_NEAR(rtt, 11, 1);
    Simulation run(s);
    const double got = measured(run, 100 * kUs, 10 * kMs);
    const double ceiling = 100.0 * 4096 / (4096 + 82);
    const double expected = std::min(ceiling, window * 8 / rtt / 1000);
    EXPECT_NEAR(got / expected, 1, 0.01) << window << " B";
    check_laws(run);
  }
}

TEST(Link, ChangesAtAVirtualTimeAreReplayed) {
  Scenario s;
  s.duration = 3 * kMs;
  s.transport.window_bytes = 1 << 20;
  s.traffic = {flow(0, 1)};
  s.changes = {{Change::Kind::link_rate, kMs, kNone, kNone, 25'000},
               {Change::Kind::link_up, 2 * kMs, 1, kNone, 0}};
  Simulation run(s);
  run.run(kMs);
  const uint64_t first = run.fabric().hosts[1]->payload_received();
  run.run(2 * kMs);
  const uint64_t second = run.fabric().hosts[1]->payload_received() - first;
  run.run(2 * kMs + 100 * kUs);
  const uint64_t at_cut = run.fabric().hosts[1]->payload_received();
  run.run(3 * kMs);
  EXPECT_NEAR(static_cast<double>(first) * 8e-6, 98, 2);
  EXPECT_NEAR(static_cast<double>(second) * 8e-6, 24.5, 2);
  EXPECT_EQ(run.fabric().hosts[1]->payload_received(), at_cut);
  EXPECT_GT(run.fabric().tally(PacketKind::data).dropped, 0u);
  check_laws(run);
  Simulation again(s);
  again.run();
  EXPECT_EQ(result_line(again), result_line(run));
  EXPECT_EQ(flow_line(again, 0), flow_line(run, 0));
  EXPECT_EQ(again.fabric().trace(), run.fabric().trace());
}

}  // namespace
}  // namespace vlsim
