// Routing loops: packets that go round until their TTL is used up, and the deadlock that they make under PFC.
#include "check.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

Scenario of(const std::string& json) {
  const auto s = read_scenario(json);
  EXPECT_TRUE(s.has_value()) << s.error();
  return s.value_or(Scenario{});
}

uint64_t hop_drops(const Simulation& run) {
  uint64_t sum = 0;
  for (const auto& port : run.fabric().ports) sum += port->dropped[static_cast<uint32_t>(DropReason::hops)];
  return sum;
}

const Mechanism& hop_limit(const std::vector<Mechanism>& all) {
  return *std::find_if(all.begin(), all.end(),
                       [](const Mechanism& m) { return m.name == std::string("hop-limit"); });
}

// Hu et al., HotNets 2016: n switches in a loop of links of rate B deadlock if packets come in faster than n B / TTL, since
// each is sent TTL times.
TEST(Loop, DeadlocksAboveTheThresholdOfTheRate) {
  constexpr double kSwitches = 2, kGbps = 40, kTtl = 16;
  const double threshold = kSwitches * kGbps / kTtl;
  const auto stuck_at = [](double rate) {
    Simulation run(of(R"({"duration_us": 6000, "host": {"ttl": 16}, "link": {"rate_gbps": 40},
      "topology": {"kind": "ring", "switches": 2, "hosts_per_switch": 2, "clockwise": true, "loop": true},
      "switch": {"pfc": true, "xoff_bytes": 40000, "buffer_bytes": 1000000},
      "traffic": [{"kind": "raw", "from": 2, "to": 0, "rate_gbps": )" +
                      std::to_string(rate) + "}]}"));
    run.run(3 * kMs);
    const uint64_t until_then = hop_drops(run);
    run.run();
    check_laws(run);
    EXPECT_EQ(run.fabric().tally(PacketKind::raw).delivered, 0u);
    return hop_drops(run) == until_then;
  };
  for (const double share : {0.5, 0.8, 0.9}) EXPECT_FALSE(stuck_at(share * threshold)) << share;
  for (const double share : {1.25, 1.5, 3.0}) EXPECT_TRUE(stuck_at(share * threshold)) << share;
}

TEST(Loop, DropsWithoutPfcInsteadOfADeadlock) {
  Simulation run(of(R"({"duration_us": 3000, "host": {"ttl": 16}, "link": {"rate_gbps": 40},
    "topology": {"kind": "ring", "switches": 2, "hosts_per_switch": 2, "clockwise": true, "loop": true},
    "switch": {"buffer_bytes": 200000}, "traffic": [{"kind": "raw", "from": 2, "to": 0, "rate_gbps": 15}]})"));
  run.run(2 * kMs);
  const uint64_t until_then = hop_drops(run);
  run.run();
  check_laws(run);
  EXPECT_GT(hop_drops(run), until_then + 10);
}

// A route that is wrong for a while: packets to host 0 go back and forth between its leaf and a spine.
TEST(Loop, ComesFromARouteAndGoesWithIt) {
  const std::string json = R"({"duration_us": 2000, "host": {"ttl": 8}, "transport": {"timeout": 6},
    "topology": {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_switch": 2},
    "traffic": [{"from": 2, "to": 0, "bytes": 4000000}], "changes": [)";
  Simulation straight(of(json + "]}"));
  straight.run();
  const auto before = mechanisms(straight);
  EXPECT_EQ(hop_limit(before).fired, 0u);
  EXPECT_EQ(hop_limit(before).reached, 3u);
  EXPECT_EQ(hop_limit(before).limit, 8u);
  Simulation run(of(json + R"({"at_us": 50, "switch": 0, "host": 0, "route_to": 2},
                               {"at_us": 200, "switch": 0, "host": 0, "route_to": 0}]})"));
  run.run();
  check_laws(run);
  EXPECT_GT(hop_limit(mechanisms(run)).fired, 0u);
  EXPECT_EQ(totals(run).finished, 1u);
}

TEST(Loop, IsRefusedWhereItCannotBe) {
  const std::pair<const char*, const char*> kWrong[] = {
      {R"({"topology": {"loop": true}})", "topology.loop needs a ring, and clockwise."},
      {R"({"topology": {"kind": "ring", "loop": true}})", "topology.loop needs a ring, and clockwise."},
      {R"({"changes": [{"at_us": 1, "host": 0, "route_to": 0}]})", "changes[0].route_to needs switch."},
      {R"({"topology": {"kind": "ring"}, "changes": [{"at_us": 1, "switch": 0, "route_to": 1}]})",
       "changes[0].route_to needs host."},
      {R"({"topology": {"kind": "leaf-spine"}, "changes": [{"at_us": 1, "switch": 0, "host": 0, "route_to": 1}]})",
       "changes[0].route_to must be a switch that has a link to switch 0."},
  };
  for (const auto& [json, error] : kWrong) {
    const auto s = read_scenario(json);
    ASSERT_FALSE(s.has_value()) << json;
    EXPECT_EQ(s.error(), error);
  }
}

}  // namespace
}  // namespace vlsim
