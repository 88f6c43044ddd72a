// Posts that are held back to be merged with the next ones leave even if no thread polls.
#include <gtest/gtest.h>
#include <infiniband/verbs.h>

#include <random>
#include <thread>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

// Reads memory that a device writes meanwhile, as by DMA: a race for ThreadSanitizer, but intended.
__attribute__((no_sanitize("thread"))) uint32_t look(const uint8_t* at) {
  return *reinterpret_cast<const volatile uint32_t*>(at);
}

// A program that posts in bursts, does not poll and reads memory to see the arrivals, while another of its
// threads sleeps for events and so watches the sockets. A burst may find that thread awake, asleep or just
// in between, by chance: there are many bursts, after pauses of random length.
TEST_F(DeviceTest, ABurstLeavesThoughTheOnlyOtherThreadSleepsForEvents) {
  constexpr int kRounds = 2500, kBurst = 6;
  const std::random_device::result_type seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  ibv_comp_channel* channel = ibv_create_comp_channel(context);
  ibv_cq* cq = ibv_create_cq(context, 64, nullptr, channel, 0);
  ASSERT_TRUE(channel && cq);
  ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
  qp_b = create_qp(cq);
  // Nothing is polled, so the send queue holds all of them.
  ASSERT_EQ(ibv_destroy_qp(qp_a), 0);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = cq_a;
  init.cap = {.max_send_wr = kRounds * kBurst + 1,
              .max_recv_wr = 1,
              .max_send_sge = 1,
              .max_recv_sge = 1,
              .max_inline_data = 0};
  init.qp_type = IBV_QPT_RC;
  qp_a = ibv_create_qp(pd, &init);
  ASSERT_NE(qp_a, nullptr);
  connect();
  ASSERT_EQ(post_recv(qp_b, sge_b(64, 64)), 0);
  ASSERT_EQ(ibv_req_notify_cq(cq, 0), 0);
  std::thread sleeper([&] {
    ibv_cq* got = nullptr;
    void* cookie = nullptr;
    EXPECT_EQ(ibv_get_cq_event(channel, &got, &cookie), 0);
    ibv_ack_cq_events(cq, 1);
  });
  uint32_t stuck = 0;
  for (uint32_t round = 1; round <= kRounds && stuck == 0; ++round) {
    std::memcpy(memory_a.data(), &round, sizeof round);
    for (int i = 0; i < kBurst; ++i) {
      ibv_sge sge = sge_a(0, sizeof round);
      ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
      wr.send_flags = 0;
      aim(&wr, 0);
      ASSERT_EQ(post(qp_a, wr), 0);
    }
    const auto begin = std::chrono::steady_clock::now();
    while (look(memory_b.data()) != round && stuck == 0) {
      if (std::chrono::steady_clock::now() - begin > kTimeout) stuck = round;
    }
    const auto pause = std::chrono::nanoseconds(random() % 250'000);
    const auto landed = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - landed < pause) {
    }
  }
  EXPECT_EQ(stuck, 0u) << "the burst of that round never left";
  ibv_sge sge = sge_a(0, 8);
  EXPECT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge)), 0);
  while (stuck != 0 && poll_one(cq_a).wr_id == UINT64_MAX) {
  }
  sleeper.join();
  EXPECT_EQ(ibv_destroy_qp(qp_b), 0);
  qp_b = nullptr;
  EXPECT_EQ(ibv_destroy_cq(cq), 0);
  EXPECT_EQ(ibv_destroy_comp_channel(channel), 0);
}

}  // namespace
}  // namespace uroce::verbs::test
