// Samples: what they add up to, what they say of flows and links, how long they may get.
#include "sim/scenario/samples.h"

#include "check.h"
#include "sim/scenario/json.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

namespace rdma = uroce::transport;

// The samples of a whole run, the last of them at its end.
std::vector<Json> samples_of(Simulation& run) {
  std::vector<Json> all;
  Samples samples(run);
  const auto add = [&](Time now) { all.push_back(*parse_json(samples.line(now))); };
  run.on_sample(add);
  const Time end = run.run();
  add(end);
  return all;
}

int64_t whole_of(const Json& object, std::string_view name) {
  const Json* value = object.find(name);
  return value == nullptr ? 0 : static_cast<int64_t>(value->whole);
}

double decimal_of(const Json& object, std::string_view name) {
  const Json* value = object.find(name);
  return value == nullptr ? 0 : static_cast<double>(value->whole) + value->billionths * 1e-9;
}

Scenario sampled(uint32_t senders, uint64_t bytes) {
  Scenario s;
  s.topology.hosts = senders + 1;
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 1'000'000;
  s.at.ecn = {true, false, 50'000, 200'000, 200'000};
  s.transport.policy.congestion = rdma::DcqcnParameters::paper(100'000'000'000);
  s.sample = 7 * kUs;
  s.sample_flows = s.sample_links = 100;
  TrafficSettings t;
  t.kind = TrafficKind::incast;
  t.to = senders;
  t.bytes = bytes;
  s.traffic = {t};
  s.duration = 3 * kMs;
  return s;
}

TEST(Samples, AddUpToTheResult) {
  Simulation run(sampled(8, 1 << 20));
  const std::vector<Json> samples = samples_of(run);
  const Totals t = totals(run);
  ASSERT_GT(t.marked, 0u);
  ASSERT_GT(t.pauses, 0u);
  int64_t marked = 0, pauses = 0, cnps = 0, link_marks = 0;
  std::vector<double> bytes(8), done(8);
  double before = 0;
  for (const Json& sample : samples) {
    marked += whole_of(sample, "marked");
    pauses += whole_of(sample, "pauses");
    cnps += whole_of(sample, "cnps");
    for (const Json& link : sample.find("links")->items) {
      link_marks += whole_of(link, "marked");
      EXPECT_LE(decimal_of(link, "use"), 1);
    }
    const double us = decimal_of(sample, "us");
    for (const Json& flow : sample.find("flows")->items) {
      const auto number = static_cast<size_t>(whole_of(flow, "flow"));
      bytes[number] += decimal_of(flow, "gbps") * 125 * (us - before);
      done[number] = static_cast<double>(whole_of(flow, "acknowledged_bytes"));
    }
    before = us;
  }
  EXPECT_EQ(marked, static_cast<int64_t>(t.marked));
  EXPECT_EQ(link_marks, marked);
  EXPECT_EQ(pauses, static_cast<int64_t>(t.pauses));
  EXPECT_EQ(cnps, static_cast<int64_t>(t.cnps));
  for (size_t i = 0; i < 8; ++i) {
    const Flow& flow = run.flows().all()[i];
    EXPECT_EQ(done[i], run.flows().acknowledged(flow));
    EXPECT_NEAR(bytes[i], done[i], 1000);  // rates have three decimals
  }
}

// Also between the ends of its messages: each takes 1.4 ms.
TEST(Samples, FollowAFlowPacketByPacket) {
  Scenario s = sampled(1, kEndless);
  s.transport.policy = {};
  s.transport.message_bytes = 1 << 24;
  s.sample = 70 * kUs;
  Simulation run(s);
  const std::vector<Json> samples = samples_of(run);
  for (size_t i = 5; i + 1 < samples.size(); ++i) {
    const Json& flow = samples[i].find("flows")->items.at(0);
    EXPECT_NEAR(decimal_of(flow, "gbps"), 98.04, 8) << i;  // an ACK for each 64 KiB
    EXPECT_LE(whole_of(flow, "in_flight_bytes"), 262'144);
    EXPECT_GT(whole_of(flow, "in_flight_bytes"), 0);
    EXPECT_EQ(flow.find("rate_gbps"), nullptr);
    for (const Json& link : samples[i].find("links")->items) {
      if (link.find("at")->text == "switch" && whole_of(link, "port") == 1) {
        EXPECT_NEAR(decimal_of(link, "use"), 1, 0.001) << i;
      }
    }
  }
}

TEST(Samples, ShowWhatCongestionControlAllows) {
  Simulation run(sampled(8, kEndless));
  bool cut = false;
  for (const Json& sample : samples_of(run)) {
    ASSERT_EQ(sample.find("flows")->items.size(), 8u);
    for (const Json& flow : sample.find("flows")->items) {
      if (flow.find("rate_gbps") == nullptr) continue;
      cut = true;
      EXPECT_LE(decimal_of(flow, "rate_gbps"), 100);
      EXPECT_GE(decimal_of(flow, "target_gbps"), decimal_of(flow, "rate_gbps"));
      EXPECT_GT(decimal_of(flow, "alpha"), 0);
      EXPECT_LE(decimal_of(flow, "alpha"), 1);
    }
  }
  EXPECT_TRUE(cut);
  Scenario s = sampled(8, kEndless);
  s.transport.policy.congestion = rdma::SwiftParameters{};
  Simulation swift(s);
  const std::vector<Json> samples = samples_of(swift);
  const Json& flow = samples.back().find("flows")->items.at(0);
  EXPECT_GT(whole_of(flow, "window_bytes"), 0);
  EXPECT_GT(decimal_of(flow, "rtt_us"), decimal_of(*parse_json(scenario_line(swift)), "rtt_us"));
}

// Go-back-0 takes acknowledgments of a message back: the flow gets nowhere, and no rate is below zero.
TEST(Samples, AreNotNegativeWhereAMessageStartsAgain) {
  Scenario s = sampled(1, kEndless);
  s.transport.policy = {};
  s.transport.policy.recovery = rdma::RecoveryKind::go_back_0;
  s.transport.message_bytes = 4 << 20;
  s.links.host.lose_every = 256;
  Simulation run(s);
  for (const Json& sample : samples_of(run)) {
    EXPECT_GE(decimal_of(sample.find("flows")->items.at(0), "gbps"), 0);
    EXPECT_LT(whole_of(sample.find("flows")->items.at(0), "acknowledged_bytes"), 4 << 20);
  }
}

TEST(Samples, AreBoundedAndSayWhatTheyLeaveOff) {
  Scenario s = sampled(8, 1 << 18);
  s.transport.policy = {};
  s.sample_flows = 3;
  s.sample_links = 5;
  Simulation run(s);
  const std::vector<Json> samples = samples_of(run);
  EXPECT_EQ(samples[1].find("flows")->items.size(), 3u);
  EXPECT_EQ(whole_of(samples[1], "flows_left_off"), 5);
  EXPECT_EQ(samples[1].find("links")->items.size(), 5u);
  EXPECT_GT(whole_of(samples[1], "links_left_off"), 0);
  // All have finished; each is in one more sample.
  EXPECT_EQ(samples.back().find("flows")->items.size(), 0u);
  EXPECT_EQ(samples.back().find("flows_left_off"), nullptr);
  s.sample_flows = s.sample_links = 0;
  Simulation plain(s);
  EXPECT_EQ(samples_of(plain).back().find("flows"), nullptr);
}

TEST(Samples, ChangeNothing) {
  Scenario s = sampled(8, kEndless);
  Simulation with(s);
  samples_of(with);
  s.sample = 0;
  Simulation without(s);
  without.run();
  EXPECT_EQ(with.fabric().trace(), without.fabric().trace());
}

}  // namespace
}  // namespace vlsim
