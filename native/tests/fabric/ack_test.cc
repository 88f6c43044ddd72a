// When receivers acknowledge: transport.ack_every and ack_delay_us.
#include "check.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

Simulation run_with(const std::string& transport, uint64_t bytes) {
  const auto s =
      read_scenario(R"({"until_done": true, "transport": {)" + transport +
                    R"(}, "traffic": [{"from": 0, "to": 1, "bytes": )" + std::to_string(bytes) + "}]}");
  EXPECT_TRUE(s.has_value()) << s.error();
  return Simulation(s.value_or(Scenario{}));
}

uint64_t acks(const std::string& transport) {
  Simulation run = run_with(transport, 200 * 4096);
  run.run();
  check_laws(run);
  EXPECT_EQ(totals(run).finished, 1u);
  EXPECT_EQ(run.fabric().tally(PacketKind::data).made, 200u);
  return run.fabric().tally(PacketKind::ack).made;
}

TEST(Acks, ComeAfterSoManyPacketsAskedOrNot) {
  EXPECT_EQ(acks(R"("ack_every": 1)"), 200u);
  // ACKs come at the end of the message, and where the sender asks.
  const uint64_t asked = acks("");
  EXPECT_LT(asked, 30u);
  EXPECT_GE(acks(R"("ack_every": 4)"), 50u);
  EXPECT_LE(acks(R"("ack_every": 4)"), 50u + asked);
  EXPECT_EQ(acks(R"("ack_every": 1000)"), asked);
}

TEST(Acks, WaitAsLongAsTheyMay) {
  const auto time = [](const std::string& transport) {
    Simulation run = run_with(transport, 4096);
    run.run();
    check_laws(run);
    EXPECT_EQ(totals(run).finished, 1u);
    return totals(run).fct_max;
  };
  const Time at_once = time("");
  EXPECT_EQ(time(R"("ack_delay_us": 0)"), at_once);
  EXPECT_NEAR(static_cast<double>(time(R"("ack_delay_us": 7)") - at_once), 7.0 * kUs, 1.0 * kNs);
  // Nothing waits that is urgent.
  EXPECT_EQ(time(R"("ack_delay_us": 7, "ack_every": 1)"), at_once);
}

}  // namespace
}  // namespace vlsim
