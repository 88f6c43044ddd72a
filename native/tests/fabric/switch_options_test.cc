// Options of switches in a scenario: averaged marking, scheduling and PFC by class, static paths, changes of one link.
#include "check.h"
#include "sim/scenario/notes.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

Scenario of(const std::string& json) {
  const auto s = read_scenario(json);
  EXPECT_TRUE(s.has_value()) << s.error();
  return s.value_or(Scenario{});
}

// Bursts of 400 KB into a link that has emptied in between: the queue passes Kmin each time, its average does not.
TEST(SwitchOptions, AverageQueueForgivesBurstsButNotStandingQueues) {
  const auto marks = [](const std::string& average, const std::string& off) {
    Simulation run(
        of(R"({"duration_us": 2000, "topology": {"hosts": 3}, "switch": {"ecn": {"kmin_bytes": 50000,
      "kmax_bytes": 60000)" +
           average + R"(}}, "traffic": [
      {"kind": "raw", "from": 1, "to": 0, "rate_gbps": 100, "on_us": 16, "off_us": )" +
           off + R"(, "ecn": true},
      {"kind": "raw", "from": 2, "to": 0, "rate_gbps": 100, "on_us": 16, "off_us": )" +
           off + R"(, "ecn": true}]})"));
    run.run();
    check_laws(run);
    return totals(run).marked;
  };
  EXPECT_GT(marks("", "200"), 100u);
  EXPECT_EQ(marks(R"(, "average": 1)", "200"), marks("", "200"));
  EXPECT_EQ(marks(R"(, "average": 0.002)", "200"), 0u);
  EXPECT_GT(marks(R"(, "average": 0.002)", "0"), 100u);
}

// The average of RED after a step: 1 - (1 - w)^n of it.
TEST(SwitchOptions, AverageFollowsTheQueueByItsWeight) {
  Scenario s =
      of(R"({"topology": {"hosts": 3}, "switch": {"ecn": {"kmin_bytes": 100000000, "kmax_bytes": 100000000,
    "average": 0.01}}, "traffic": []})");
  endless_buffer(s);
  Simulation run(s);
  Fabric& f = run.fabric();
  // All at once from two hosts: the queue grows by one packet for every two that arrive.
  constexpr uint32_t kPackets = 400, kBytes = 1000;
  for (uint32_t i = 0; i < kPackets; ++i) {
    f.send_raw(0, 1, 0, kBytes, 0, 3, 2);
    f.send_raw(0, 2, 0, kBytes, 0, 3, 2);
  }
  double average = 0, queue = 0;
  for (uint32_t i = 0; i < 2 * kPackets; ++i) {
    average += 0.01 * (queue - average);
    queue += i % 2 == 0 ? kBytes : 0;  // half leaves: of each two that come
  }
  run.run();
  const Port& out = *f.ports[f.switches[0]->ports[0]];
  const double measured = static_cast<double>(out.queues[3].average) / EcnSettings::kInstantaneous;
  EXPECT_NEAR(measured / average, 1, 0.02);
}

Scenario two_classes(const std::string& classes) {
  return of(
      R"({"duration_us": 1000, "topology": {"hosts": 3}, "switch": {"buffer_bytes": 400000, "classes": [)" +
      classes +
      R"(]}, "traffic": [{"kind": "raw", "from": 1, "to": 0, "rate_gbps": 100, "class": 1},
                               {"kind": "raw", "from": 2, "to": 0, "rate_gbps": 100, "class": 2}]})");
}

// Share of class 1 in what leaves, and drops of each class.
struct Shares {
  double first;
  uint64_t dropped_1, dropped_2;
};
Shares shares(const std::string& classes) {
  Simulation run(two_classes(classes));
  run.run();
  check_laws(run);
  const Port& out = *run.fabric().ports[run.fabric().switches[0]->ports[0]];
  const auto sent = [&](uint32_t cls) { return static_cast<double>(out.queues[cls].left); };
  uint64_t dropped[2] = {};
  for (const auto& port : run.fabric().ports) {
    dropped[0] += port->refused[1];
    dropped[1] += port->refused[2];
  }
  return {sent(1) / (sent(1) + sent(2)), dropped[0], dropped[1]};
}

TEST(SwitchOptions, ClassesShareByWeightOrGoAhead) {
  EXPECT_NEAR(shares("").first, 0.5, 0.02);
  EXPECT_NEAR(shares(R"({"class": 1, "weight": 3})").first, 0.75, 0.02);
  EXPECT_NEAR(shares(R"({"class": 2, "weight": 9})").first, 0.1, 0.02);
  EXPECT_LT(shares(R"({"class": 2, "strict": true})").first, 0.02);
  EXPECT_NEAR(shares(R"({"class": 1, "strict": true}, {"class": 2, "strict": true})").first, 0, 0.02);
}

TEST(SwitchOptions, PfcIsOfTheClassesThatHaveIt) {
  const Shares lossy = shares("");
  EXPECT_GT(lossy.dropped_1, 0u);
  EXPECT_GT(lossy.dropped_2, 0u);
  const Shares first = shares(R"({"class": 1, "pfc": true})");
  EXPECT_EQ(first.dropped_1, 0u);
  EXPECT_GT(first.dropped_2, 0u);
  EXPECT_EQ(of(R"({"switch": {"pfc": true, "classes": [{"class": 3, "pfc": false}]}})").at.buffer.lossless,
            0u);
  EXPECT_EQ(of(R"({"switch": {"pfc": true, "classes": [{"class": 5, "pfc": true}]}})").at.buffer.lossless,
            0x28u);
  EXPECT_EQ(read_scenario(R"({"switch": {"classes": [{"weight": 2}]}})").error(),
            "switch.classes[0].class is needed.");
}

// Each host of a switch has a path of its own, so that nothing collides at any tier.
TEST(SwitchOptions, StaticPathsDoNotCollide) {
  const auto least = [](const std::string& topology, uint32_t hosts, const char* spread) {
    std::string traffic;
    for (uint32_t i = 0; i < hosts; ++i)
      traffic += (i == 0 ? "" : ",") + std::string(R"({"from": )") + std::to_string(i) + R"(, "to": )" +
                 std::to_string(i + hosts) + "}";
    Simulation run(of(R"({"duration_us": 500, "topology": )" + topology + R"(, "switch": {"spread": ")" +
                      spread + R"(", "buffer_bytes": 100000000}, "traffic": [)" + traffic + "]}"));
    run.run();
    check_laws(run);
    double slowest = 1000;
    for (uint32_t i = 0; i < hosts; ++i) slowest = std::min(slowest, goodput(run, i + hosts, 500 * kUs));
    return slowest;
  };
  const std::string leaves = R"({"kind": "leaf-spine", "leaves": 2, "spines": 8, "hosts_per_switch": 8})";
  EXPECT_LT(least(leaves, 8, "ecmp"), 60);
  EXPECT_GT(least(leaves, 8, "static"), 94);
  const std::string tree = R"({"kind": "fat-tree", "arity": 4})";
  EXPECT_GT(least(tree, 8, "static"), 94);
}

TEST(SwitchOptions, AChangeIsOfOneLinkBetweenTwoSwitches) {
  const std::string json = R"({"duration_us": 200, "transport": {"timeout": 6},
    "topology": {"kind": "leaf-spine", "leaves": 2, "spines": 2, "hosts_per_switch": 2},
    "traffic": [{"from": 0, "to": 2}, {"from": 1, "to": 3}], "changes": [)";
  Simulation run(of(json + R"({"at_us": 50, "switch": 0, "peer": 3, "link_gbps": 10}]})"));
  run.run();
  uint32_t changed = 0;
  for (const auto& port : run.fabric().ports) {
    if (port->link.rate.mbps != 10'000) continue;
    ++changed;
    const Port& peer = *run.fabric().ports[port->peer];
    EXPECT_FALSE(port->host || peer.host);
    EXPECT_EQ(port->owner + peer.owner, 3u);
  }
  EXPECT_EQ(changed, 2u);
  EXPECT_EQ(read_scenario(json + R"({"at_us": 50, "switch": 0, "peer": 1, "loss": 1}]})").error(),
            "changes[0].peer must be a switch that has a link to switch 0.");
  EXPECT_EQ(read_scenario(json + R"({"at_us": 50, "peer": 2, "loss": 1}]})").error(),
            "changes[0].peer needs switch.");
}

TEST(SwitchOptions, LossInTurnAndOfAcksChangesWhileItRuns) {
  const std::string json =
      R"({"duration_us": 400, "transport": {"timeout": 3}, "traffic": [{"from": 0, "to": 1}], "changes": [)";
  Simulation every(
      of(json + R"({"at_us": 100, "host": 1, "lose_every": 50}, {"at_us": 200, "lose_every": 0}]})"));
  every.run(100 * kUs - 1);
  EXPECT_EQ(totals(every).drops, 0u);
  every.run(300 * kUs);
  const uint64_t lost = totals(every).drops;
  uint64_t seen = 0;
  for (const auto& port : every.fabric().ports) seen += port->candidates;
  EXPECT_EQ(lost, seen / 50);
  EXPECT_GT(lost, 3u);
  every.run();
  EXPECT_EQ(totals(every).drops, lost);
  EXPECT_TRUE(notes(every).empty());

  Simulation acks(of(json + R"({"at_us": 100, "lose_acks": 1}]})"));
  acks.run();
  check_laws(acks);
  EXPECT_GT(acks.fabric().tally(PacketKind::ack).dropped, 0u);
  EXPECT_GT(totals(acks).timeouts, 0u);

  Simulation none(of(json + R"({"at_us": 100, "host": 1, "lose_every": 1000000}]})"));
  none.run();
  ASSERT_EQ(notes(none).size(), 1u);
  EXPECT_TRUE(notes(none)[0].starts_with("changes[0] matched no packet: only ")) << notes(none)[0];
}

}  // namespace
}  // namespace vlsim
