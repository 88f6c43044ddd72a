// Policies of a queue pair through the extension API: who may have one, what it does, and the settings of a process.
#include <cstddef>
#include <cstdlib>
#include <string>

#include "tests/device/fixture.h"
#include "uroce/ext/uroce.h"
#include "uroce/verbs/device/policies.h"

namespace uroce::verbs::test {
namespace {

class QpPolicyTest : public DeviceTest {
 protected:
  static int set(ibv_qp* qp, uint32_t recovery, uint32_t congestion) {
    const uroce_qp_policy policy{recovery, congestion, 0, 0, 0};
    return uroce_set_qp_policy(qp, &policy);
  }
  static uroce_qp_policy_state state(ibv_qp* qp) {
    uroce_qp_policy_state state{};
    state.size = sizeof state;
    EXPECT_EQ(uroce_query_qp_policy(qp, &state), 0);
    return state;
  }
};

TEST_F(QpPolicyTest, IsChosenBeforeTheQueuePairIsConnected) {
  EXPECT_EQ(set(nullptr, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_NONE), EINVAL);
  EXPECT_EQ(uroce_set_qp_policy(qp_a, nullptr), EINVAL);
  EXPECT_EQ(set(qp_a, 3, UROCE_CONGESTION_NONE), EINVAL);
  EXPECT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, 7), EINVAL);
  const uroce_qp_policy fast{0, UROCE_CONGESTION_DCQCN_NIC, UINT64_MAX, 0, 0};
  EXPECT_EQ(uroce_set_qp_policy(qp_a, &fast), EINVAL);
  for (uint32_t congestion = UROCE_CONGESTION_NONE; congestion <= UROCE_CONGESTION_TIMELY_PATCHED;
       ++congestion) {
    EXPECT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_0, congestion), 0) << congestion;
  }
  EXPECT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_NONE), 0);
  connect();
  EXPECT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_SWIFT), EINVAL);
  EXPECT_EQ(state(qp_a).rate, 0u);
}

TEST_F(QpPolicyTest, IsToldWithTheSizeThatTheCallerKnows) {
  EXPECT_EQ(uroce_query_qp_policy(qp_a, nullptr), EINVAL);
  uroce_qp_policy_state told{};
  EXPECT_EQ(uroce_query_qp_policy(qp_a, &told), EINVAL);
  told.size = offsetof(uroce_qp_policy_state, recovery_in_effect) - 1;
  EXPECT_EQ(uroce_query_qp_policy(qp_a, &told), EINVAL);
  told.size = sizeof told;
  EXPECT_EQ(uroce_query_qp_policy(nullptr, &told), EINVAL);
  // A later caller knows more members: they stay as they are.
  struct {
    uroce_qp_policy_state known{};
    uint64_t later = 7;
  } longer;
  longer.known.size = sizeof longer;
  ASSERT_EQ(uroce_query_qp_policy(qp_a, &longer.known), 0);
  EXPECT_EQ(longer.known.size, sizeof longer.known);
  EXPECT_EQ(longer.later, 7u);
  EXPECT_EQ(longer.known.recovery, UROCE_RECOVERY_GO_BACK_N);
  EXPECT_EQ(longer.known.congestion, UROCE_CONGESTION_NONE);
  EXPECT_EQ(longer.known.line_rate, 0u);
}

// Each caller passes the structure that it knows.
TEST_F(QpPolicyTest, IsTakenWithTheSizeThatTheCallerKnows) {
  const uroce_qp_policy acks{0, 0, 0, 4, 5000};
  ASSERT_EQ(uroce_set_qp_policy(qp_a, &acks), 0);
  EXPECT_EQ(state(qp_a).ack_every, 4u);
  EXPECT_EQ(state(qp_a).ack_delay_ns, 5000u);
  // A program that was built before calls the function, and its structure ends with line_rate.
  ASSERT_EQ((uroce_set_qp_policy)(qp_a, &acks), 0);
  EXPECT_EQ(state(qp_a).ack_every, 0u);
  EXPECT_EQ(state(qp_a).ack_delay_ns, 0u);
  constexpr uint32_t kFirst = offsetof(uroce_qp_policy, ack_every);
  EXPECT_EQ(uroce_set_qp_policy_sized(qp_a, &acks, kFirst - 1), EINVAL);
  EXPECT_EQ(uroce_set_qp_policy_sized(qp_a, &acks, sizeof acks), 0);
  // A program that is built later may set what is not known here.
  struct {
    uroce_qp_policy known{0, 0, 0, 7, 0};
    uint64_t later = 0;
  } longer;
  EXPECT_EQ(uroce_set_qp_policy_sized(qp_a, &longer.known, sizeof longer), 0);
  EXPECT_EQ(state(qp_a).ack_every, 7u);
  longer.later = 1;
  EXPECT_EQ(uroce_set_qp_policy_sized(qp_a, &longer.known, sizeof longer), EINVAL);
}

TEST_F(QpPolicyTest, IsToldAsItWasChosen) {
  for (uint32_t recovery : {UROCE_RECOVERY_GO_BACK_N, UROCE_RECOVERY_GO_BACK_0}) {
    for (uint32_t congestion = UROCE_CONGESTION_NONE; congestion <= UROCE_CONGESTION_TIMELY_PATCHED;
         ++congestion) {
      const uroce_qp_policy policy{recovery, congestion, 25'000'000'000, 0, 0};
      ASSERT_EQ(uroce_set_qp_policy(qp_a, &policy), 0);
      const uroce_qp_policy_state told = state(qp_a);
      EXPECT_EQ(told.recovery, recovery);
      EXPECT_EQ(told.congestion, congestion);
      const bool has_line = congestion != UROCE_CONGESTION_NONE && congestion != UROCE_CONGESTION_SWIFT;
      EXPECT_EQ(told.line_rate, has_line ? 25'000'000'000u : 0u);
    }
  }
}

TEST_F(QpPolicyTest, DcqcnLowersTheRateOfASenderWhosePacketsAreMarked) {
  ASSERT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_DCQCN_NIC), 0);
  connect();
  write_to_b(kBuffer);
  uroce_qp_policy_state congestion = state(qp_a);
  EXPECT_EQ(congestion.rate, 0u) << "no mark, no limit";
  EXPECT_EQ(congestion.cnps, 0u);
  uroce_shaping shaping{};
  shaping.mark_ppm = 1'000'000;
  ASSERT_EQ(uroce_set_shaped_faults(context, nullptr, nullptr, 0, &shaping), 0);
  // The rate returns within milliseconds, in which a busy machine may not let this thread run.
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (congestion.rate == 0 && std::chrono::steady_clock::now() < end) {
    write_to_b(kBuffer);
    congestion = state(qp_a);
  }
  EXPECT_NE(congestion.rate, 0u);
  EXPECT_LT(congestion.rate, 10'000'000'000u);
  EXPECT_LE(congestion.rate, congestion.target_rate);
  EXPECT_GT(congestion.cnps, 0u);
  // Its peer sent a CNP for a mark; the ACKs were marked, too. Both are those of the device.
  EXPECT_GE(state(qp_b).marks, congestion.cnps);
  const auto sooner = counters();
  const uint64_t cnps = state(qp_a).cnps + state(qp_b).cnps, marks = state(qp_a).marks + state(qp_b).marks;
  const auto later = counters();
  EXPECT_GE(cnps, sooner.at("rp_cnp_handled"));
  EXPECT_LE(cnps, later.at("rp_cnp_handled"));
  EXPECT_GE(marks, sooner.at("np_ecn_marked_roce_packets"));
  EXPECT_LE(marks, later.at("np_ecn_marked_roce_packets"));
  ASSERT_EQ(uroce_set_faults(context, nullptr, nullptr, 0), 0);
  write_to_b(kBuffer);
}

TEST_F(QpPolicyTest, SwiftMeasuresRoundTrips) {
  ASSERT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_SWIFT), 0);
  ASSERT_EQ(set(qp_b, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_SWIFT), 0);
  connect();
  for (int i = 0; i < 10; ++i) write_to_b(kBuffer);
  const uroce_qp_policy_state congestion = state(qp_a);
  EXPECT_NE(congestion.rtt_ns, 0u);
  EXPECT_NE(congestion.srtt_ns, 0u);
  EXPECT_NE(congestion.window_millis, 0u);
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  ASSERT_EQ(ibv_query_qp(qp_a, &attr, IBV_QP_PATH_MTU, &init), 0);
  EXPECT_EQ(congestion.window_bytes, (congestion.window_millis * (128u << attr.path_mtu)) / 1000);
}

TEST_F(QpPolicyTest, GoBackZeroSendsTheWholeMessageAgain) {
  for (ibv_qp* qp : {qp_a, qp_b}) ASSERT_EQ(set(qp, UROCE_RECOVERY_GO_BACK_0, UROCE_CONGESTION_NONE), 0);
  connect();
  uroce_fault_rule rule{};
  rule.match = UROCE_MATCH_QPN | UROCE_MATCH_ITER;
  rule.qpn = qp_b->qp_num;
  rule.iter = 6;
  rule.action = UROCE_FAULT_DROP;
  ASSERT_EQ(uroce_set_faults(context, nullptr, &rule, 1), 0);
  const uint64_t before = counters().at("retransmitted_pkts");
  write_to_b(32 * 1024);  // eight packets; go-back-N would send three of them again
  EXPECT_GE(counters().at("retransmitted_pkts"), before + 6);
}

TEST_F(QpPolicyTest, SelectiveRepeatSendsOnlyTheLostPacketAgain) {
  for (ibv_qp* qp : {qp_a, qp_b})
    ASSERT_EQ(set(qp, UROCE_RECOVERY_SELECTIVE_REPEAT, UROCE_CONGESTION_NONE), 0);
  connect();
  EXPECT_EQ(state(qp_a).recovery, UROCE_RECOVERY_SELECTIVE_REPEAT);
  EXPECT_EQ(state(qp_a).recovery_in_effect, UROCE_RECOVERY_GO_BACK_N) << "nothing was heard of the peer";
  uroce_fault_rule rule{};
  rule.match = UROCE_MATCH_QPN | UROCE_MATCH_ITER;
  rule.qpn = qp_b->qp_num;
  rule.iter = 3;
  rule.action = UROCE_FAULT_DROP;
  ASSERT_EQ(uroce_set_faults(context, nullptr, &rule, 1), 0);
  const uint64_t before = counters().at("retransmitted_pkts");
  write_to_b(32 * 1024);  // eight packets; go-back-N would send six of them again
  EXPECT_EQ(counters().at("retransmitted_pkts"), before + 1);
  EXPECT_EQ(state(qp_a).recovery_in_effect, UROCE_RECOVERY_SELECTIVE_REPEAT);
  EXPECT_EQ(state(qp_b).recovery_in_effect, UROCE_RECOVERY_SELECTIVE_REPEAT);
}

TEST_F(QpPolicyTest, SelectiveRepeatGoesBackTowardsAPeerWithoutIt) {
  ASSERT_EQ(set(qp_a, UROCE_RECOVERY_SELECTIVE_REPEAT, UROCE_CONGESTION_NONE), 0);
  connect();
  uroce_fault_rule rule{};
  rule.match = UROCE_MATCH_QPN | UROCE_MATCH_ITER;
  rule.qpn = qp_b->qp_num;
  rule.iter = 3;
  rule.action = UROCE_FAULT_DROP;
  ASSERT_EQ(uroce_set_faults(context, nullptr, &rule, 1), 0);
  const uint64_t before = counters().at("retransmitted_pkts");
  write_to_b(32 * 1024);
  EXPECT_GE(counters().at("retransmitted_pkts"), before + 2);
  EXPECT_EQ(state(qp_a).recovery_in_effect, UROCE_RECOVERY_GO_BACK_N);
}

// Sets variables for the life of the object.
class Variables {
 public:
  Variables(const char* recovery, const char* congestion, const char* rate) {
    setenv("UROCE_RECOVERY", recovery, 1);
    setenv("UROCE_CONGESTION", congestion, 1);
    setenv("UROCE_LINE_RATE", rate, 1);
  }
  ~Variables() {
    for (const char* name : {"UROCE_RECOVERY", "UROCE_CONGESTION", "UROCE_LINE_RATE"}) unsetenv(name);
  }
};

TEST(PolicySettings, AreThoseOfTheEnvironment) {
  {
    const Variables set("go-back-0", "dcqcn-ns3", "25");
    const auto policy = policy_from_environment();
    ASSERT_TRUE(policy);
    EXPECT_EQ(policy->recovery, transport::RecoveryKind::go_back_0);
    const auto& dcqcn = std::get<transport::DcqcnParameters>(policy->congestion);
    EXPECT_EQ(dcqcn.line_rate, 25'000'000'000u);
    EXPECT_EQ(dcqcn.additive_step, 5'000'000u);
  }
  EXPECT_TRUE(std::holds_alternative<transport::NoLaw>(policy_from_environment()->congestion));
  EXPECT_EQ(policy_from_environment()->ack_every, 0u);
  EXPECT_EQ(policy_from_environment()->ack_delay_ns, transport::kDefaultAckDelay);
  const auto acks = [](const char* every, const char* delay) {
    setenv("UROCE_ACK_EVERY", every, 1);
    setenv("UROCE_ACK_DELAY", delay, 1);
    const auto policy = policy_from_environment();
    unsetenv("UROCE_ACK_EVERY");
    unsetenv("UROCE_ACK_DELAY");
    return policy ? std::to_string(policy->ack_every) + " " + std::to_string(policy->ack_delay_ns)
                  : policy.error().text;
  };
  EXPECT_EQ(acks("4", "7"), "4 7000");
  EXPECT_EQ(acks("1", "0"), "1 1");
  EXPECT_EQ(acks("0", "7"), "UROCE_ACK_EVERY: \"0\" is not a whole number of packets from 1 to 1000000.");
  EXPECT_EQ(acks("4", "x"),
            "UROCE_ACK_DELAY: \"x\" is not a whole number of microseconds from 0 to 1000000.");
  const auto refused = [](const char* recovery, const char* congestion, const char* rate) {
    const Variables set(recovery, congestion, rate);
    const auto policy = policy_from_environment();
    return policy ? "accepted" : policy.error().text;
  };
  EXPECT_EQ(refused("go-back-1", "", ""),
            "UROCE_RECOVERY: \"go-back-1\" is none of go-back-n, go-back-0, selective-repeat.");
  EXPECT_EQ(refused("", "bbr", ""),
            "UROCE_CONGESTION: \"bbr\" is none of none, dcqcn-paper, dcqcn-nic, dcqcn-ns3, swift, timely, "
            "timely-patched.");
  EXPECT_EQ(refused("", "", "0"), "UROCE_LINE_RATE: \"0\" is not a whole number of Gb/s from 1 to 10000.");
  EXPECT_EQ(refused("", "", "fast"),
            "UROCE_LINE_RATE: \"fast\" is not a whole number of Gb/s from 1 to 10000.");
}

}  // namespace
}  // namespace uroce::verbs::test
