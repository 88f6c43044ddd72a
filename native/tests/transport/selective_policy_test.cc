// Which packets selective repeat finds lost.
#include <gtest/gtest.h>

#include <vector>

#include "uroce/transport/policy/selective_repeat.h"

namespace uroce::transport::test {
namespace {

// The packets behind `expected` at these distances have arrived.
Arrived behind(std::initializer_list<uint32_t> distances) {
  Arrived a;
  for (const uint32_t d : distances) a.set(d - 1);
  return a;
}

class SelectivePolicy : public testing::Test {
 protected:
  SelectivePolicy() { policy.reset(kFirst); }
  void send(uint32_t packets) {
    for (uint32_t i = 0; i < packets; ++i) policy.sent(next++, 1);
  }
  // PSNs that are to be sent again, and are.
  std::vector<uint64_t> resend() {
    std::vector<uint64_t> psns;
    while (const auto psn = policy.next_resend(next)) {
      psns.push_back(*psn);
      policy.sent(*psn, 1);
    }
    return psns;
  }
  static constexpr uint64_t kFirst = 1000;
  using Psns = std::vector<uint64_t>;
  SelectiveRepeat policy;
  uint64_t next = kFirst;
};

TEST_F(SelectivePolicy, SendsOnceWhatIsMissing) {
  send(10);
  EXPECT_TRUE(policy.reported(1000, behind({2, 3, 5}), next));
  EXPECT_EQ(resend(), (Psns{1000, 1001, 1004}));
  EXPECT_FALSE(policy.reported(1000, behind({2, 3, 5, 6}), next)) << "no more than that is missing";
  EXPECT_EQ(resend(), Psns{});
}

TEST_F(SelectivePolicy, FindsALostRetransmissionByWhatWasSentLater) {
  send(4);
  policy.reported(1000, behind({1}), next);
  EXPECT_EQ(resend(), Psns{1000});
  EXPECT_FALSE(policy.reported(1000, behind({1, 2, 3}), next)) << "sent before the retransmission";
  send(2);
  EXPECT_TRUE(policy.reported(1000, behind({1, 2, 3, 4}), next)) << "1004 was sent behind it";
  EXPECT_EQ(resend(), Psns{1000});
}

TEST_F(SelectivePolicy, ATimeoutSendsAllThatHasNotArrived) {
  send(6);
  policy.reported(1000, behind({2, 4}), next);
  resend();
  policy.timed_out(next);
  EXPECT_EQ(resend(), (Psns{1000, 1001, 1003, 1005}));
  // They tell of each other, as new packets do.
  EXPECT_TRUE(policy.reported(1000, behind({2, 3, 4}), next));
  EXPECT_EQ(resend(), (Psns{1000, 1001}));
  EXPECT_EQ(policy.timeouts(), 1u);
  policy.acked(1001);
  EXPECT_EQ(policy.timeouts(), 0u);
}

TEST_F(SelectivePolicy, WaitsLongerForPacketsThatWereOnlyLate) {
  send(30);
  policy.reported(1000, behind({1}), next);
  EXPECT_EQ(resend(), Psns{1000}) << "1001 has overtaken it";
  policy.acked(1002);  // the first copy, as nothing of 1002 to 1029 has come yet
  EXPECT_EQ(policy.tolerance(), 2u);
  EXPECT_FALSE(policy.reported(1002, behind({1}), next)) << "one packet ahead is no loss any more";
  EXPECT_TRUE(policy.reported(1002, behind({1, 2}), next));
  EXPECT_EQ(resend(), Psns{1002});
  for (uint64_t psn = 1003; psn < 1029; ++psn) policy.acked(psn);
  // The last packet of all has come: nothing more can tell of the one before it.
  send(2);
  policy.acked(1030);
  EXPECT_TRUE(policy.reported(1030, behind({1}), next));
}

TEST_F(SelectivePolicy, NoticesThatThePeerHasGivenUpWhatItKept) {
  send(8);
  policy.reported(1000, behind({1, 2, 3}), next);
  EXPECT_EQ(resend(), Psns{1000});
  policy.acked(1001);
  EXPECT_FALSE(policy.forgotten(1002, next)) << "it expects another";
  EXPECT_TRUE(policy.forgotten(1001, next)) << "it said that it has 1001, and now wants it";
  EXPECT_EQ(resend(), (Psns{1001, 1002, 1003}));
  EXPECT_FALSE(policy.forgotten(1001, next));
}

TEST_F(SelectivePolicy, HoldsAsManyAsANakCanName) {
  for (uint32_t round = 0; round < 5; ++round) {
    const uint64_t first = next;
    send(SelectiveRepeat::kReach);
    Arrived all;
    for (uint32_t i = 0; i + 1 < SelectiveRepeat::kReach; ++i) all.set(i);
    EXPECT_TRUE(policy.reported(first, all, next));
    EXPECT_EQ(resend(), Psns{first});
    policy.acked(first + 100);
    send(100);
    policy.acked(next);
    EXPECT_FALSE(policy.next_resend(next));
  }
}

}  // namespace
}  // namespace uroce::transport::test
