// Extended completion queues, thread and parent domains.
#include <time.h>

#include <atomic>
#include <thread>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

constexpr uint64_t kEverything = uint64_t{IBV_WC_STANDARD_FLAGS} | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |
                                 IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK;

uint64_t wall_ns() {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

class ExtendedCqTest : public DeviceTest {
 protected:
  ibv_cq_ex* create(uint64_t fields, uint32_t flags = 0) {
    ibv_cq_init_attr_ex init{};
    init.cqe = 64;
    init.cq_context = this;
    init.wc_flags = fields;
    init.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
    init.flags = flags;
    return ibv_create_cq_ex(context, &init);
  }
  // Replaces b's queue pair by one on this queue.
  void use(ibv_cq_ex* cq) {
    ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
    qp_b = create_qp(ibv_cq_ex_to_cq(cq));
    connect();
  }
  void drop(ibv_cq_ex* cq) {
    ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
    qp_b = nullptr;
    EXPECT_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), 0);
  }
  void send(uint32_t length, uint32_t imm) {
    ibv_sge sge = sge_a(0, length);
    ibv_send_wr wr = send_wr(IBV_WR_SEND_WITH_IMM, &sge);
    wr.imm_data = htobe32(imm);
    ASSERT_EQ(post(qp_a, wr), 0);
    ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  }
  static int start(ibv_cq_ex* cq) {
    ibv_poll_cq_attr attr{};
    const auto end = std::chrono::steady_clock::now() + kTimeout;
    int error;
    while ((error = ibv_start_poll(cq, &attr)) == ENOENT && std::chrono::steady_clock::now() < end) {
    }
    return error;
  }
};

TEST_F(ExtendedCqTest, CompletionsAreVisitedAndRead) {
  ibv_cq_ex* cq = create(kEverything);
  ASSERT_NE(cq, nullptr);
  EXPECT_EQ(cq->cq_context, this);
  EXPECT_GE(cq->cqe, 64);
  use(cq);
  ibv_poll_cq_attr attr{};
  EXPECT_EQ(ibv_start_poll(cq, &attr), ENOENT);
  attr.comp_mask = 1;
  EXPECT_EQ(ibv_start_poll(cq, &attr), EINVAL);
  const uint64_t before = wall_ns();
  ibv_values_ex clock{.comp_mask = IBV_VALUES_MASK_RAW_CLOCK, .raw_clock = {}};
  ASSERT_EQ(ibv_query_rt_values_ex(context, &clock), 0);
  const uint64_t ticks = static_cast<uint64_t>(clock.raw_clock.tv_sec) * 1'000'000'000u +
                         static_cast<uint64_t>(clock.raw_clock.tv_nsec);
  for (uint64_t i = 0; i < 3; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64), 100 + i), 0);
  for (uint32_t i = 0; i < 3; ++i) send(10 + i, 1000 + i);
  ASSERT_EQ(start(cq), 0);
  uint64_t last = ticks;
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(cq->status, IBV_WC_SUCCESS);
    EXPECT_EQ(cq->wr_id, 100u + i);
    EXPECT_EQ(ibv_wc_read_opcode(cq), IBV_WC_RECV);
    EXPECT_EQ(ibv_wc_read_byte_len(cq), 10u + i);
    EXPECT_EQ(ibv_wc_read_imm_data(cq), htobe32(1000 + i));
    EXPECT_EQ(ibv_wc_read_wc_flags(cq), static_cast<unsigned>(IBV_WC_WITH_IMM));
    EXPECT_EQ(ibv_wc_read_qp_num(cq), qp_b->qp_num);
    EXPECT_EQ(ibv_wc_read_vendor_err(cq), 0u);
    EXPECT_EQ(ibv_wc_read_src_qp(cq), 0u);
    EXPECT_EQ(ibv_wc_read_slid(cq), 0u);
    EXPECT_EQ(ibv_wc_read_sl(cq), 0u);
    EXPECT_EQ(ibv_wc_read_dlid_path_bits(cq), 0u);
    EXPECT_GE(ibv_wc_read_completion_ts(cq), last) << "a later completion has no earlier time";
    last = ibv_wc_read_completion_ts(cq);
    const uint64_t wall = ibv_wc_read_completion_wallclock_ns(cq);
    EXPECT_GE(wall + 1'000'000, before);
    EXPECT_LE(wall, wall_ns() + 1'000'000);
    EXPECT_EQ(ibv_next_poll(cq), i < 2 ? 0 : ENOENT);
  }
  ibv_end_poll(cq);
  EXPECT_EQ(ibv_query_rt_values_ex(context, &clock), 0);
  EXPECT_LE(last, static_cast<uint64_t>(clock.raw_clock.tv_sec) * 1'000'000'000u +
                      static_cast<uint64_t>(clock.raw_clock.tv_nsec));
  drop(cq);
}

TEST_F(ExtendedCqTest, ABatchMayEndEarlyAndThePlainPollGoesOn) {
  ibv_cq_ex* cq = create(IBV_WC_EX_WITH_BYTE_LEN, IBV_CREATE_CQ_ATTR_SINGLE_THREADED);
  ASSERT_NE(cq, nullptr);
  EXPECT_EQ(cq->read_imm_data, nullptr) << "not asked for";
  EXPECT_EQ(cq->read_completion_ts, nullptr);
  use(cq);
  for (uint64_t i = 0; i < 2; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64), i), 0);
  for (uint32_t i = 0; i < 2; ++i) send(1, 0);
  ASSERT_EQ(start(cq), 0);
  EXPECT_EQ(cq->wr_id, 0u);
  ibv_end_poll(cq);
  ASSERT_EQ(ibv_resize_cq(ibv_cq_ex_to_cq(cq), 200), 0);
  EXPECT_EQ(poll_one(ibv_cq_ex_to_cq(cq)).wr_id, 1u);
  drop(cq);
}

TEST_F(ExtendedCqTest, TimesSurviveAResize) {
  ibv_cq_ex* cq = create(IBV_WC_EX_WITH_COMPLETION_TIMESTAMP);
  ASSERT_NE(cq, nullptr);
  use(cq);
  for (uint64_t i = 0; i < 2; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64), i), 0);
  for (uint32_t i = 0; i < 2; ++i) send(1, 0);
  ASSERT_EQ(start(cq), 0);
  const uint64_t first = ibv_wc_read_completion_ts(cq);
  ASSERT_EQ(ibv_resize_cq(ibv_cq_ex_to_cq(cq), 500), 0) << "also inside a batch";
  ASSERT_EQ(ibv_next_poll(cq), 0);
  EXPECT_GE(ibv_wc_read_completion_ts(cq), first);
  EXPECT_LT(ibv_wc_read_completion_ts(cq) - first, 5'000'000'000u);
  ibv_end_poll(cq);
  drop(cq);
}

TEST_F(ExtendedCqTest, ThreadsTakeTurnsAndNoneSeesACompletionTwice) {
  constexpr uint64_t kMessages = 2000;
  ibv_cq_ex* cq = create(IBV_WC_EX_WITH_IMM);
  ASSERT_NE(cq, nullptr);
  use(cq);
  std::atomic<uint64_t> seen = 0, sum = 0;
  const auto consume = [&] {
    while (seen < kMessages) {
      ibv_poll_cq_attr attr{};
      if (ibv_start_poll(cq, &attr) != 0) continue;
      do {
        sum += be32toh(ibv_wc_read_imm_data(cq));
        ++seen;
        EXPECT_EQ(post_recv(qp_b, sge_b(0, 64), 0), 0);
      } while (ibv_next_poll(cq) == 0);
      ibv_end_poll(cq);
    }
  };
  for (int i = 0; i < 32; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(0, 64), 0), 0);
  std::thread one(consume), two(consume);
  for (uint32_t i = 1; i <= kMessages; ++i) send(4, i);
  one.join();
  two.join();
  EXPECT_EQ(seen, kMessages);
  EXPECT_EQ(sum, kMessages * (kMessages + 1) / 2);
  drop(cq);
}

TEST_F(ExtendedCqTest, RefusesWhatItCannotGive) {
  EXPECT_EQ(create(IBV_WC_EX_WITH_CVLAN), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(create(IBV_WC_EX_WITH_TM_INFO), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(create(0, IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(create(0, 1 << 9), nullptr);
  EXPECT_EQ(errno, EINVAL);
  ibv_cq_init_attr_ex init{};
  EXPECT_EQ(ibv_create_cq_ex(context, &init), nullptr) << "no entries";
  EXPECT_EQ(errno, EINVAL);
  init.cqe = 4;
  init.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD;
  init.parent_domain = pd;
  EXPECT_EQ(ibv_create_cq_ex(context, &init), nullptr) << "no parent domain";
  EXPECT_EQ(errno, EINVAL);
  ibv_device_attr_ex device{};
  ASSERT_EQ(ibv_query_device_ex(context, nullptr, &device), 0);
  EXPECT_EQ(device.completion_timestamp_mask, UINT64_MAX);
  EXPECT_EQ(device.hca_core_clock, 1'000'000u) << "kHz: nanoseconds";
}

TEST_F(DeviceTest, ParentDomainsAreTheirProtectionDomain) {
  ibv_td_init_attr td_init{};
  ibv_td* td = ibv_alloc_td(context, &td_init);
  ASSERT_NE(td, nullptr);
  ibv_parent_domain_init_attr init{};
  init.pd = pd;
  init.td = td;
  ibv_pd* domain = ibv_alloc_parent_domain(context, &init);
  ASSERT_NE(domain, nullptr);
  EXPECT_EQ(ibv_dealloc_td(td), EBUSY);
  init.pd = domain;
  EXPECT_EQ(ibv_alloc_parent_domain(context, &init), nullptr) << "of a parent domain";
  EXPECT_EQ(errno, EINVAL);
  init.pd = nullptr;
  EXPECT_EQ(ibv_alloc_parent_domain(context, &init), nullptr);
  EXPECT_EQ(errno, EINVAL);
  init.pd = pd;
  init.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS;
  EXPECT_EQ(ibv_alloc_parent_domain(context, &init), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  // A queue pair of it reaches the regions of its PD.
  ibv_cq_init_attr_ex cq_init{};
  cq_init.cqe = 16;
  cq_init.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD;
  cq_init.parent_domain = domain;
  ibv_cq_ex* cq = ibv_create_cq_ex(context, &cq_init);
  ASSERT_NE(cq, nullptr);
  ibv_pd* plain = std::exchange(pd, domain);
  ASSERT_EQ(ibv_destroy_qp(qp_a), 0);
  qp_a = create_qp(ibv_cq_ex_to_cq(cq));
  ASSERT_NE(qp_a, nullptr);
  EXPECT_EQ(qp_a->pd, domain);
  pd = plain;
  connect();
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, 0);
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(ibv_cq_ex_to_cq(cq)).status, IBV_WC_SUCCESS);
  ASSERT_EQ(ibv_destroy_qp(qp_a), 0);
  qp_a = nullptr;
  EXPECT_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), 0);
  EXPECT_EQ(ibv_dealloc_pd(pd), EBUSY);
  EXPECT_EQ(ibv_dealloc_pd(domain), 0);
  EXPECT_EQ(ibv_dealloc_td(td), 0);
  td_init.comp_mask = 1;
  EXPECT_EQ(ibv_alloc_td(context, &td_init), nullptr);
  EXPECT_EQ(errno, EINVAL);
}

}  // namespace
}  // namespace uroce::verbs::test
