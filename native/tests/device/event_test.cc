// Asynchronous events.
#include <fcntl.h>

#include <thread>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

TEST_F(DeviceTest, AForbiddenWriteRaisesAnAccessErrorAtTheTarget) {
  connect();
  EXPECT_FALSE(readable(context->async_fd, 0));
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, kBuffer - 4);
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_REM_ACCESS_ERR);
  ASSERT_TRUE(readable(context->async_fd, 5000));
  bool seen = false;
  while (readable(context->async_fd, 0)) {
    ibv_async_event event{};
    ASSERT_EQ(ibv_get_async_event(context, &event), 0);
    seen |= event.event_type == IBV_EVENT_QP_ACCESS_ERR && event.element.qp == qp_b;
    ibv_ack_async_event(&event);
  }
  EXPECT_TRUE(seen);
}

TEST_F(DeviceTest, AnEmptyQueueOfEventsDoesNotBlockIfToldSo) {
  fcntl(context->async_fd, F_SETFL, fcntl(context->async_fd, F_GETFL) | O_NONBLOCK);
  ibv_async_event event{};
  EXPECT_EQ(ibv_get_async_event(context, &event), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST_F(DeviceTest, DestroyWaitsForAnAsynchronousEventToBeAcknowledged) {
  connect();
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, kBuffer - 4);
  ASSERT_EQ(post(qp_a, wr), 0);
  ASSERT_TRUE(readable(context->async_fd, 5000));
  ibv_async_event event{};
  ASSERT_EQ(ibv_get_async_event(context, &event), 0);
  ASSERT_EQ(event.element.qp, qp_b);
  std::atomic<bool> acknowledged = false;
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    acknowledged = true;
    ibv_ack_async_event(&event);
  });
  EXPECT_EQ(ibv_destroy_qp(qp_b), 0);
  EXPECT_TRUE(acknowledged);
  late.join();
  qp_b = nullptr;
}

TEST_F(DeviceTest, AnOverrunCompletionQueueSaysSo) {
  ibv_cq* small = ibv_create_cq(context, 2, nullptr, nullptr, 0);
  ASSERT_EQ(ibv_destroy_qp(qp_a), 0);
  qp_a = create_qp(small);
  connect();
  ibv_sge sge = sge_a(0, 8);
  for (int i = 0; i < small->cqe + 1; ++i) {
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
  }
  ASSERT_TRUE(readable(context->async_fd, 5000));
  ibv_async_event event{};
  ASSERT_EQ(ibv_get_async_event(context, &event), 0);
  EXPECT_EQ(event.event_type, IBV_EVENT_CQ_ERR);
  EXPECT_EQ(event.element.cq, small);
  ibv_ack_async_event(&event);
  // The queue pair whose completion was lost fails; what is in the queue stays.
  ASSERT_EQ(ibv_get_async_event(context, &event), 0);
  EXPECT_EQ(event.event_type, IBV_EVENT_QP_FATAL);
  EXPECT_EQ(event.element.qp, qp_a);
  ibv_ack_async_event(&event);
  ibv_qp_attr attr{};
  ASSERT_EQ(ibv_query_qp(qp_a, &attr, IBV_QP_STATE, nullptr), 0);
  EXPECT_EQ(attr.qp_state, IBV_QPS_ERR);
  ibv_wc wc[4];
  EXPECT_EQ(ibv_poll_cq(small, 4, wc), small->cqe);
  EXPECT_FALSE(readable(context->async_fd, 0)) << "told once";
  EXPECT_EQ(ibv_destroy_qp(qp_a), 0);
  qp_a = nullptr;
  EXPECT_EQ(ibv_destroy_cq(small), 0);
}

}  // namespace
}  // namespace uroce::verbs::test
