// A program posts until its queues are full. A slot is free when its completion was polled.
#include <atomic>
#include <thread>

#include "fixture.h"

namespace uroce::verbs::test {
namespace {

constexpr uint32_t kDepth = 64;  // depth of the fixture's queues

class Slots : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    connect();
  }
  int write(unsigned flags = IBV_SEND_SIGNALED) {
    ibv_sge sge = sge_a(0, 8);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
    wr.send_flags = flags;
    aim(&wr, 0);
    return post(qp_a, wr);
  }
  static uint32_t drain(ibv_cq* cq, uint32_t expected) {
    for (uint32_t got = 0; got < expected; ++got) {
      if (poll_one(cq).status != IBV_WC_SUCCESS) return got;
    }
    return expected;
  }
  // No completion is polled: what has been carried out is seen in the peer's memory.
  void carried_out() {
    const uint8_t value = ++last_;
    memory_a[0] = value;
    ASSERT_EQ(write(), 0);
    const auto end = std::chrono::steady_clock::now() + kTimeout;
    while (std::atomic_ref(memory_b[0]).load() != value && std::chrono::steady_clock::now() < end) {
    }
    ASSERT_EQ(memory_b[0], value);
  }
  uint8_t last_ = 0;
};

TEST_F(Slots, OfSendsAreInUseUntilPolled) {
  for (int round = 0; round < 3; ++round) {
    for (uint32_t i = 0; i < kDepth; ++i) carried_out();
    EXPECT_EQ(write(), ENOMEM);
    EXPECT_EQ(write(), ENOMEM);
    EXPECT_EQ(drain(cq_a, kDepth), kDepth);
  }
}

TEST_F(Slots, AreFreeOneByOne) {
  for (uint32_t i = 0; i < kDepth; ++i) carried_out();
  ibv_wc wc;
  for (uint32_t freed = 0; freed < 3; ++freed) {
    ASSERT_EQ(ibv_poll_cq(cq_a, 1, &wc), 1);
    EXPECT_EQ(write(), 0);
    EXPECT_EQ(write(), ENOMEM);
  }
  EXPECT_EQ(drain(cq_a, kDepth), kDepth);
}

TEST_F(Slots, OfUnsignaledSendsAreFreeWithALaterCompletion) {
  for (uint32_t i = 0; i + 1 < kDepth; ++i) ASSERT_EQ(write(0), 0);
  carried_out();
  EXPECT_EQ(write(), ENOMEM);
  EXPECT_EQ(drain(cq_a, 1), 1u);
  for (uint32_t i = 0; i < kDepth; ++i) ASSERT_EQ(write(), 0);
  EXPECT_EQ(write(), ENOMEM);
  EXPECT_EQ(drain(cq_a, kDepth), kDepth);
}

TEST_F(Slots, OfReceivesAreInUseUntilPolled) {
  for (uint32_t i = 0; i < kDepth; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
  EXPECT_EQ(post_recv(qp_b, sge_b(0, 64)), ENOMEM);
  for (uint32_t i = 0; i < kDepth; ++i) {
    ibv_sge sge = sge_a(0, 8);
    ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge)), 0);
  }
  EXPECT_EQ(drain(cq_a, kDepth), kDepth);  // so all have arrived
  EXPECT_EQ(post_recv(qp_b, sge_b(0, 64)), ENOMEM);
  EXPECT_EQ(drain(cq_b, 1), 1u);
  EXPECT_EQ(post_recv(qp_b, sge_b(0, 64)), 0);
  EXPECT_EQ(post_recv(qp_b, sge_b(0, 64)), ENOMEM);
}

TEST_F(Slots, AreFreeAfterAReset) {
  for (uint32_t i = 0; i < kDepth; ++i) carried_out();
  for (ibv_qp* qp : {qp_a, qp_b}) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_RESET;
    ASSERT_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
  }
  connect();
  for (uint32_t i = 0; i < kDepth; ++i) carried_out();
  EXPECT_EQ(write(), ENOMEM);
  EXPECT_EQ(drain(cq_a, kDepth), kDepth);
}

// Threads that take ENOMEM as back-pressure, and one that polls a CQ as large as the work queues.
TEST_F(Slots, HoldBackThreadsThatPostUntilTheQueueIsFull) {
  ASSERT_EQ(ibv_resize_cq(cq_a, kDepth), 0);
  constexpr uint32_t kEach = 20'000, kThreads = 3;
  std::atomic<uint32_t> failed{0};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (uint32_t done = 0; done < kEach && failed == 0;) {
        const int error = write();
        if (error == 0) ++done;
        if (error != 0 && error != ENOMEM) ++failed;
        if (error == ENOMEM) std::this_thread::yield();
      }
    });
  }
  uint32_t got = 0;
  for (; got < kThreads * kEach && failed == 0; ++got) {
    if (poll_one(cq_a).status != IBV_WC_SUCCESS) ++failed;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0u);
  EXPECT_EQ(got, kThreads * kEach);
}

}  // namespace
}  // namespace uroce::verbs::test
