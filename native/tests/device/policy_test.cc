// Policies of a queue pair through the extension API: who may have one, what it does, and the settings of a process.
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
    const uroce_qp_policy policy{recovery, congestion, 0};
    return uroce_set_qp_policy(qp, &policy);
  }
};

TEST_F(QpPolicyTest, IsChosenBeforeTheQueuePairIsConnected) {
  EXPECT_EQ(set(nullptr, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_NONE), EINVAL);
  EXPECT_EQ(uroce_set_qp_policy(qp_a, nullptr), EINVAL);
  EXPECT_EQ(set(qp_a, 2, UROCE_CONGESTION_NONE), EINVAL);
  EXPECT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, 6), EINVAL);
  const uroce_qp_policy fast{0, UROCE_CONGESTION_DCQCN_NIC, UINT64_MAX};
  EXPECT_EQ(uroce_set_qp_policy(qp_a, &fast), EINVAL);
  for (uint32_t congestion = UROCE_CONGESTION_NONE; congestion <= UROCE_CONGESTION_TIMELY; ++congestion) {
    EXPECT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_0, congestion), 0) << congestion;
  }
  EXPECT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_NONE), 0);
  connect();
  EXPECT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_SWIFT), EINVAL);
  uroce_qp_congestion congestion{};
  EXPECT_EQ(uroce_query_qp_congestion(qp_a, nullptr), EINVAL);
  ASSERT_EQ(uroce_query_qp_congestion(qp_a, &congestion), 0);
  EXPECT_EQ(congestion.rate, 0u);
}

TEST_F(QpPolicyTest, DcqcnLowersTheRateOfASenderWhosePacketsAreMarked) {
  ASSERT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_DCQCN_NIC), 0);
  connect();
  uroce_qp_congestion congestion{};
  write_to_b(kBuffer);
  ASSERT_EQ(uroce_query_qp_congestion(qp_a, &congestion), 0);
  EXPECT_EQ(congestion.rate, 0u) << "no mark, no limit";
  uroce_shaping shaping{};
  shaping.mark_ppm = 1'000'000;
  ASSERT_EQ(uroce_set_shaped_faults(context, nullptr, nullptr, 0, &shaping), 0);
  // The rate returns within milliseconds, in which a busy machine may not let this thread run.
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (congestion.rate == 0 && std::chrono::steady_clock::now() < end) {
    write_to_b(kBuffer);
    ASSERT_EQ(uroce_query_qp_congestion(qp_a, &congestion), 0);
  }
  EXPECT_NE(congestion.rate, 0u);
  EXPECT_LT(congestion.rate, 10'000'000'000u);
  EXPECT_LE(congestion.rate, congestion.target_rate);
  ASSERT_EQ(uroce_set_faults(context, nullptr, nullptr, 0), 0);
  write_to_b(kBuffer);
}

TEST_F(QpPolicyTest, SwiftMeasuresRoundTrips) {
  ASSERT_EQ(set(qp_a, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_SWIFT), 0);
  ASSERT_EQ(set(qp_b, UROCE_RECOVERY_GO_BACK_N, UROCE_CONGESTION_SWIFT), 0);
  connect();
  for (int i = 0; i < 10; ++i) write_to_b(kBuffer);
  uroce_qp_congestion congestion{};
  ASSERT_EQ(uroce_query_qp_congestion(qp_a, &congestion), 0);
  EXPECT_NE(congestion.rtt_ns, 0u);
  EXPECT_NE(congestion.window_millis, 0u);
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
  const auto refused = [](const char* recovery, const char* congestion, const char* rate) {
    const Variables set(recovery, congestion, rate);
    const auto policy = policy_from_environment();
    return policy ? "accepted" : policy.error().text;
  };
  EXPECT_EQ(refused("go-back-1", "", ""), "UROCE_RECOVERY: \"go-back-1\" is none of go-back-n, go-back-0.");
  EXPECT_EQ(refused("", "bbr", ""),
            "UROCE_CONGESTION: \"bbr\" is none of none, dcqcn-paper, dcqcn-nic, dcqcn-ns3, swift, timely.");
  EXPECT_EQ(refused("", "", "0"), "UROCE_LINE_RATE: \"0\" is not a whole number of Gb/s from 1 to 10000.");
  EXPECT_EQ(refused("", "", "fast"),
            "UROCE_LINE_RATE: \"fast\" is not a whole number of Gb/s from 1 to 10000.");
}

}  // namespace
}  // namespace uroce::verbs::test
