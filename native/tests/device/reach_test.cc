// UROCE_LINK: destinations that `shm` cannot reach, and reports, and that `auto` can reach.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/device/fixture.h"
#include "tests/under_sanitizers.h"

namespace uroce::verbs::test {
namespace {

class ReachTest : public DeviceTest {
 protected:
  explicit ReachTest(const char* link = "shm") : link_(link) {}
  void SetUp() override {
    if (const char* old = std::getenv("UROCE_LINK")) old_ = old;
    setenv("UROCE_LINK", link_, 1);
    DeviceTest::SetUp();
  }
  void TearDown() override {
    DeviceTest::TearDown();
    setenv("UROCE_LINK", old_.c_str(), 1);  // empty: as if it were not set
  }

  // The device's own address (GID index 1), or 192.0.2.9, an address for documentation.
  ibv_ah_attr to(bool this_host) {
    ibv_ah_attr ah{};
    ah.is_global = 1;
    ah.port_num = 1;
    ah.grh.sgid_index = 1;
    EXPECT_EQ(ibv_query_gid(context, 1, 1, &ah.grh.dgid), 0);
    const uint8_t other[] = {192, 0, 2, 9};
    if (!this_host) std::memcpy(ah.grh.dgid.raw + 12, other, sizeof other);
    return ah;
  }
  int to_rtr(bool this_host, uint32_t qpn) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = IBV_MTU_1024;
    attr.dest_qp_num = qpn;
    attr.ah_attr = to(this_host);
    return ibv_modify_qp(qp_a, &attr,
                         IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                             IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  }

 private:
  const char* link_;
  std::string old_;
};

class ReachOfAutoTest : public ReachTest {
 protected:
  ReachOfAutoTest() : ReachTest("auto") {}
};

TEST_F(ReachTest, ConnectsToAProcessOfThisHost) {
  ASSERT_EQ(to_init(qp_a), 0);
  EXPECT_EQ(to_rtr(true, qp_b->qp_num), 0);
}

TEST_F(ReachTest, RefusesAnotherHostAndSaysWhatToDo) {
  ASSERT_EQ(to_init(qp_a), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(to_rtr(false, qp_b->qp_num), EHOSTUNREACH);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "uroce: ibv_modify_qp failed (EHOSTUNREACH): UROCE_LINK=shm does not reach 192.0.2.9, which is not an "
      "address of this host. Choose UROCE_LINK=auto (--link auto).\n");
  EXPECT_EQ(to_rtr(true, qp_b->qp_num), 0) << "it stays in INIT";
}

TEST_F(ReachTest, RefusesASlotWithoutAProcessOfThisUser) {
  ASSERT_EQ(to_init(qp_a), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(to_rtr(true, 0xffe001), EHOSTUNREACH);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("does not reach queue pair 0xffe001 at "), std::string::npos) << said;
  EXPECT_NE(said.find("this user has no process there"), std::string::npos) << said;
}

TEST_F(ReachTest, RefusesAnAddressHandleToAnotherHost) {
  testing::internal::CaptureStderr();
  ibv_ah_attr far = to(false), near = to(true);
  errno = 0;
  EXPECT_EQ(ibv_create_ah(pd, &far), nullptr);
  EXPECT_EQ(errno, EHOSTUNREACH);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("192.0.2.9"), std::string::npos);
  ibv_ah* ah = ibv_create_ah(pd, &near);
  ASSERT_NE(ah, nullptr);
  EXPECT_EQ(ibv_destroy_ah(ah), 0);
}

// Datagrams name a process only when they are sent.
TEST_F(ReachTest, DropsAndCountsADatagramToAProcessWithoutRings) {
  replace_qps(IBV_QPT_UD);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = 1;
  attr.qkey = 7;
  ASSERT_EQ(ibv_modify_qp(qp_a, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY), 0);
  attr.qp_state = IBV_QPS_RTR;
  ASSERT_EQ(ibv_modify_qp(qp_a, &attr, IBV_QP_STATE), 0);
  attr.qp_state = IBV_QPS_RTS;
  ASSERT_EQ(ibv_modify_qp(qp_a, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
  ibv_ah_attr near = to(true);
  ibv_ah* ah = ibv_create_ah(pd, &near);
  ASSERT_NE(ah, nullptr);
  const auto before = counters();
  ibv_sge sge = sge_a(0, 64);
  ibv_send_wr wr = send_wr(IBV_WR_SEND, &sge);
  wr.wr.ud.ah = ah;
  wr.wr.ud.remote_qpn = 0xffe001;
  wr.wr.ud.remote_qkey = 7;
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS) << "a datagram may be lost";
  const auto after = counters();
  EXPECT_EQ(after.at("shm_unreachable_pkts") - before.at("shm_unreachable_pkts"), 1u);
  EXPECT_EQ(after.at("udp_sends"), before.at("udp_sends"));
  EXPECT_EQ(ibv_destroy_ah(ah), 0);
}

TEST_F(ReachTest, LetsAQueuePairChooseTheSockets) {
  ASSERT_EQ(uroce_set_qp_link(qp_a, UROCE_LINK_UDP), 0);
  ASSERT_EQ(to_init(qp_a), 0);
  EXPECT_EQ(to_rtr(false, qp_b->qp_num), 0);
}

TEST_F(ReachOfAutoTest, ReachesAnotherHostThroughTheSockets) {
  ASSERT_EQ(to_init(qp_a), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(to_rtr(false, qp_b->qp_num), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  uroce_link link{};
  EXPECT_EQ(uroce_query_qp_link(qp_a, &link), 0);
  EXPECT_EQ(link, UROCE_LINK_UDP);
}

// A ring is made on first use, when the program may have used up its descriptors.
TEST_F(ReachOfAutoTest, UsesTheSocketsAndSaysSoOnceWhereNoDescriptorIsLeft) {
  if (kUnderSanitizers) GTEST_SKIP() << "UBSan's check of virtual calls needs descriptors of its own";
  testing::internal::CaptureStderr();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = dup(STDERR_FILENO);
  close(next);
  const rlimit tight{static_cast<rlim_t>(next), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
  connect();
  memory_a.assign(kBuffer, 0x5a);
  ibv_sge sge = sge_a(0, kBuffer);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, 0);
  const int posted = post(qp_a, wr);
  const ibv_wc wc = poll_one(cq_a);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(posted, 0);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(memory_b, memory_a);
  const std::size_t at = said.find("uroce: cannot use shared memory: no file descriptor is left of ");
  EXPECT_NE(at, std::string::npos) << said;
  EXPECT_EQ(said.find("uroce: ", at + 1), std::string::npos) << "more than once: " << said;
  EXPECT_NE(said.find("(ulimit -n). Packets go through the kernel (UDP) instead. Raise the limit"),
            std::string::npos)
      << said;
  EXPECT_GT(counters().at("udp_sends"), 0u);
}

}  // namespace
}  // namespace uroce::verbs::test
