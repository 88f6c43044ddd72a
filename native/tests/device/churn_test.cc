// Objects made and destroyed for a long time leave no memory behind, and neither does opening the device.
#include <malloc.h>

#include <algorithm>
#include <climits>

#include "tests/device/fixture.h"
#include "tests/under_sanitizers.h"

namespace uroce::verbs::test {
namespace {

constexpr int kWarmUp = 70;  // more than the destroyed objects that the library keeps
constexpr int kRounds = 200;
constexpr long kAllowed = 1024;  // bytes: what libc keeps for itself

long allocated() { return static_cast<long>(mallinfo2().uordblks); }

// Bytes that `work` leaves behind each time: what is made once, however late, is none of them.
template <class Work>
long left_behind(const Work& work) {
  long least = LONG_MAX;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const long before = allocated();
    work();
    least = std::min(least, allocated() - before);
  }
  return least;
}

class Churn : public DeviceTest {
 protected:
  // Every object once, in use: an SRQ with receives, a window bound and invalidated, a channel with an event.
  void round() {
    ibv_comp_channel* channel = ibv_create_comp_channel(context);
    ibv_cq* cq = ibv_create_cq(context, 64, nullptr, channel, 0);
    ibv_srq_init_attr srq_init{};
    srq_init.attr = {.max_wr = 32, .max_sge = 2, .srq_limit = 0};
    ibv_srq* srq = ibv_create_srq(pd, &srq_init);
    ibv_mw* mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
    ibv_mr* mr = ibv_reg_mr(pd, memory_a.data(), 4096, kAllAccess | IBV_ACCESS_MW_BIND);
    ASSERT_TRUE(channel && cq && srq && mw && mr);
    ASSERT_EQ(ibv_req_notify_cq(cq, 0), 0);
    qp_a = create_qp(cq);
    qp_b = create_qp(cq_b);
    ASSERT_TRUE(qp_a && qp_b);
    connect();
    ibv_sge to = sge_b(0, 100);
    ASSERT_EQ(post_recv(qp_b, to), 0);
    ibv_sge from = sge_a(0, 100);
    ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &from)), 0);
    ibv_cq* signaled = nullptr;
    void* ignored = nullptr;
    ASSERT_EQ(ibv_get_cq_event(channel, &signaled, &ignored), 0);
    ibv_ack_cq_events(cq, 1);
    ASSERT_EQ(poll_one(cq).status, IBV_WC_SUCCESS);
    ASSERT_EQ(poll_one(cq_b).status, IBV_WC_SUCCESS);
    ASSERT_EQ(ibv_destroy_qp(qp_a), 0);
    ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
    qp_a = qp_b = nullptr;
    ASSERT_EQ(ibv_dereg_mr(mr), 0);
    ASSERT_EQ(ibv_dealloc_mw(mw), 0);
    ASSERT_EQ(ibv_destroy_srq(srq), 0);
    ASSERT_EQ(ibv_destroy_cq(cq), 0);
    ASSERT_EQ(ibv_destroy_comp_channel(channel), 0);
  }
};

TEST_F(Churn, OfObjectsLeavesNoMemoryBehind) {
  if (kUnderSanitizers)
    GTEST_SKIP() << "the sanitizer's allocator keeps what is freed, and finds leaks itself";
  ASSERT_EQ(ibv_destroy_qp(qp_a), 0);
  ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
  qp_a = qp_b = nullptr;
  for (int i = 0; i < kWarmUp; ++i) ASSERT_NO_FATAL_FAILURE(round());
  const auto rounds = [this] {
    for (int i = 0; i < kRounds; ++i) ASSERT_NO_FATAL_FAILURE(round());
  };
  EXPECT_LT(left_behind(rounds), kAllowed);
}

TEST(ChurnOfDevices, LeavesNoMemoryBehind) {
  if (kUnderSanitizers)
    GTEST_SKIP() << "the sanitizer's allocator keeps what is freed, and finds leaks itself";
  const auto open_and_close = [] {
    ibv_context* context = open_device();
    ASSERT_NE(context, nullptr);
    ASSERT_EQ(ibv_close_device(context), 0);
  };
  for (int i = 0; i < kWarmUp; ++i) ASSERT_NO_FATAL_FAILURE(open_and_close());
  const auto rounds = [&] {
    for (int i = 0; i < kRounds / 4; ++i) ASSERT_NO_FATAL_FAILURE(open_and_close());
  };
  EXPECT_LT(left_behind(rounds), kAllowed);
}

}  // namespace
}  // namespace uroce::verbs::test
