// Policies of queue pairs in virtual time: random work with any of them over a faulty network, go-back-0 against its
// arithmetic, and what the laws of congestion control do to the queue of a slow link.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

#include "duo.h"
#include "seeds.h"
#include "simulation.h"

namespace uroce::sim {
namespace {

using transport::DcqcnParameters;
using transport::QpPolicy;
using transport::RecoveryKind;
using transport::SwiftParameters;
using transport::TimelyParameters;

constexpr uint64_t kLine = 10'000'000'000;  // bits per second

// Both ends alike. Rates of at least 100 Mb/s, so that virtual time goes by in reasonable steps.
QpPolicy random_policy(SeededRandom& r) {
  QpPolicy policy;
  const uint32_t recovery = r.below(3);
  if (recovery == 0) policy.recovery = RecoveryKind::go_back_0;
  if (recovery == 1) policy.recovery = RecoveryKind::selective_repeat;
  DcqcnParameters (*const presets[])(uint64_t) = {DcqcnParameters::paper, DcqcnParameters::nic,
                                                  DcqcnParameters::ns3};
  switch (r.below(4)) {
    case 0: {
      DcqcnParameters p = presets[r.below(std::size(presets))](kLine);
      p.min_rate = std::max<uint64_t>(p.min_rate, 100'000'000);
      policy.congestion = p;
      break;
    }
    case 1:
      policy.congestion = SwiftParameters{};
      break;
    case 2: {
      TimelyParameters p = TimelyParameters::paper(kLine);
      p.min_rate = 100'000'000;
      policy.congestion = p;
      break;
    }
    default:
      break;
  }
  return policy;
}

// Pools of any size. At times one end goes back, and the other must do the same.
void choose_pools(Scenario& s, SeededRandom& r) {
  for (transport::EngineConfig& engine : s.engine) engine.reorder_packets = 1u << r.below(9);
  if (r.below(4) == 0) s.engine[r.below(2)].policy.recovery = RecoveryKind::go_back_n;
}

Scenario with_selective_repeat(SeededRandom& r) {
  Scenario s = make_scenario(r);
  s.faultless = false;  // a packet that is late is sent again
  QpPolicy policy = random_policy(r);
  policy.recovery = RecoveryKind::selective_repeat;
  for (transport::EngineConfig& engine : s.engine) engine.policy = policy;
  choose_pools(s, r);
  return s;
}

Scenario with_policies(SeededRandom& r) {
  Scenario s = make_scenario(r);
  s.faultless = false;  // a slow rate may bring READ responses later than the requester waits for them
  const QpPolicy policy = random_policy(r);
  // A message that may not lose a packet must be short where every fifth is lost.
  if (policy.recovery == RecoveryKind::go_back_0) s.shape.max_size = 4u * s.shape.mtu;
  for (transport::EngineConfig& engine : s.engine) engine.policy = policy;
  if (policy.recovery == RecoveryKind::selective_repeat) choose_pools(s, r);
  return s;
}

void run_policies(uint64_t packets, Scenario (*choose)(SeededRandom&) = with_policies) {
  Outcome total;
  const auto one = [choose](uint64_t seed) { return run_simulation(seed, 50'000, choose); };
  if (run_seeds(packets, "sim_tests --gtest_filter=Policy*", one, &total))
    testing::Test::RecordProperty("packets", std::to_string(total.packets));
}

TEST(Policy, SurvivesAFaultyNetwork) { run_policies(500'000); }

TEST(Policy, SelectiveRepeatSurvivesAFaultyNetwork) { run_policies(500'000, with_selective_repeat); }

TEST(PolicyLong, SurvivesAFaultyNetwork) { run_policies(options().packets); }

TEST(PolicyLong, SelectiveRepeatSurvivesAFaultyNetwork) {
  run_policies(options().packets, with_selective_repeat);
}

transport::SendWr write_of(const Duo::End& to, const transport::Sge& source) {
  transport::SendWr wr;
  wr.flags = send_flag::signaled;
  wr.opcode = WrOpcode::rdma_write;
  wr.sg_list = &source;
  wr.num_sge = 1;
  wr.remote_addr = Duo::kIova;
  wr.rkey = to.key;
  return wr;
}

// Writes messages until so many are done or so many packets were sent. What it took, in packets.
uint64_t write_messages(Duo& duo, uint32_t bytes, uint32_t messages, uint64_t most_packets) {
  Duo::End &a = duo.end(0), &b = duo.end(1);
  const transport::Sge source = a.sge(0, bytes);
  const transport::SendWr wr = write_of(b, source);
  uint32_t posted = 0;
  do {
    while (posted < messages && a.engine.post_send(*a.qp, wr, duo.now()) == 0) ++posted;
  } while (a.done.size() < messages && a.engine.counters().sent_pkts < most_packets && duo.step());
  for (const transport::Completion& wc : a.done) EXPECT_EQ(wc.status, WcStatus::success);
  return a.engine.counters().sent_pkts;
}

DuoSetup slow_link(RecoveryKind recovery) {
  DuoSetup s;
  s.link = {2'000, 800};
  s.engine.policy.recovery = recovery;
  s.engine.timeout_window_cut = 1;  // as a NIC
  s.engine.retry_seven_is_endless = true;
  return s;
}

TEST(GoBackZero, EveryKthLossStopsLongMessagesAndNotShortOnes) {
  constexpr uint32_t kMtu = 1024, kEvery = 256;
  const auto run = [](RecoveryKind recovery, uint32_t packets, uint32_t messages) {
    DuoSetup s = slow_link(recovery);
    s.faults[0].drop_every = kEvery;
    Duo duo(s);
    write_messages(duo, packets * kMtu, messages, 100'000);
    return duo.end(0).done.size();
  };
  EXPECT_EQ(run(RecoveryKind::go_back_0, 512, 10), 0u) << "100,000 packets sent, and nothing has arrived";
  EXPECT_EQ(run(RecoveryKind::go_back_n, 512, 10), 10u);
  EXPECT_EQ(run(RecoveryKind::go_back_0, 16, 1000), 1000u);
}

TEST(GoBackZero, RandomLossCostsWhatRestartsCost) {
  constexpr uint32_t kMtu = 1024, kPackets = 64, kMessages = 1000, kWindow = 8;
  constexpr double p = 0.01;
  DuoSetup s = slow_link(RecoveryKind::go_back_0);
  s.depth = 1;  // a single message at a time
  s.faults[0].drop = 100;
  s.engine.window_packets = kWindow;
  s.engine.ack_request_packets = 1;
  Duo duo(s);
  const uint64_t sent = write_messages(duo, kPackets * kMtu, kMessages, UINT64_MAX);
  ASSERT_EQ(duo.end(0).done.size(), kMessages);
  // Geometric restarts; with each one the packets that were in flight behind the loss are wasted.
  const double each = static_cast<double>(sent) / kMessages;
  const double restarts = std::pow(1 - p, -static_cast<double>(kPackets)) - 1;
  const double expected = restarts * (1 / p + kWindow - 1);
  std::printf("packets per message of %u: %.1f, formula %.1f\n", kPackets, each, expected);
  EXPECT_NEAR(each / expected, 1, 0.06);
}

struct Queue {
  double mean_bytes, goodput_gbps;
  transport::Counters sender;
};

// A flow of 1 MiB messages over a link of 10 Gb/s that marks by its queue. The sender's window is far larger than
// the link holds, so that without control the queue is as long as the window.
Queue through_a_slow_link(const QpPolicy& policy, uint32_t mark_above) {
  DuoSetup s;
  s.link = {5'000, 800};
  s.engine.policy = policy;
  s.engine.window_bytes = 1 << 18;
  s.engine.window_packets = 1 << 16;
  s.mark_above = mark_above;
  s.timeout = 14;
  Duo duo(s);
  const uint64_t start = duo.now();
  constexpr uint32_t kBytes = 1 << 20, kMessages = 200;
  write_messages(duo, kBytes, kMessages, UINT64_MAX);
  const double seconds = static_cast<double>(duo.now() - start) / 1e9;
  Queue q;
  q.mean_bytes = duo.end(0).mean_queue();
  q.goodput_gbps = 8.0 * kBytes * kMessages / seconds / 1e9;
  q.sender = duo.end(0).engine.counters();
  EXPECT_EQ(q.sender.local_ack_timeout_err, 0u);
  return q;
}

TEST(CongestionLaws, KeepTheQueueOfASlowLinkShort) {
  const auto show = [](const char* name, const Queue& q) {
    std::printf("%-14s mean queue %7.0f B, %5.2f Gb/s, %" PRIu64 " CNPs\n", name, q.mean_bytes,
                q.goodput_gbps, q.sender.rp_cnp_handled);
    return q;
  };
  constexpr uint32_t kMarkAbove = 50'000;
  const Queue none = show("none", through_a_slow_link({}, kMarkAbove));
  EXPECT_GT(none.mean_bytes, 200'000);
  EXPECT_GT(none.sender.rp_cnp_handled, 100u) << "CNPs come all the same";
  const Queue paper =
      show("DCQCN paper", through_a_slow_link({.congestion = DcqcnParameters::paper(kLine)}, kMarkAbove));
  const Queue ns3 =
      show("DCQCN ns-3", through_a_slow_link({.congestion = DcqcnParameters::ns3(kLine)}, kMarkAbove));
  const Queue swift = show("Swift", through_a_slow_link({.congestion = SwiftParameters{}}, 0));
  const Queue timely = show("TIMELY", through_a_slow_link({.congestion = TimelyParameters::paper(kLine)}, 0));
  for (const Queue& q : {paper, ns3, swift, timely}) EXPECT_LT(q.mean_bytes, none.mean_bytes / 10);
  EXPECT_GT(swift.goodput_gbps, none.goodput_gbps * 0.95) << "a window keeps the link busy";
  // What rates lost in the first burst they regain in additive steps: the time of the run is short for that.
  EXPECT_GT(paper.goodput_gbps, none.goodput_gbps * 0.5);
  EXPECT_LT(ns3.goodput_gbps, paper.goodput_gbps);
  EXPECT_GT(timely.goodput_gbps, 1);
}

}  // namespace
}  // namespace uroce::sim
