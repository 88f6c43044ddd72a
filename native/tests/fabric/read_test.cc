// Scenarios in JSON: what is read, and what is said of bad ones.
#include "sim/scenario/read.h"

#include "check.h"

namespace vlsim {
namespace {

TEST(Read, TakesAWholeScenario) {
  const auto s = read_scenario(R"({
    "name": "incast", "seed": 7, "duration_us": 2500.5, "sample_us": 10, "until_done": true,
    "topology": {"kind": "leaf-spine", "leaves": 3, "spines": 2, "hosts_per_switch": 4},
    "link": {"rate_gbps": 25, "delay_ns": 250, "loss": 0.000125}, "uplink": {"rate_gbps": 100},
    "host": {"latency_ns": 600, "receive_gbps": 80, "data_class": 2},
    "switch": {"buffer_bytes": 4000000, "alpha": 0.125, "pfc": true, "spread": "spray",
               "ecn": {"kmin_bytes": 5000, "kmax_bytes": 200000, "pmax": 0.01}},
    "transport": {"mtu": 1024, "window_bytes": 65536, "timeout": 10},
    "traffic": [{"kind": "incast", "to": 11, "bytes": 1048576},
                {"kind": "storage", "sizes": "web_search", "load": 0.5}],
    "changes": [{"at_us": 100, "host": 3, "receive_gbps": 10}, {"at_us": 200, "switch": 1, "link_up": false}],
    "stop_at": {"drop": true, "queue_bytes": 1000000}})");
  ASSERT_TRUE(s.has_value()) << s.error();
  EXPECT_EQ(s->duration, 2'500'500'000u);
  EXPECT_EQ(s->links.host.loss_ppb, 125'000u);
  EXPECT_EQ(s->links.host.rate.mbps, 25'000u);
  EXPECT_EQ(s->links.uplink.rate.mbps, 100'000u);
  EXPECT_EQ(s->links.uplink.loss_ppb, 125'000u);  // as the other links, if it says nothing else
  EXPECT_EQ(s->at.buffer.lossless, 1u << 2);
  EXPECT_EQ(s->at.buffer.alpha, 128u);
  EXPECT_EQ(s->at.ecn.share_ppm, 10'000u);
  EXPECT_EQ(s->traffic[1].load_permille, 500u);
  EXPECT_EQ(s->changes[1].kind, Change::Kind::link_up);
  EXPECT_EQ(s->stop.queue_above, 1'000'000u);
  EXPECT_EQ(s->transport.connection.reads, 16);
}

// JSON.stringify writes a number below 1e-6 with an exponent.
TEST(Read, TakesNumbersInAllOfTheirForms) {
  const std::pair<const char*, uint32_t> kLoss[] = {
      {"1e-7", 100},
      {"1.25E-7", 125},
      {"0.000000001", 1},
      {"12e-2", 120'000'000},
      {"0.012e+1", 120'000'000},
      {"0e400", 0},
      {"-0", 0},
      {"1", 1'000'000'000},
      {"0.25000000000000", 250'000'000},
      {"10e-1", 1'000'000'000},
  };
  for (const auto& [number, ppb] : kLoss) {
    const auto s = read_scenario(std::string(R"({"link": {"loss": )") + number + "}}");
    ASSERT_TRUE(s.has_value()) << number << ": " << s.error();
    EXPECT_EQ(s->links.host.loss_ppb, ppb) << number;
  }
  EXPECT_EQ(read_scenario(R"({"seed": 1.2e3})")->seed, 1200u);
}

TEST(Read, SaysWhatIsWrongInOneSentence) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"", "Line 1 of the scenario is not valid JSON: it ends too early."},
      {"{\n\"seed\": }", "Line 2 of the scenario is not valid JSON: a value is missing."},
      {R"({"seed": 1e})", "Line 1 of the scenario is not valid JSON: a digit is missing."},
      {R"({"seed": 1e99999999999})", "Line 1 of the scenario is not valid JSON: a number is too large."},
      {R"({"seed": 9000000000001})", "Line 1 of the scenario is not valid JSON: a number is too large."},
      {R"({"link": {"loss": 1e-10}})",
       "Line 1 of the scenario is not valid JSON: a number has more than nine decimals."},
      {R"({"link": {"loss": -1e-7}})", "link.loss must be from 0 to 1."},
      {R"({"link": {"loss": 1.000000001}})", "link.loss must be from 0 to 1."},
      {"[]", "The scenario must be an object."},
      {R"({"sede": 1})", "sede is not known."},
      {R"({"seed": "x"})", "seed must be a number."},
      {R"({"link": {"rate_gbps": 5000}})", "link.rate_gbps must be from 1 to 1600."},
      {R"({"topology": {"kind": "torus"}})",
       "topology.kind must be one of back-to-back, star, leaf-spine, fat-tree, rail, ring."},
      {R"({"topology": {"kind": "fat-tree", "arity": 5}})",
       "The arity of a fat tree must be an even number from 2 to 24."},
      {R"({"topology": {"hosts": 1}})", "A topology needs at least two hosts."},
      {R"({"transport": {"mtu": 1500}})", "transport.mtu must be 256, 512, 1024, 2048 or 4096."},
      {R"({"traffic": [{"kind": "flow"}]})", "traffic[0].to must be another host than from."},
      {R"({"traffic": [{"kind": "raw", "to": 1}]})", "traffic[0].rate_gbps is needed for raw packets."},
      {R"({"traffic": [{"kind": "storage"}]})", "traffic[0].sizes or bytes is needed for storage."},
      {R"({"topology": {"hosts": 2000}, "traffic": [{"to": 1}, {"kind": "all-to-all"}]})",
       "traffic[1] makes it 3998001 flows (limit 1000000)."},
      {R"({"changes": [{"at_us": 1}]})",
       "changes[0] must have exactly one of link_up, link_gbps, loss, lose_every, lose_acks, receive_gbps, "
       "window_bytes, ecn, alpha, route_to."},
  };
  for (const auto& [json, error] : kWrong) {
    const auto s = read_scenario(json);
    ASSERT_FALSE(s.has_value()) << json;
    EXPECT_EQ(s.error(), error);
  }
}

}  // namespace
}  // namespace vlsim
