// Unreliable connections through the verbs.
#include <errno.h>

#include <algorithm>

#include "fixture.h"

namespace uroce::verbs::test {
namespace {

// Reads memory that a device writes meanwhile, as by DMA: a race for ThreadSanitizer, but intended.
__attribute__((no_sanitize("thread"))) uint8_t look(const volatile uint8_t* at) { return *at; }

class UcTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_NO_FATAL_FAILURE(replace_qps(IBV_QPT_UC));
    for (auto [one, other] : {std::pair(qp_a, qp_b), std::pair(qp_b, qp_a)}) {
      ASSERT_EQ(to_init(one), 0);
      ibv_qp_attr attr{};
      attr.qp_state = IBV_QPS_RTR;
      attr.path_mtu = IBV_MTU_1024;
      attr.dest_qp_num = other->qp_num;
      attr.rq_psn = 7;
      attr.ah_attr.is_global = 1;
      attr.ah_attr.port_num = 1;
      attr.ah_attr.grh.sgid_index = 1;
      ASSERT_EQ(ibv_query_gid(context, 1, 1, &attr.ah_attr.grh.dgid), 0);
      ASSERT_EQ(ibv_modify_qp(one, &attr,
                              IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN),
                0);
      attr.qp_state = IBV_QPS_RTS;
      attr.sq_psn = 7;
      ASSERT_EQ(ibv_modify_qp(one, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
    }
  }
};

TEST_F(UcTest, SendAndReceive) {
  for (std::size_t i = 0; i < kBuffer; ++i) memory_a[i] = static_cast<uint8_t>(i * 7);
  for (uint32_t size : {0u, 1u, 1024u, 1025u, 100'000u, 1'000'000u}) {
    std::fill(memory_b.begin(), memory_b.end(), 0);
    ASSERT_EQ(post_recv(qp_b, sge_b(0, kBuffer)), 0);
    ibv_sge sge = sge_a(0, size);
    ibv_send_wr wr = send_wr(IBV_WR_SEND_WITH_IMM, &sge);
    wr.imm_data = htobe32(size);
    ASSERT_EQ(post(qp_a, wr), 0);
    EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
    const ibv_wc wc = poll_one(cq_b);
    ASSERT_EQ(wc.status, IBV_WC_SUCCESS) << size;
    EXPECT_EQ(wc.byte_len, size);
    EXPECT_EQ(wc.imm_data, htobe32(size));
    EXPECT_TRUE(std::equal(memory_a.begin(), memory_a.begin() + size, memory_b.begin()));
  }
}

// Far more than any receive buffer holds, without acknowledgments: all must arrive, since sender and
// receiver share an address.
TEST_F(UcTest, NothingIsLostOnOneAddress) {
  constexpr uint32_t kMessages = 2000, kSize = 60'000, kDepth = 32;
  uint32_t posted = 0, received = 0;
  for (uint32_t i = 0; i < kDepth; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, kBuffer)), 0);
  uint32_t sent = 0;
  while (received < kMessages) {
    while (posted < kMessages && posted - received < kDepth) {
      ibv_sge sge = sge_a(0, kSize);
      ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge, posted)), 0);
      ++posted;
    }
    ibv_wc wc;
    while (ibv_poll_cq(cq_a, 1, &wc) == 1) ++sent;
    const ibv_wc got = poll_one(cq_b);
    ASSERT_EQ(got.status, IBV_WC_SUCCESS) << "message " << received << " of " << posted;
    ASSERT_EQ(got.byte_len, kSize);
    ++received;
    ASSERT_EQ(post_recv(qp_b, sge_b(0, kBuffer)), 0);
  }
  while (sent < kMessages) {
    ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
    ++sent;
  }
}

TEST_F(UcTest, WriteLandsWithoutACompletion) {
  memory_a[5] = 0x5a;
  ibv_sge sge = sge_a(5, 1);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, 9);
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).opcode, IBV_WC_RDMA_WRITE);
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  ibv_wc wc;
  while (look(&memory_b[9]) != 0x5a && std::chrono::steady_clock::now() < end) {
    ASSERT_EQ(ibv_poll_cq(cq_b, 1, &wc), 0);
  }
  EXPECT_EQ(look(&memory_b[9]), 0x5a);
}

TEST_F(UcTest, ReadsAndAtomicsCompleteInError) {
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_READ, &sge);
  aim(&wr, 0);
  EXPECT_EQ(post(qp_a, wr), 0);
  wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
  EXPECT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_LOC_QP_OP_ERR);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_WR_FLUSH_ERR);
}

TEST_F(UcTest, QueryTellsTheType) {
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  ASSERT_EQ(ibv_query_qp(qp_a, &attr, IBV_QP_STATE, &init), 0);
  EXPECT_EQ(init.qp_type, IBV_QPT_UC);
  EXPECT_EQ(attr.qp_state, IBV_QPS_RTS);
  EXPECT_EQ(attr.path_mtu, IBV_MTU_1024);
  EXPECT_EQ(attr.dest_qp_num, qp_b->qp_num);
}

TEST_F(UcTest, ALocalErrorLeadsToSqeAndRtsLeadsBack) {
  ibv_sge sge = sge_a(0, 8);
  sge.lkey ^= 1;
  ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge)), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_LOC_PROT_ERR);
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  ASSERT_EQ(ibv_query_qp(qp_a, &attr, IBV_QP_STATE, &init), 0);
  EXPECT_EQ(attr.qp_state, IBV_QPS_SQE);
  attr.qp_state = IBV_QPS_RTS;
  ASSERT_EQ(ibv_modify_qp(qp_a, &attr, IBV_QP_STATE), 0);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 8)), 0);
  sge.lkey ^= 1;
  ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge)), 0);
  EXPECT_EQ(poll_one(cq_b).byte_len, 8u);
}

}  // namespace
}  // namespace uroce::verbs::test
