// Rules that match nothing, and budgets: what is refused, what is said, and what is kept.
#include "check.h"
#include "sim/scenario/notes.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

std::vector<std::string> notes_of(const std::string& json) {
  const auto s = read_scenario(json);
  EXPECT_TRUE(s.has_value()) << s.error();
  Simulation run(*s);
  run.run();
  check_laws(run);
  return notes(run);
}

using Sentences = std::vector<std::string>;

TEST(Rules, ThatMatchNothingAreNamed) {
  // 40 packets in each direction of the flow.
  const std::string flow = R"("duration_us": 200, "traffic": [{"from": 0, "to": 1, "bytes": 163840}])";
  EXPECT_EQ(notes_of("{" + flow + "}"), Sentences{});
  EXPECT_EQ(notes_of(R"({"link": {"lose_every": 41}, )" + flow + "}"),
            Sentences{"link.lose_every 41 matched no packet: at most 40 data packets went over a link in one "
                      "direction."});
  EXPECT_EQ(notes_of(R"({"link": {"lose_every": 40}, )" + flow + "}"), Sentences{});
  EXPECT_EQ(notes_of(R"({"link": {"loss": 0.000001}, )" + flow + "}"),
            Sentences{"link.loss matched no packet: 80 data packets went by."});
  EXPECT_EQ(notes_of(R"({"uplink": {"loss": 0.5}, )" + flow + "}"),
            Sentences{"uplink matched no link: the topology has none between switches."});
  EXPECT_EQ(notes_of(R"({"stop_at": {"drop": true}, )" + flow + "}"),
            Sentences{"stop_at.drop did not happen."});
}

TEST(Rules, ChangesThatMatchNothingAreNamed) {
  const auto with = [](const std::string& change) {
    return notes_of(
        R"({"duration_us": 100, "topology": {"hosts": 3}, "traffic": [{"from": 0, "to": 1}], "changes": [)" +
        change + "]}");
  };
  EXPECT_EQ(with(R"({"at_us": 100.5, "loss": 1})"),
            Sentences{"changes[0] was not made: it is due at 100.5 us, and the run ended at 100 us."});
  EXPECT_EQ(with(R"({"at_us": 50, "host": 2, "loss": 1})"),
            Sentences{"changes[0] matched no packet: no data packet went over its links behind 50 us."});
  EXPECT_EQ(with(R"({"at_us": 50, "host": 1, "loss": 0.01})"), Sentences{});
  EXPECT_EQ(with(R"({"at_us": 50, "host": 1, "alpha": 1})"),
            Sentences{"changes[0].host had no effect: alpha is of switches."});
  EXPECT_EQ(with(R"({"at_us": 50, "switch": 0, "window_bytes": 65536})"),
            Sentences{"changes[0].switch had no effect: window_bytes is of hosts."});
}

TEST(Rules, TrafficThatNeverBeginsIsNamed) {
  EXPECT_EQ(notes_of(R"({"duration_us": 100, "traffic": [{"to": 1}, {"to": 1, "start_us": 101}]})"),
            Sentences{"traffic[1] began nothing: it starts at 101 us, and the run ended at 100 us."});
}

TEST(Rules, RailsWithoutSpinesReachOnlyThemselves) {
  const auto error = [](const std::string& traffic) {
    const auto s =
        read_scenario(R"({"topology": {"kind": "rail", "hosts": 4, "rails": 2, "spines": 0}, "traffic": [)" +
                      traffic + "]}");
    return s.has_value() ? "" : s.error();
  };
  const std::string why = ": they are on different rails, and there are no spines.";
  EXPECT_EQ(error(R"({"from": 2, "to": 6})"), "");
  EXPECT_EQ(error(R"({"kind": "incast", "to": 0, "senders": 1})"),
            "traffic[0] has no route from host 1 to host 0" + why);
  EXPECT_EQ(error(R"({"from": 1, "to": 6})"), "traffic[0] has no route from host 1 to host 6" + why);
  for (const char* kind : {"permutation", "all-to-all"})
    EXPECT_EQ(error(std::string(R"({"kind": ")") + kind + "\"}"),
              "traffic[0] has no route from host 0 to host 1" + why);
}

TEST(Budgets, EndARunAtTheSameEventHoweverItIsDriven) {
  const auto s = read_scenario(R"({"duration_us": 1000, "topology": {"hosts": 8}, "limits": {"events": 30000},
                                   "traffic": [{"kind": "all-to-all"}]})");
  ASSERT_TRUE(s.has_value()) << s.error();
  Simulation whole(*s), steps(*s);
  whole.run();
  for (Time t = kUs; t <= s->duration; t += kUs) steps.run(t);
  EXPECT_EQ(whole.fabric().stopped_because(), "events");
  EXPECT_EQ(whole.fabric().error(),
            "It has had 30000 events (limits.events). Raise the limit, or choose a shorter duration_us.");
  EXPECT_EQ(result_line(whole), result_line(steps));
  check_laws(whole);
}

// The frame may have to wait for the packet that is being sent: the run ends when it leaves, and counts it.
TEST(StopAt, PauseCountsTheFrameThatItIsFor) {
  for (uint32_t buffer = 100'000; buffer <= 300'000; buffer += 10'000) {
    SCOPED_TRACE(buffer);
    const auto s = read_scenario(R"({"topology": {"hosts": 6}, "stop_at": {"pause": true},
      "traffic": [{"kind": "incast", "to": 0}, {"from": 0, "to": 1}, {"from": 0, "to": 2}],
      "switch": {"pfc": true, "buffer_bytes": )" +
                                 std::to_string(buffer) + "}}");
    ASSERT_TRUE(s.has_value()) << s.error();
    Simulation run(*s);
    run.run();
    EXPECT_EQ(run.fabric().stopped_because(), "PAUSE");
    EXPECT_EQ(totals(run).pauses, 1u);
    check_laws(run);
  }
}

TEST(Budgets, OfMemoryCountWhatTheRunHolds) {
  const auto run_with = [](const char* mib) {
    const auto s = read_scenario(std::string(R"({"duration_us": 200, "topology": {"hosts": 16},
      "traffic": [{"kind": "storage", "bytes": 100, "load": 2}], "limits": {"memory_mib": )") +
                                 mib + "}}");
    Simulation run(*s);
    run.run();
    check_laws(run);
    return std::make_pair(run.fabric().stopped_because(), run.fabric().memory() >> 20);
  };
  const auto [because, held] = run_with("16");
  EXPECT_EQ(because, "memory");
  EXPECT_GE(held, 16u);
  EXPECT_LT(held, 18u);
  EXPECT_EQ(run_with("4096").first, "");
}

}  // namespace
}  // namespace vlsim
