// Waits for events: signals, canceled threads, and queues that go while a thread waits.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

std::atomic<int> g_signals{0};

class WaitTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    channel = ibv_create_comp_channel(context);
    ASSERT_NE(channel, nullptr);
    end = armed(&end_qp);
  }
  void TearDown() override {
    EXPECT_EQ(ibv_destroy_qp(end_qp), 0);
    EXPECT_EQ(ibv_destroy_cq(end), 0);
    EXPECT_EQ(ibv_destroy_comp_channel(channel), 0);
    DeviceTest::TearDown();
  }
  // A CQ that raises an event when fire() flushes its QP.
  ibv_cq* armed(ibv_qp** qp) {
    ibv_cq* cq = ibv_create_cq(context, 4, nullptr, channel, 0);
    *qp = create_qp(cq);
    EXPECT_EQ(to_init(*qp), 0);
    EXPECT_EQ(post_recv(*qp, sge_b(0, 8)), 0);
    EXPECT_EQ(ibv_req_notify_cq(cq, 0), 0);
    return cq;
  }
  static void fire(ibv_qp* qp) {
    ibv_qp_attr error{};
    error.qp_state = IBV_QPS_ERR;
    EXPECT_EQ(ibv_modify_qp(qp, &error, IBV_QP_STATE), 0);
  }
  // Takes the event of the CQ that ends the test, acknowledging others.
  void take_until_the_end(const std::function<void(ibv_cq*)>& each) {
    for (;;) {
      ibv_cq* got = nullptr;
      void* cq_context = nullptr;
      ASSERT_EQ(ibv_get_cq_event(channel, &got, &cq_context), 0);
      if (got != end) each(got);
      ibv_ack_cq_events(got, 1);
      if (got == end) return;
    }
  }
  // Interrupts the thread until it has handled many signals.
  static void interrupt(std::thread& thread) {
    // A wait that ended at a signal handles no more of them.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (g_signals < 50 && std::chrono::steady_clock::now() < end) {
      pthread_kill(thread.native_handle(), SIGUSR2);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // All handlers of the process restart calls.
  static void restart_calls() {
    signal(SIGUSR1, SIG_DFL);
    struct sigaction action{};
    action.sa_handler = [](int) { ++g_signals; };
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &action, nullptr);
    g_signals = 0;
  }

  ibv_comp_channel* channel = nullptr;
  ibv_cq* end = nullptr;
  ibv_qp* end_qp = nullptr;
};

TEST_F(WaitTest, ForCompletionsGoesOnAfterSignalsThatRestartCalls) {
  restart_calls();
  std::thread waiter([&] { take_until_the_end([](ibv_cq*) {}); });
  interrupt(waiter);
  fire(end_qp);
  waiter.join();
}

TEST_F(WaitTest, ForAsynchronousEventsGoesOnAfterSignalsThatRestartCalls) {
  restart_calls();
  ibv_srq_init_attr init{};
  init.attr = {.max_wr = 4, .max_sge = 1, .srq_limit = 0};
  ibv_srq* srq = ibv_create_srq(pd, &init);
  ibv_qp_init_attr qp_init{};
  qp_init.send_cq = qp_init.recv_cq = cq_a;
  qp_init.srq = srq;
  qp_init.qp_type = IBV_QPT_RC;
  ibv_qp* qp = ibv_create_qp(pd, &qp_init);
  ASSERT_TRUE(srq && qp);
  ASSERT_EQ(to_init(qp), 0);
  std::thread waiter([&] {
    ibv_async_event event{};
    ASSERT_EQ(ibv_get_async_event(context, &event), 0);
    EXPECT_EQ(event.event_type, IBV_EVENT_QP_LAST_WQE_REACHED);
    ibv_ack_async_event(&event);
  });
  interrupt(waiter);
  fire(qp);
  waiter.join();
  EXPECT_EQ(ibv_destroy_qp(qp), 0);
  EXPECT_EQ(ibv_destroy_srq(srq), 0);
}

// A mix of the queue's calls and a thread that may get its event at the same moment.
TEST_F(WaitTest, AnEventIsHandedOutOrForgottenWithItsQueue) {
  std::atomic<ibv_cq*> destroyed{nullptr};
  std::thread waiter([&] {
    take_until_the_end([&](ibv_cq* cq) { EXPECT_NE(cq, destroyed) << "its event is not acknowledged"; });
  });
  for (int i = 0; i < 300; ++i) {
    ibv_qp* qp = nullptr;
    ibv_cq* cq = armed(&qp);
    destroyed = nullptr;
    fire(qp);
    ASSERT_EQ(ibv_destroy_qp(qp), 0);
    ASSERT_EQ(ibv_destroy_cq(cq), 0);
    destroyed = cq;
  }
  fire(end_qp);
  waiter.join();
}

TEST_F(WaitTest, AThreadThatIsCanceledWhilePollingLeavesTheDeviceToOthers) {
  for (int i = 0; i < 20; ++i) {
    std::atomic<int> polls{0};
    std::thread poller([&] {
      for (ibv_wc wc;;) {
        ibv_poll_cq(cq_a, 1, &wc);
        ++polls;
        pthread_testcancel();
      }
    });
    while (polls < 100) std::this_thread::yield();
    pthread_cancel(poller.native_handle());
    poller.join();
    ibv_qp_attr attr{};
    ibv_qp_init_attr init{};
    ASSERT_EQ(ibv_query_qp(qp_a, &attr, IBV_QP_STATE, &init), 0);
  }
}

TEST_F(WaitTest, AThreadThatWaitsCanBeCanceled) {
  std::thread waiter([&] { take_until_the_end([](ibv_cq*) {}); });
  pthread_cancel(waiter.native_handle());
  waiter.join();
  fire(end_qp);
  take_until_the_end([](ibv_cq*) {});
}

}  // namespace
}  // namespace uroce::verbs::test
