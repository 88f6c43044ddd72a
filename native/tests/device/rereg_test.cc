// ibv_rereg_mr: each of its flags, and what it refuses.
#include <sys/mman.h>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

class ReregTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    connect();
    mr = ibv_reg_mr(pd, memory_b.data(), 4096, kAllAccess);
    ASSERT_NE(mr, nullptr);
  }
  void TearDown() override {
    EXPECT_EQ(ibv_dereg_mr(mr), 0);
    DeviceTest::TearDown();
  }
  // True if the peer may write there.
  bool writable(std::size_t offset) {
    ibv_sge sge = sge_a(0, 8);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
    wr.wr.rdma = {.remote_addr = reinterpret_cast<uintptr_t>(memory_b.data()) + offset, .rkey = mr->rkey};
    EXPECT_EQ(post(qp_a, wr), 0);
    const ibv_wc_status status = poll_one(cq_a).status;
    if (status == IBV_WC_SUCCESS) return true;
    EXPECT_EQ(status, IBV_WC_REM_ACCESS_ERR);
    ibv_qp_attr reset{};
    EXPECT_EQ(ibv_modify_qp(qp_a, &reset, IBV_QP_STATE), 0);
    EXPECT_EQ(ibv_modify_qp(qp_b, &reset, IBV_QP_STATE), 0);
    connect();
    return false;
  }
  // The errno of a call that answers `code`.
  int refused(int code, int flags, ibv_pd* new_pd, void* addr, size_t length, int access) {
    errno = 0;
    EXPECT_EQ(ibv_rereg_mr(mr, flags, new_pd, addr, length, access), code);
    return errno;
  }

  ibv_mr* mr = nullptr;
};

TEST_F(ReregTest, MovesTheRegion) {
  const uint32_t key = mr->rkey;
  ASSERT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, nullptr, &memory_b[65536], 8192, 0), 0);
  EXPECT_EQ(mr->addr, &memory_b[65536]);
  EXPECT_EQ(mr->length, 8192u);
  EXPECT_EQ(mr->rkey, key);
  EXPECT_TRUE(writable(65536 + 8192 - 8));
  EXPECT_FALSE(writable(0));
  EXPECT_FALSE(writable(65536 + 8192 - 7));
}

TEST_F(ReregTest, ChangesWhatMayBeDone) {
  ASSERT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0,
                         IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ),
            0);
  EXPECT_FALSE(writable(0));
  ASSERT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0, kAllAccess), 0);
  EXPECT_TRUE(writable(0));
}

TEST_F(ReregTest, MovesToAnotherDomain) {
  ibv_pd* other = ibv_alloc_pd(context);
  ASSERT_NE(other, nullptr);
  ASSERT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD, other, nullptr, 0, 0), 0);
  EXPECT_EQ(mr->pd, other);
  EXPECT_FALSE(writable(0));
  EXPECT_EQ(ibv_dealloc_pd(other), EBUSY);
  ASSERT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD, pd, nullptr, 0, 0), 0);
  EXPECT_TRUE(writable(0));
  EXPECT_EQ(ibv_dealloc_pd(other), 0);
}

TEST_F(ReregTest, DoesAllAtOnce) {
  ibv_pd* other = ibv_alloc_pd(context);
  ASSERT_EQ(
      ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION | IBV_REREG_MR_CHANGE_PD | IBV_REREG_MR_CHANGE_ACCESS,
                   other, memory_a.data(), 64, IBV_ACCESS_LOCAL_WRITE),
      0);
  ASSERT_EQ(
      ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION | IBV_REREG_MR_CHANGE_PD | IBV_REREG_MR_CHANGE_ACCESS,
                   pd, memory_b.data(), 64, kAllAccess),
      0);
  EXPECT_TRUE(writable(0));
  EXPECT_EQ(ibv_dealloc_pd(other), 0);
}

TEST_F(ReregTest, RefusesAndLeavesTheRegionAsItWas) {
  EXPECT_EQ(refused(IBV_REREG_MR_ERR_CMD, 0, nullptr, nullptr, 0, 0), EINVAL);
  EXPECT_EQ(refused(IBV_REREG_MR_ERR_INPUT, 8, nullptr, nullptr, 0, 0), EINVAL);
  EXPECT_EQ(refused(IBV_REREG_MR_ERR_INPUT, IBV_REREG_MR_CHANGE_TRANSLATION, nullptr, nullptr, 64, 0),
            EINVAL);
  EXPECT_EQ(refused(IBV_REREG_MR_ERR_INPUT, IBV_REREG_MR_CHANGE_TRANSLATION, nullptr, memory_b.data(), 0, 0),
            EINVAL);
  EXPECT_EQ(refused(IBV_REREG_MR_ERR_CMD, IBV_REREG_MR_CHANGE_PD, nullptr, nullptr, 0, 0), ENOENT);
  EXPECT_EQ(refused(IBV_REREG_MR_ERR_INPUT, IBV_REREG_MR_CHANGE_PD, pd, nullptr, 0, IBV_ACCESS_LOCAL_WRITE),
            EINVAL)
      << "rights without their flag";
  EXPECT_EQ(
      refused(IBV_REREG_MR_ERR_CMD, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0, IBV_ACCESS_REMOTE_WRITE),
      EINVAL)
      << "remote write without local write";
  EXPECT_EQ(
      refused(IBV_REREG_MR_ERR_CMD, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0, IBV_ACCESS_ON_DEMAND),
      EOPNOTSUPP);
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  EXPECT_EQ(refused(IBV_REREG_MR_ERR_CMD, IBV_REREG_MR_CHANGE_TRANSLATION, nullptr, page, 4096, 0), EFAULT)
      << "not writable";
  munmap(page, 4096);
  EXPECT_TRUE(writable(4088));
}

}  // namespace
}  // namespace uroce::verbs::test
