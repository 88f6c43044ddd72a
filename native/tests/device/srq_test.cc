// Shared receive queues through the verbs interface.

#include <array>
#include <thread>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

class SrqTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ibv_srq_init_attr init{};
    init.srq_context = this;
    init.attr = {.max_wr = 16, .max_sge = 2, .srq_limit = 99};
    srq = ibv_create_srq(pd, &init);
    ASSERT_NE(srq, nullptr);
    ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
    qp_b = on_srq();
    ASSERT_NE(qp_b, nullptr);
    connect();
  }
  void TearDown() override {
    EXPECT_EQ(ibv_destroy_qp(qp_b), 0);
    qp_b = nullptr;
    EXPECT_EQ(ibv_destroy_srq(srq), 0);
    DeviceTest::TearDown();
  }
  ibv_qp* on_srq() {
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = cq_b;
    init.srq = srq;
    // max_recv_* are ignored, however large.
    init.cap = {.max_send_wr = 8,
                .max_recv_wr = 1u << 30,
                .max_send_sge = 1,
                .max_recv_sge = 1000,
                .max_inline_data = 0};
    init.qp_type = IBV_QPT_RC;
    return ibv_create_qp(pd, &init);
  }
  int post_shared(std::size_t offset, uint32_t length, uint64_t id) const {
    ibv_sge sge = sge_b(offset, length);
    ibv_recv_wr wr{};
    wr.wr_id = id;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    return ibv_post_srq_recv(srq, &wr, &bad);
  }
  void send(uint32_t length) {
    ibv_sge sge = sge_a(0, length);
    ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge)), 0);
    ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  }
  // The next asynchronous event, acknowledged.
  ibv_async_event event() const {
    ibv_async_event e{};
    e.event_type = IBV_EVENT_DEVICE_FATAL;
    if (!readable(context->async_fd, 5000)) return e;
    EXPECT_EQ(ibv_get_async_event(context, &e), 0);
    ibv_ack_async_event(&e);
    return e;
  }

  ibv_srq* srq = nullptr;
};

TEST_F(SrqTest, AnswersQueries) {
  EXPECT_EQ(srq->srq_context, this);
  EXPECT_EQ(srq->pd, pd);
  EXPECT_EQ(srq->context, context);
  ibv_srq_attr attr{};
  ASSERT_EQ(ibv_query_srq(srq, &attr), 0);
  EXPECT_EQ(attr.max_wr, 16u);
  EXPECT_EQ(attr.max_sge, 2u);
  EXPECT_EQ(attr.srq_limit, 0u);
  ibv_qp_attr qp{};
  ibv_qp_init_attr init{};
  ASSERT_EQ(ibv_query_qp(qp_b, &qp, IBV_QP_CAP, &init), 0);
  EXPECT_EQ(init.srq, srq);
  EXPECT_EQ(qp.cap.max_recv_wr, 0u);
  ibv_device_attr device{};
  ASSERT_EQ(ibv_query_device(context, &device), 0);
  EXPECT_GT(device.max_srq, 0);
  EXPECT_GE(device.max_srq_wr, 1024);
  EXPECT_EQ(device.max_srq_sge, 32);
  EXPECT_TRUE(device.device_cap_flags & IBV_DEVICE_SRQ_RESIZE);
}

TEST_F(SrqTest, TakesWhatIsPosted) {
  ASSERT_EQ(post_shared(100, 64, 77), 0);
  memory_a[0] = 0x5a;
  send(1);
  const ibv_wc wc = poll_one(cq_b);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(wc.wr_id, 77u);
  EXPECT_EQ(wc.qp_num, qp_b->qp_num);
  EXPECT_EQ(memory_b[100], 0x5a);
}

TEST_F(SrqTest, WaitsForAReceiveToBePosted) {
  ibv_sge sge = sge_a(0, 8);
  ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge)), 0);
  ibv_wc wc;
  EXPECT_EQ(ibv_poll_cq(cq_a, 1, &wc), 0);
  ASSERT_EQ(post_shared(0, 64, 1), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  EXPECT_EQ(poll_one(cq_b).status, IBV_WC_SUCCESS);
}

TEST_F(SrqTest, RefusesWithTheBadRequestNamed) {
  std::array<ibv_recv_wr, 18> wr{};
  for (std::size_t i = 0; i + 1 < wr.size(); ++i) wr[i].next = &wr[i + 1];
  ibv_recv_wr* bad = nullptr;
  EXPECT_EQ(ibv_post_srq_recv(srq, wr.data(), &bad), ENOMEM);
  EXPECT_EQ(bad, &wr[16]);
  ibv_sge sges[3] = {};
  ibv_recv_wr wide{};
  wide.sg_list = sges;
  wide.num_sge = 3;
  EXPECT_EQ(ibv_post_srq_recv(srq, &wide, &bad), EINVAL);
  wide.num_sge = -1;
  EXPECT_EQ(ibv_post_srq_recv(srq, &wide, &bad), EINVAL);
  EXPECT_EQ(bad, &wide);
  wide.num_sge = 1;
  EXPECT_EQ(ibv_post_recv(qp_b, &wide, &bad), EINVAL) << "not through the queue pair";
}

TEST_F(SrqTest, TellsItsLimitOnce) {
  for (uint64_t i = 0; i < 3; ++i) ASSERT_EQ(post_shared(0, 64, i), 0);
  ibv_srq_attr attr{.max_wr = 0, .max_sge = 0, .srq_limit = 2};
  ASSERT_EQ(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), 0);
  ASSERT_EQ(ibv_query_srq(srq, &attr), 0);
  EXPECT_EQ(attr.srq_limit, 2u);
  send(8);
  EXPECT_FALSE(readable(context->async_fd, 0));
  send(8);
  const ibv_async_event e = event();
  EXPECT_EQ(e.event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
  EXPECT_EQ(e.element.srq, srq);
  send(8);
  EXPECT_FALSE(readable(context->async_fd, 0));
  EXPECT_EQ(ibv_modify_srq(srq, &attr, 1 << 7), EINVAL);
  attr.srq_limit = 17;
  EXPECT_EQ(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), EINVAL);
  attr.max_wr = 40;
  EXPECT_EQ(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT | IBV_SRQ_MAX_WR), 0);
}

TEST_F(SrqTest, TellsWhenAQueuePairHasTakenItsLast) {
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_ERR;
  ASSERT_EQ(ibv_modify_qp(qp_b, &attr, IBV_QP_STATE), 0);
  const ibv_async_event e = event();
  EXPECT_EQ(e.event_type, IBV_EVENT_QP_LAST_WQE_REACHED);
  EXPECT_EQ(e.element.qp, qp_b);
}

TEST_F(SrqTest, CannotDieWhileUsedOrWhileAnEventIsOut) {
  EXPECT_EQ(ibv_destroy_srq(srq), EBUSY);
  ibv_srq_init_attr init{};
  init.attr.max_wr = 4;
  ibv_srq* other = ibv_create_srq(pd, &init);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(ibv_dealloc_pd(pd), EBUSY);
  ibv_srq* kept = std::exchange(srq, other);
  ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
  qp_b = on_srq();
  ibv_qp_attr reset{};
  ASSERT_EQ(ibv_modify_qp(qp_a, &reset, IBV_QP_STATE), 0);
  connect();
  ibv_srq_attr attr{.max_wr = 0, .max_sge = 0, .srq_limit = 1};
  ASSERT_EQ(ibv_modify_srq(other, &attr, IBV_SRQ_LIMIT), 0);
  ibv_recv_wr wr{};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(ibv_post_srq_recv(other, &wr, &bad), 0);
  send(0);
  ASSERT_TRUE(readable(context->async_fd, 5000));
  ibv_async_event e{};
  ASSERT_EQ(ibv_get_async_event(context, &e), 0);
  ASSERT_EQ(e.event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
  ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
  std::atomic<bool> acknowledged = false;
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    acknowledged = true;
    ibv_ack_async_event(&e);
  });
  EXPECT_EQ(ibv_destroy_srq(other), 0);
  EXPECT_TRUE(acknowledged);
  late.join();
  srq = kept;
  qp_b = on_srq();
}

TEST_F(SrqTest, ExtendedCreationTakesTheBasicType) {
  ibv_srq_init_attr_ex init{};
  init.attr.max_wr = 4;
  init.comp_mask = IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_TYPE;
  init.pd = pd;
  init.srq_type = IBV_SRQT_BASIC;
  ibv_srq* other = ibv_create_srq_ex(context, &init);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(ibv_destroy_srq(other), 0);
  init.srq_type = IBV_SRQT_XRC;
  EXPECT_EQ(ibv_create_srq_ex(context, &init), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  uint32_t number = 0;
  EXPECT_EQ(ibv_get_srq_num(srq, &number), EOPNOTSUPP);
  ibv_srq_init_attr plain{};
  EXPECT_EQ(ibv_create_srq(pd, &plain), nullptr);
  EXPECT_EQ(errno, EINVAL) << "no WRs at all";
}

}  // namespace
}  // namespace uroce::verbs::test
