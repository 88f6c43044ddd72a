// What each mechanism says of a run: how near it came, or why it could not act.
#include <algorithm>

#include "check.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

class Told {
 public:
  explicit Told(const std::string& json) {
    const auto s = read_scenario(json);
    EXPECT_TRUE(s.has_value()) << s.error();
    Simulation run(s.value_or(Scenario{}));
    run.run();
    check_laws(run);
    all_ = mechanisms(run);
    paused_us_ = totals(run).paused / kUs;
  }
  const Mechanism& operator[](const std::string& name) const {
    return *std::find_if(all_.begin(), all_.end(), [&](const Mechanism& m) { return m.name == name; });
  }
  uint64_t paused_us() const { return paused_us_; }

 private:
  std::vector<Mechanism> all_;
  uint64_t paused_us_ = 0;
};

// 40 packets from host 0 to host 1.
constexpr char kFlow[] = R"("duration_us": 200, "traffic": [{"from": 0, "to": 1, "bytes": 163840}])";
std::string with(const std::string& members) { return "{" + members + ", " + kFlow + "}"; }

TEST(Mechanisms, SayHowNearATimeoutCame) {
  const Told calm(with(R"("seed": 1)"));
  EXPECT_EQ(calm["timeout"].fired, 0u);
  EXPECT_EQ(calm["timeout"].limit, 67'108u);  // 4.096 us x 2^14
  // All 16 packets of a request for an ACK, and the way there and back.
  EXPECT_GE(calm["timeout"].reached, 6u);
  EXPECT_LE(calm["timeout"].reached, 20u);
  // A link that is down for 100 us keeps an ACK away, nearly too long for a timeout of 131 us.
  const Told near(R"({"transport": {"timeout": 5}, "link": {"delay_ns": 50000}, "duration_us": 2000,
                      "traffic": [{"from": 0, "to": 1, "bytes": 4096}]})");
  EXPECT_GT(near["timeout"].fired, 0u);
  const Told waits(R"({"transport": {"timeout": 6}, "link": {"delay_ns": 50000}, "duration_us": 2000,
                       "traffic": [{"from": 0, "to": 1, "bytes": 4096}]})");
  EXPECT_EQ(waits["timeout"].fired, 0u);
  EXPECT_NEAR(static_cast<double>(waits["timeout"].reached), 202, 3);  // four links of 50 us, and the rest
  EXPECT_EQ(waits["timeout"].limit, 262u);
  EXPECT_NE(waits["timeout"].says.find("the longest wait for an ACK took 20"), std::string::npos);
  EXPECT_EQ(Told(with(R"("transport": {"timeout": 0})"))["timeout"].says,
            "No ACK timeout expired: transport.timeout is 0, which means none.");
  EXPECT_EQ(Told("{}")["timeout"].says, "No ACK timeout expired: there is no connection.");
}

TEST(Mechanisms, SayHowNearALossCame) {
  const Told in_turn(with(R"("link": {"lose_every": 41})"));
  EXPECT_EQ(in_turn["link-loss"].reached, 40u);
  EXPECT_EQ(in_turn["link-loss"].limit, 41u);
  const Told at_random(with(R"("link": {"loss": 0.000001})"));
  EXPECT_EQ(at_random["link-loss"].reached, 80u);
  EXPECT_EQ(at_random["link-loss"].limit, 1'000'000u);
  const Told none(with(R"("seed": 1)"));
  EXPECT_EQ(none["link-loss"].limit, 0u);
  EXPECT_EQ(none["link-loss"].says,
            "No link lost a packet: none has a loss, and none was down while a packet left.");
  EXPECT_EQ(none["nak"].says, "No NAK was sent: no data packet was lost, and every one came in order.");
  // The last packet of all: nothing comes behind it.
  const Told last(with(R"("link": {"lose_every": 40}, "topology": {"kind": "back-to-back"})"));
  EXPECT_EQ(last["nak"].fired, 0u);
  EXPECT_EQ(last["nak"].says,
            "No NAK was sent: behind the 1 data packet that were lost, no other of the same connection came "
            "to tell.");
}

TEST(Mechanisms, SayHowNearANicCame) {
  const Told slow(with(R"("host": {"receive_gbps": 50})"));
  EXPECT_EQ(slow["nic-drop"].limit, 2'000'000u);
  EXPECT_NEAR(static_cast<double>(slow["nic-drop"].reached), 40 * 4178 / 2.0, 2 * 4178);
  EXPECT_EQ(slow["pfc"].fired, 0u);
  EXPECT_EQ(slow["pfc"].reached, slow["nic-drop"].reached);
  EXPECT_EQ(slow["pfc"].limit, 1'000'000u);
  EXPECT_NE(slow["pfc"].says.find("the receive buffer of host 1 held at most "), std::string::npos)
      << slow["pfc"].says;
  // The threshold of the NIC is nearer than that of the switch.
  const Told low(with(R"("host": {"receive_gbps": 50, "xoff_bytes": 100000}, "switch": {"pfc": true})"));
  EXPECT_EQ(low["pfc"].limit, 100'000u);
  const Told fast(with(R"("seed": 1)"));
  EXPECT_EQ(fast["nic-drop"].says,
            "No NIC dropped for want of receive buffer: memory took every packet as it came.");
  EXPECT_EQ(fast["pfc"].says, "PFC is off at every switch, and no NIC had to keep what it received.");
}

// The switch with the lowest Kmin is not the one with the deepest queue by chance: the queue of the incast is named.
TEST(Mechanisms, EcnNamesTheDeepestQueue) {
  const Told told(
      R"({"duration_us": 50, "topology": {"kind": "leaf-spine", "leaves": 3, "spines": 1, "hosts_per_switch": 2},
    "switch": {"ecn": {"kmin_bytes": 10000000, "kmax_bytes": 10000000}},
    "traffic": [{"kind": "incast", "to": 3, "bytes": 65536}]})");
  EXPECT_EQ(told["ecn"].fired, 0u);
  EXPECT_EQ(told["ecn"].limit, 10'000'000u);
  EXPECT_GT(told["ecn"].reached, 100'000u);
  const bool at_spine = told["ecn"].says.find("of switch 3, port 1, held") != std::string::npos;
  EXPECT_TRUE(at_spine || told["ecn"].says.find("of switch 1, port 1, held") != std::string::npos)
      << told["ecn"].says;
  EXPECT_EQ(told["cnp"].says, "No CNP was sent: no switch marked a packet.");
  const Told raw(
      R"({"duration_us": 50, "topology": {"hosts": 3}, "switch": {"ecn": {"kmin_bytes": 1000, "kmax_bytes": 2000}},
    "traffic": [{"kind": "raw", "from": 1, "to": 0, "rate_gbps": 100, "ecn": true},
                {"kind": "raw", "from": 2, "to": 0, "rate_gbps": 100, "ecn": true}]})");
  EXPECT_GT(raw["ecn"].fired, 0u);
  EXPECT_NE(raw["cnp"].says.find(" none came to a connection."), std::string::npos) << raw["cnp"].says;
}

// Many short pauses are not a long one.
TEST(Mechanisms, WatchdogCountsPausesWithoutABreak) {
  const Told told(
      R"({"duration_us": 3000, "host": {"receive_gbps": 80, "xoff_bytes": 200000, "xon_bytes": 100000},
    "switch": {"pfc": true, "watchdog": {"detect_us": 100, "restore_us": 100}},
    "transport": {"window_bytes": 4000000}, "traffic": [{"from": 0, "to": 1}]})");
  EXPECT_EQ(told["watchdog"].fired, 0u);
  EXPECT_EQ(told["watchdog"].limit, 100u);
  EXPECT_GT(told["watchdog"].reached, 5u);
  EXPECT_LT(told["watchdog"].reached, 30u);
  EXPECT_GT(told.paused_us(), 100u);
}

TEST(Mechanisms, HopLimitCountsSwitches) {
  const auto hops = [](const char* topology, uint32_t to) {
    return Told(R"({"host": {"ttl": 9}, "topology": )" + std::string(topology) +
                R"(, "traffic": [{"from": 0, "to": )" + std::to_string(to) + "}]}")["hop-limit"];
  };
  EXPECT_EQ(hops(R"({"kind": "star"})", 1).reached, 1u);
  EXPECT_EQ(hops(R"({"kind": "leaf-spine"})", 7).reached, 3u);
  EXPECT_EQ(hops(R"({"kind": "fat-tree"})", 15).reached, 5u);
  EXPECT_EQ(hops(R"({"kind": "fat-tree"})", 15).limit, 9u);
  EXPECT_EQ(hops(R"({"kind": "fat-tree"})", 15).says,
            "No packet reached its hop limit: one came to 5 of at most 9 switches.");
  EXPECT_EQ(hops(R"({"kind": "back-to-back"})", 1).says,
            "No packet reached its hop limit: there is no switch.");
}

}  // namespace
}  // namespace vlsim
