// Completion channels: notifications as the verbs man pages describe them.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

class CompletionTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    channel = ibv_create_comp_channel(context);
    cq = ibv_create_cq(context, 64, this, channel, 0);
    ASSERT_TRUE(channel && cq);
    ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
    qp_b = create_qp(cq);
    connect();
  }
  void TearDown() override {
    EXPECT_EQ(ibv_destroy_qp(qp_b), 0);
    qp_b = nullptr;
    EXPECT_EQ(ibv_destroy_cq(cq), 0);
    EXPECT_EQ(ibv_destroy_comp_channel(channel), 0);
    DeviceTest::TearDown();
  }
  void send(bool solicited = false) {
    ibv_sge sge = sge_a(0, 8);
    ibv_send_wr wr = send_wr(IBV_WR_SEND, &sge);
    if (solicited) wr.send_flags |= IBV_SEND_SOLICITED;
    ASSERT_EQ(post(qp_a, wr), 0);
    ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  }
  void set_nonblocking() { fcntl(channel->fd, F_SETFL, fcntl(channel->fd, F_GETFL) | O_NONBLOCK); }

  ibv_comp_channel* channel = nullptr;
  ibv_cq* cq = nullptr;
};

// A program that recovers a connection must not see the flush errors of the life before.
TEST_F(CompletionTest, ResetAndDestructionTakeTheCompletionsAway) {
  // The other queue pair on the same CQ keeps its own.
  ibv_qp* other = create_qp(cq);
  ASSERT_EQ(to_init(other), 0);
  ASSERT_EQ(post_recv(other, sge_b(0, 64), 77), 0);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_ERR;
  ASSERT_EQ(ibv_modify_qp(other, &attr, IBV_QP_STATE), 0);
  for (const bool destroyed : {false, true}) {
    for (int i = 0; i < 3; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
    send();
    attr.qp_state = IBV_QPS_ERR;
    ASSERT_EQ(ibv_modify_qp(qp_b, &attr, IBV_QP_STATE), 0);
    if (destroyed) {
      ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
      qp_b = create_qp(cq);
    } else {
      attr.qp_state = IBV_QPS_RESET;
      ASSERT_EQ(ibv_modify_qp(qp_b, &attr, IBV_QP_STATE), 0);
      ASSERT_EQ(ibv_modify_qp(qp_a, &attr, IBV_QP_STATE), 0);
      connect();
    }
  }
  ibv_wc wc[8];
  ASSERT_EQ(ibv_poll_cq(cq, 8, wc), 1);
  EXPECT_EQ(wc[0].wr_id, 77u);
  EXPECT_EQ(wc[0].status, IBV_WC_WR_FLUSH_ERR);
  EXPECT_EQ(ibv_destroy_qp(other), 0);
}

TEST_F(CompletionTest, OneEventForOneArming) {
  ASSERT_EQ(ibv_req_notify_cq(cq, 0), 0);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
  for (int i = 0; i < 3; ++i) send();
  ibv_cq* got = nullptr;
  void* cq_context = nullptr;
  ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
  EXPECT_EQ(got, cq);
  EXPECT_EQ(cq_context, this);
  ibv_ack_cq_events(cq, 1);
  EXPECT_FALSE(readable(channel->fd));
  set_nonblocking();
  EXPECT_EQ(ibv_get_cq_event(channel, &got, &cq_context), -1);
  EXPECT_EQ(errno, EAGAIN);
  ibv_wc wc[8];
  EXPECT_EQ(ibv_poll_cq(cq, 8, wc), 3);
}

TEST_F(CompletionTest, TheDescriptorCanBePolledByAThreadThatCallsNothing) {
  ASSERT_EQ(ibv_req_notify_cq(cq, 0), 0);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
  std::thread sender([&] { send(); });
  EXPECT_TRUE(readable(channel->fd, 5000));
  sender.join();
  ibv_cq* got = nullptr;
  void* cq_context = nullptr;
  ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
  ibv_ack_cq_events(cq, 1);
}

TEST_F(CompletionTest, ABlockedWaitEnds) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
    ASSERT_EQ(ibv_req_notify_cq(cq, 0), 0);
    std::thread sender([&, i] {
      std::this_thread::sleep_for(std::chrono::microseconds(i * 200));
      send();
    });
    ibv_cq* got = nullptr;
    void* cq_context = nullptr;
    ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
    ibv_ack_cq_events(cq, 1);
    EXPECT_EQ(poll_one(cq).status, IBV_WC_SUCCESS);
    sender.join();
  }
}

TEST_F(CompletionTest, SolicitedOnly) {
  ASSERT_EQ(ibv_req_notify_cq(cq, 1), 0);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
  send(false);
  EXPECT_FALSE(readable(channel->fd, 20));
  send(true);
  EXPECT_TRUE(readable(channel->fd, 5000));
  ibv_cq* got = nullptr;
  void* cq_context = nullptr;
  ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
  ibv_ack_cq_events(cq, 1);
}

TEST_F(CompletionTest, DestroyWaitsForAcknowledgments) {
  ibv_cq* other = ibv_create_cq(context, 64, nullptr, channel, 0);
  ibv_qp* qp = create_qp(other);
  ASSERT_EQ(ibv_req_notify_cq(other, 0), 0);
  ASSERT_EQ(to_init(qp), 0);
  ASSERT_EQ(post_recv(qp, sge_b(0, 8)), 0);
  ibv_qp_attr error{};
  error.qp_state = IBV_QPS_ERR;
  ASSERT_EQ(ibv_modify_qp(qp, &error, IBV_QP_STATE), 0);
  ibv_cq* got = nullptr;
  void* cq_context = nullptr;
  ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
  ASSERT_EQ(got, other);
  ASSERT_EQ(ibv_destroy_qp(qp), 0);
  std::atomic<bool> acknowledged = false;
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    acknowledged = true;
    ibv_ack_cq_events(other, 1);
  });
  EXPECT_EQ(ibv_destroy_cq(other), 0);
  EXPECT_TRUE(acknowledged);
  late.join();
}

TEST_F(CompletionTest, EventsOfADestroyedQueueAreGone) {
  ibv_cq* other = ibv_create_cq(context, 64, nullptr, channel, 0);
  ibv_qp* qp = create_qp(other);
  ASSERT_EQ(ibv_req_notify_cq(other, 0), 0);
  ASSERT_EQ(to_init(qp), 0);
  ASSERT_EQ(post_recv(qp, sge_b(0, 8)), 0);
  ibv_qp_attr error{};
  error.qp_state = IBV_QPS_ERR;
  ASSERT_EQ(ibv_modify_qp(qp, &error, IBV_QP_STATE), 0);
  EXPECT_TRUE(readable(channel->fd));
  ASSERT_EQ(ibv_destroy_qp(qp), 0);
  ASSERT_EQ(ibv_destroy_cq(other), 0);
  EXPECT_FALSE(readable(channel->fd));
}

TEST_F(CompletionTest, ASignalEndsAWait) {
  struct sigaction action{};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, nullptr);
  std::atomic<bool> done = false;
  int result = 0, error = 0;
  std::thread waiter([&] {
    ibv_cq* got = nullptr;
    void* cq_context = nullptr;
    result = ibv_get_cq_event(channel, &got, &cq_context);
    error = errno;
    done = true;
  });
  while (!done) {
    pthread_kill(waiter.native_handle(), SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  waiter.join();
  EXPECT_EQ(result, -1);
  EXPECT_EQ(error, EINTR);
}

TEST_F(DeviceTest, CompletionQueuesGrow) {
  connect();
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, 11);
  aim(&wr, 0);
  ASSERT_EQ(post(qp_a, wr), 0);
  ASSERT_EQ(ibv_resize_cq(cq_a, 1000), 0);
  EXPECT_GE(cq_a->cqe, 1000);
  EXPECT_EQ(poll_one(cq_a).wr_id, 11u);
  EXPECT_EQ(ibv_resize_cq(cq_a, 0), EINVAL);
}

TEST_F(CompletionTest, SeveralQueuesShareAChannelAndTellWhoseTurnItIs) {
  int names[3];
  ibv_cq* queues[3];
  ibv_qp* pairs[3];
  for (int i = 0; i < 3; ++i) {
    queues[i] = ibv_create_cq(context, 8, &names[i], channel, 0);
    ASSERT_NE(queues[i], nullptr);
    pairs[i] = create_qp(queues[i]);
    ASSERT_EQ(to_init(pairs[i]), 0);
    ASSERT_EQ(post_recv(pairs[i], sge_b(0, 8)), 0);
    ASSERT_EQ(ibv_req_notify_cq(queues[i], 0), 0);
  }
  ibv_qp_attr error{};
  error.qp_state = IBV_QPS_ERR;
  for (int i : {2, 0, 1}) {
    ASSERT_EQ(ibv_modify_qp(pairs[i], &error, IBV_QP_STATE), 0);
  }
  for (int i : {2, 0, 1}) {
    ibv_cq* got = nullptr;
    void* cq_context = nullptr;
    ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
    EXPECT_EQ(got, queues[i]);
    EXPECT_EQ(cq_context, &names[i]);
  }
  EXPECT_FALSE(readable(channel->fd));
  for (int i = 0; i < 3; ++i) {
    ibv_ack_cq_events(queues[i], 1);
    EXPECT_EQ(ibv_destroy_comp_channel(channel), EBUSY);
    EXPECT_EQ(ibv_destroy_qp(pairs[i]), 0);
    EXPECT_EQ(ibv_destroy_cq(queues[i]), 0);
  }
}

TEST_F(CompletionTest, AFailureIsSolicitedAndSoIsAWriteWithImmediate) {
  set_nonblocking();
  ibv_cq* got = nullptr;
  void* cq_context = nullptr;
  for (int i = 0; i < 3; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
  ASSERT_EQ(ibv_req_notify_cq(cq, 1), 0);
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE_WITH_IMM, &sge);
  wr.send_flags |= IBV_SEND_SOLICITED;
  aim(&wr, 0);
  ASSERT_EQ(post(qp_a, wr), 0);
  ASSERT_TRUE(readable(channel->fd, 5000));
  ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
  ASSERT_EQ(ibv_req_notify_cq(cq, 1), 0);
  ibv_qp_attr error{};
  error.qp_state = IBV_QPS_ERR;
  ASSERT_EQ(ibv_modify_qp(qp_b, &error, IBV_QP_STATE), 0);
  ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
  ibv_ack_cq_events(cq, 2);
}

// Asking for everything after asking for solicited ones widens the wish; the other way round changes nothing.
TEST_F(CompletionTest, TheWiderWishHolds) {
  for (int i = 0; i < 2; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
  ibv_cq* got = nullptr;
  void* cq_context = nullptr;
  for (int second : {0, 1}) {
    ASSERT_EQ(ibv_req_notify_cq(cq, second == 0), 0);
    ASSERT_EQ(ibv_req_notify_cq(cq, second), 0);
    send(false);
    ASSERT_TRUE(readable(channel->fd, 5000));
    ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
    EXPECT_FALSE(readable(channel->fd)) << "one event for both";
  }
  ibv_ack_cq_events(cq, 2);
}

TEST_F(CompletionTest, NoWakeUpIsLostBetweenThreadsThatAskPollAndWait) {
  constexpr int kMessages = 3000;
  ibv_comp_channel* channel_a = ibv_create_comp_channel(context);
  ibv_cq* events_a = ibv_create_cq(context, 64, nullptr, channel_a, 0);
  ASSERT_TRUE(channel_a && events_a);
  ibv_qp* plain = std::exchange(qp_a, create_qp(events_a));
  ibv_qp_attr reset{};
  ASSERT_EQ(ibv_modify_qp(qp_b, &reset, IBV_QP_STATE), 0);
  connect();
  // The loop of every event-driven program: ask, poll until empty, wait.
  const auto consume = [](ibv_comp_channel* from, ibv_cq* queue, auto&& each) {
    unsigned events = 0;
    for (int seen = 0; seen < kMessages;) {
      ASSERT_EQ(ibv_req_notify_cq(queue, 0), 0);
      ibv_wc wc;
      while (ibv_poll_cq(queue, 1, &wc) == 1) {
        ASSERT_EQ(wc.status, IBV_WC_SUCCESS);
        ++seen;
        each();
      }
      if (seen >= kMessages) break;
      ibv_cq* got = nullptr;
      void* cq_context = nullptr;
      ASSERT_EQ(ibv_get_cq_event(from, &got, &cq_context), 0);
      ASSERT_EQ(got, queue);
      ++events;
    }
    ibv_ack_cq_events(queue, events);
  };
  for (int i = 0; i < 32; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
  std::thread receiver([&] {
    int posted = 32;
    consume(channel, cq, [&] {
      if (posted++ < kMessages) {
        ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
      }
    });
  });
  ibv_sge sge = sge_a(0, 8);
  int sent = 0;
  const auto send_next = [&] {
    if (sent++ < kMessages) {
      ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge)), 0);
    }
  };
  for (int i = 0; i < 4; ++i) send_next();
  consume(channel_a, events_a, send_next);
  receiver.join();
  EXPECT_EQ(ibv_destroy_qp(qp_a), 0);
  qp_a = plain;
  EXPECT_EQ(ibv_destroy_cq(events_a), 0);
  EXPECT_EQ(ibv_destroy_comp_channel(channel_a), 0);
}

TEST_F(DeviceTest, CompletionQueuesShrinkToWhatTheyHold) {
  ASSERT_EQ(to_init(qp_b), 0);
  for (uint64_t i = 0; i < 5; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 8), i), 0);
  ibv_qp_attr error{};
  error.qp_state = IBV_QPS_ERR;
  ASSERT_EQ(ibv_modify_qp(qp_b, &error, IBV_QP_STATE), 0);
  EXPECT_EQ(poll_one(cq_b).wr_id, 0u);
  EXPECT_EQ(ibv_resize_cq(cq_b, 3), EINVAL);
  EXPECT_EQ(ibv_resize_cq(cq_b, 4), 0);
  for (uint64_t i = 1; i < 5; ++i) EXPECT_EQ(poll_one(cq_b).wr_id, i);
  EXPECT_EQ(ibv_resize_cq(cq_b, 1), 0);
  EXPECT_EQ(ibv_resize_cq(cq_b, 1 << 30), EINVAL);
}

}  // namespace
}  // namespace uroce::verbs::test
