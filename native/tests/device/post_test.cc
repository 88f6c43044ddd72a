// Work requests of every kind, over both address families.
#include <numeric>
#include <random>
#include <thread>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

class PostTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    std::iota(memory_a.begin(), memory_a.end(), uint8_t{1});
  }
};

TEST_F(PostTest, WriteOfEverySize) {
  connect();
  for (uint32_t size : {1u, 2u, 3u, 4095u, 4096u, 4097u, 65536u, 100'001u, 1u << 20}) {
    std::fill(memory_b.begin(), memory_b.end(), uint8_t{0});
    ibv_sge sge = sge_a(0, size);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, size);
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
    const ibv_wc wc = poll_one(cq_a);
    ASSERT_EQ(wc.status, IBV_WC_SUCCESS) << size;
    EXPECT_EQ(wc.wr_id, size);
    EXPECT_EQ(wc.opcode, IBV_WC_RDMA_WRITE);
    EXPECT_EQ(wc.qp_num, qp_a->qp_num);
    EXPECT_EQ(std::memcmp(memory_a.data(), memory_b.data(), size), 0);
    if (size < kBuffer) {
      EXPECT_EQ(memory_b[size], 0);
    }
  }
}

TEST_F(PostTest, OverIpv6) {
  ibv_gid gid{};
  ibv_query_gid(context, 1, 0, &gid);
  if (gid.global.subnet_prefix == 0 && gid.global.interface_id == 0) GTEST_SKIP() << "no ::1 on this machine";
  connect(0);
  ibv_sge sge = sge_a(0, 70'000);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, 0);
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  EXPECT_EQ(std::memcmp(memory_a.data(), memory_b.data(), 70'000), 0);
}

TEST_F(PostTest, ReadBringsItBack) {
  connect();
  std::iota(memory_b.begin(), memory_b.end(), uint8_t{77});
  ibv_sge sge = sge_a(100, 300'000);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_READ, &sge);
  aim(&wr, 1000);
  ASSERT_EQ(post(qp_a, wr), 0);
  const ibv_wc wc = poll_one(cq_a);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(wc.byte_len, 300'000u);
  EXPECT_EQ(std::memcmp(&memory_a[100], &memory_b[1000], 300'000), 0);
}

TEST_F(PostTest, SendWithImmediateIntoScatteredMemory) {
  connect();
  ibv_sge parts[2] = {sge_b(10, 5000), sge_b(9000, 5000)};
  ibv_recv_wr recv{};
  recv.wr_id = 42;
  recv.sg_list = parts;
  recv.num_sge = 2;
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(ibv_post_recv(qp_b, &recv, &bad), 0);
  ibv_sge gather[3] = {sge_a(0, 1), sge_a(500, 6000), sge_a(100'000, 999)};
  ibv_send_wr wr = send_wr(IBV_WR_SEND_WITH_IMM, gather);
  wr.num_sge = 3;
  wr.imm_data = htobe32(0x12345678);
  ASSERT_EQ(post(qp_a, wr), 0);
  const ibv_wc wc = poll_one(cq_b);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(wc.opcode, IBV_WC_RECV);
  EXPECT_EQ(wc.wr_id, 42u);
  EXPECT_EQ(wc.byte_len, 7000u);
  EXPECT_EQ(wc.wc_flags, static_cast<unsigned>(IBV_WC_WITH_IMM));
  EXPECT_EQ(wc.imm_data, htobe32(0x12345678));
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  std::vector<uint8_t> sent;
  for (const ibv_sge& s : gather) {
    const auto* p = reinterpret_cast<const uint8_t*>(s.addr);
    sent.insert(sent.end(), p, p + s.length);
  }
  EXPECT_EQ(std::memcmp(sent.data(), &memory_b[10], 5000), 0);
  EXPECT_EQ(std::memcmp(sent.data() + 5000, &memory_b[9000], 2000), 0);
}

TEST_F(PostTest, WriteWithImmediateTakesAReceive) {
  connect();
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 0), 9), 0);
  ibv_sge sge = sge_a(0, 5000);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE_WITH_IMM, &sge);
  wr.imm_data = htobe32(7);
  aim(&wr, 0);
  ASSERT_EQ(post(qp_a, wr), 0);
  const ibv_wc wc = poll_one(cq_b);
  EXPECT_EQ(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
  EXPECT_EQ(wc.wr_id, 9u);
  EXPECT_EQ(wc.byte_len, 5000u);
  EXPECT_EQ(wc.imm_data, htobe32(7));
}

TEST_F(PostTest, AtomicsReturnWhatWasThere) {
  connect();
  auto* word = reinterpret_cast<uint64_t*>(&memory_b[64]);
  *word = 40;
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr add = send_wr(IBV_WR_ATOMIC_FETCH_AND_ADD, &sge);
  add.wr.atomic = {
      .remote_addr = reinterpret_cast<uintptr_t>(word), .compare_add = 2, .swap = 0, .rkey = mr_b->rkey};
  ASSERT_EQ(post(qp_a, add), 0);
  EXPECT_EQ(poll_one(cq_a).opcode, IBV_WC_FETCH_ADD);
  EXPECT_EQ(*reinterpret_cast<uint64_t*>(memory_a.data()), 40u);
  EXPECT_EQ(*word, 42u);
  ibv_send_wr cas = send_wr(IBV_WR_ATOMIC_CMP_AND_SWP, &sge);
  cas.wr.atomic = {
      .remote_addr = reinterpret_cast<uintptr_t>(word), .compare_add = 42, .swap = 7, .rkey = mr_b->rkey};
  ASSERT_EQ(post(qp_a, cas), 0);
  EXPECT_EQ(poll_one(cq_a).opcode, IBV_WC_COMP_SWAP);
  EXPECT_EQ(*word, 7u);
}

TEST_F(PostTest, InlineDataIsTakenAtOnce) {
  connect();
  std::vector<uint8_t> gone(200, 0x5a);
  ibv_sge sge{reinterpret_cast<uintptr_t>(gone.data()), 200, 0};
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  wr.send_flags |= IBV_SEND_INLINE;
  aim(&wr, 0);
  ASSERT_EQ(post(qp_a, wr), 0);
  gone.assign(200, 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  EXPECT_EQ(memory_b[199], 0x5a);
  sge.length = 401;
  wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  wr.send_flags |= IBV_SEND_INLINE;
  EXPECT_EQ(post(qp_a, wr), EINVAL);
}

TEST_F(PostTest, PostingRefusesWithTheBadRequestNamed) {
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr good = send_wr(IBV_WR_RDMA_WRITE, &sge, 1), wrong = send_wr(IBV_WR_RDMA_WRITE, &sge, 2);
  ibv_send_wr* bad = nullptr;
  EXPECT_EQ(ibv_post_send(qp_a, &good, &bad), EINVAL) << "in RESET";
  EXPECT_EQ(bad, &good);
  connect();
  aim(&good, 0);
  good.next = &wrong;
  wrong.num_sge = 33;
  EXPECT_EQ(ibv_post_send(qp_a, &good, &bad), EINVAL);
  EXPECT_EQ(bad, &wrong);
  EXPECT_EQ(poll_one(cq_a).wr_id, 1u);
  ibv_recv_wr recv{};
  ibv_recv_wr* bad_recv = nullptr;
  for (int i = 0; i < 64; ++i) EXPECT_EQ(ibv_post_recv(qp_b, &recv, &bad_recv), 0);
  EXPECT_EQ(ibv_post_recv(qp_b, &recv, &bad_recv), ENOMEM);
  EXPECT_EQ(bad_recv, &recv);
}

TEST_F(PostTest, WrongKeysFail) {
  connect();
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, 5);
  aim(&wr, 0);
  wr.wr.rdma.rkey ^= 1;
  ASSERT_EQ(post(qp_a, wr), 0);
  const ibv_wc wc = poll_one(cq_a);
  EXPECT_EQ(wc.status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(wc.wr_id, 5u);
  ibv_qp_attr attr{};
  ASSERT_EQ(ibv_query_qp(qp_a, &attr, IBV_QP_STATE, nullptr), 0);
  EXPECT_EQ(attr.qp_state, IBV_QPS_ERR);
  wr.wr.rdma.rkey ^= 1;
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_WR_FLUSH_ERR);
}

TEST_F(PostTest, AWrongLocalKeyFailsLocally) {
  connect();
  ibv_sge sge = sge_a(0, 8);
  sge.lkey ^= 1;
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, 0);
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_LOC_PROT_ERR);
}

TEST_F(PostTest, ManyPostedOneByOneCompleteInOrder) {
  connect();
  std::mt19937 random(1);
  uint64_t posted = 0, polled = 0;
  while (polled < 5000) {
    while (posted < 5000 && posted - polled < 64) {
      ibv_sge sge = sge_a(0, 1 + static_cast<uint32_t>(random() % 9000));
      ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, posted);
      aim(&wr, 0);
      ASSERT_EQ(post(qp_a, wr), 0);
      ++posted;
    }
    const ibv_wc wc = poll_one(cq_a);
    ASSERT_EQ(wc.status, IBV_WC_SUCCESS);
    ASSERT_EQ(wc.wr_id, polled);
    ++polled;
  }
}

TEST_F(PostTest, ExtendedQueuePair) {
  ibv_qp_init_attr_ex init{};
  init.send_cq = init.recv_cq = cq_a;
  init.cap = {
      .max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 2, .max_recv_sge = 1, .max_inline_data = 64};
  init.qp_type = IBV_QPT_RC;
  init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  init.pd = pd;
  init.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ;
  ibv_qp* plain = qp_a;
  qp_a = ibv_create_qp_ex(context, &init);
  ASSERT_NE(qp_a, nullptr);
  connect();
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(qp_a);
  ASSERT_NE(qp, nullptr);
  EXPECT_EQ(ibv_qp_to_qp_ex(plain), nullptr);
  EXPECT_EQ(qp->wr_send, nullptr);
  const auto remote = reinterpret_cast<uintptr_t>(memory_b.data());
  ibv_wr_start(qp);
  qp->wr_id = 1;
  qp->wr_flags = 0;
  ibv_wr_rdma_write(qp, mr_b->rkey, remote);
  ibv_wr_set_sge(qp, mr_a->lkey, reinterpret_cast<uintptr_t>(memory_a.data()), 5000);
  qp->wr_id = 2;
  qp->wr_flags = IBV_SEND_SIGNALED;
  ibv_wr_rdma_write(qp, mr_b->rkey, remote + 6000);
  char text[] = "inline";
  ibv_wr_set_inline_data(qp, text, sizeof text);
  ASSERT_EQ(ibv_wr_complete(qp), 0);
  EXPECT_EQ(poll_one(cq_a).wr_id, 2u);
  EXPECT_EQ(std::memcmp(memory_a.data(), memory_b.data(), 5000), 0);
  EXPECT_STREQ(reinterpret_cast<char*>(&memory_b[6000]), "inline");
  // A bad request: no request of the list is posted.
  ibv_wr_start(qp);
  qp->wr_id = 3;
  ibv_wr_rdma_write(qp, mr_b->rkey, remote);
  ibv_wr_set_sge(qp, mr_a->lkey, reinterpret_cast<uintptr_t>(memory_a.data()), 8);
  qp->wr_id = 4;
  ibv_wr_rdma_write(qp, mr_b->rkey, remote);
  std::vector<char> long_text(65);
  ibv_wr_set_inline_data(qp, long_text.data(), long_text.size());
  EXPECT_EQ(ibv_wr_complete(qp), EINVAL);
  // A list that is longer than the queue is not posted either.
  ibv_wr_start(qp);
  for (int i = 0; i < 17; ++i) {
    ibv_wr_rdma_write(qp, mr_b->rkey, remote);
  }
  EXPECT_EQ(ibv_wr_complete(qp), ENOMEM);
  ibv_wr_start(qp);
  EXPECT_EQ(ibv_wr_complete(qp), 0) << "nothing at all";
  ibv_wr_start(qp);
  ibv_wr_rdma_read(qp, mr_b->rkey, remote);
  ibv_wr_abort(qp);
  ibv_wc wc;
  EXPECT_EQ(ibv_poll_cq(cq_a, 1, &wc), 0);
  // Threads that post this way take turns. All their completions fit into the CQ: a queue has room again
  // when a request is done, not when its completion is polled.
  constexpr int kEach = 100;
  const auto poster = [&] {
    for (int i = 0; i < kEach; ++i) {
      ibv_wr_start(qp);
      qp->wr_id = 7;
      qp->wr_flags = IBV_SEND_SIGNALED;
      ibv_wr_rdma_write(qp, mr_b->rkey, remote);
      ibv_wr_set_sge(qp, mr_a->lkey, reinterpret_cast<uintptr_t>(memory_a.data()), 8);
      if (ibv_wr_complete(qp) != 0) --i;
    }
  };
  std::thread one(poster), two(poster);
  for (int i = 0; i < 2 * kEach; ++i) {
    const ibv_wc each = poll_one(cq_a);
    ASSERT_EQ(each.status, IBV_WC_SUCCESS);
    ASSERT_EQ(each.wr_id, 7u);
  }
  one.join();
  two.join();
  init.send_ops_flags = IBV_QP_EX_WITH_TSO;
  EXPECT_EQ(ibv_create_qp_ex(context, &init), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(ibv_destroy_qp(plain), 0);
}

}  // namespace
}  // namespace uroce::verbs::test
