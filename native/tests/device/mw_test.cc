// Memory windows, SEND with invalidate and local invalidate through the verbs interface.
#include <utility>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

class WindowTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    // A region without remote rights: only the windows grant access.
    bare = ibv_reg_mr(pd, memory_b.data(), kBuffer, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
    ASSERT_NE(bare, nullptr);
    connect();
  }
  void TearDown() override {
    EXPECT_EQ(ibv_dereg_mr(bare), 0);
    DeviceTest::TearDown();
  }
  ibv_mw_bind_info info(std::size_t offset, uint64_t length, unsigned access) const {
    return {.mr = bare,
            .addr = reinterpret_cast<uintptr_t>(memory_b.data()) + offset,
            .length = length,
            .mw_access_flags = access};
  }
  int bind(ibv_mw* mw, const ibv_mw_bind_info& bind_info) const {
    ibv_mw_bind request{.wr_id = 55, .send_flags = IBV_SEND_SIGNALED, .bind_info = bind_info};
    return ibv_bind_mw(qp_b, mw, &request);
  }
  ibv_wc_status write(uint32_t rkey, uint64_t to) {
    ibv_sge sge = sge_a(0, 8);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
    wr.wr.rdma = {.remote_addr = to, .rkey = rkey};
    EXPECT_EQ(post(qp_a, wr), 0);
    return poll_one(cq_a).status;
  }
  uint64_t b_at(std::size_t offset) const { return reinterpret_cast<uintptr_t>(memory_b.data()) + offset; }

  ibv_mr* bare = nullptr;
};

TEST_F(WindowTest, AreAdvertised) {
  ibv_device_attr device{};
  ASSERT_EQ(ibv_query_device(context, &device), 0);
  EXPECT_GT(device.max_mw, 0);
  EXPECT_TRUE(device.device_cap_flags & IBV_DEVICE_MEM_WINDOW);
  EXPECT_TRUE(device.device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2B);
  EXPECT_FALSE(device.device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2A);
}

TEST_F(WindowTest, OfTypeOneAreBoundByTheirVerb) {
  ibv_mw* mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
  ASSERT_NE(mw, nullptr);
  EXPECT_EQ(mw->type, IBV_MW_TYPE_1);
  EXPECT_EQ(mw->pd, pd);
  const uint32_t before = mw->rkey;
  ASSERT_EQ(bind(mw, info(1000, 100, IBV_ACCESS_REMOTE_WRITE)), 0);
  EXPECT_EQ(mw->rkey, ibv_inc_rkey(before));
  const ibv_wc wc = poll_one(cq_b);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(wc.opcode, IBV_WC_BIND_MW);
  EXPECT_EQ(wc.wr_id, 55u);
  memory_a[0] = 0x77;
  EXPECT_EQ(write(mw->rkey, b_at(1092)), IBV_WC_SUCCESS);
  EXPECT_EQ(memory_b[1092], 0x77);
  EXPECT_EQ(ibv_dereg_mr(bare), EBUSY) << "a window is bound to it";
  EXPECT_EQ(ibv_dealloc_pd(pd), EBUSY);
  EXPECT_EQ(write(mw->rkey, b_at(1093)), IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(ibv_dealloc_mw(mw), 0);
}

// The handle shows the key that a posted bind gives the window, and names the window with any value in it.
TEST_F(WindowTest, OfTypeTwoShowTheirKeyWhenTheBindIsPosted) {
  ibv_mw* mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
  ASSERT_NE(mw, nullptr);
  const uint32_t first = mw->rkey;
  ibv_send_wr wr{};
  wr.opcode = IBV_WR_BIND_MW;
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.bind_mw = {.mw = mw, .rkey = 0x4242, .bind_info = info(0, 64, IBV_ACCESS_REMOTE_WRITE)};
  const uint32_t handle = std::exchange(mw->handle, 0xDEADBEEF);
  ASSERT_EQ(post(qp_b, wr), 0);
  EXPECT_EQ(mw->rkey, (first & ~0xffu) | 0x42);
  EXPECT_EQ(poll_one(cq_b).status, IBV_WC_SUCCESS);
  EXPECT_EQ(write(mw->rkey, b_at(0)), IBV_WC_SUCCESS);
  mw->handle = handle;
  mw->rkey = 0;
  EXPECT_EQ(ibv_dealloc_mw(mw), 0);
}

TEST_F(WindowTest, TheirVerbRefusesWhatTheManPageSays) {
  ibv_mw* one = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
  ibv_mw* two = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(bind(two, info(0, 64, IBV_ACCESS_REMOTE_READ)), EINVAL) << "type 2 is bound by a work request";
  EXPECT_EQ(bind(one, info(0, 64, IBV_ACCESS_REMOTE_READ | IBV_ACCESS_ZERO_BASED)), EINVAL);
  ibv_mw_bind_info none = info(0, 64, 0);
  none.mr = nullptr;
  EXPECT_EQ(bind(one, none), EINVAL);
  ibv_pd* other = ibv_alloc_pd(context);
  ibv_mw* foreign = ibv_alloc_mw(other, IBV_MW_TYPE_1);
  EXPECT_EQ(bind(foreign, info(0, 64, IBV_ACCESS_REMOTE_READ)), EPERM);
  EXPECT_EQ(ibv_dealloc_mw(foreign), 0);
  EXPECT_EQ(ibv_dealloc_pd(other), 0);
  // Faults that only the device can find end in a completion.
  const uint32_t before = one->rkey;
  ASSERT_EQ(bind(one, info(kBuffer - 8, 64, IBV_ACCESS_REMOTE_READ)), 0);
  EXPECT_EQ(poll_one(cq_b).status, IBV_WC_MW_BIND_ERR);
  EXPECT_NE(one->rkey, before);
  EXPECT_EQ(ibv_alloc_mw(pd, static_cast<ibv_mw_type>(3)), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(ibv_dealloc_mw(one), 0);
  EXPECT_EQ(ibv_dealloc_mw(two), 0);
}

TEST_F(WindowTest, OfTypeTwoLiveFromBindToInvalidate) {
  ibv_mw* mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
  ASSERT_NE(mw, nullptr);
  for (int round = 0; round < 5; ++round) {
    ibv_send_wr wr = send_wr(IBV_WR_BIND_MW, nullptr, 9);
    wr.bind_mw = {.mw = mw,
                  .rkey = ibv_inc_rkey(mw->rkey),
                  .bind_info = info(0, 4096, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_ZERO_BASED)};
    mw->rkey = wr.bind_mw.rkey;
    ASSERT_EQ(post(qp_b, wr), 0);
    ASSERT_EQ(poll_one(cq_b).status, IBV_WC_SUCCESS);
    ASSERT_EQ(write(mw->rkey, 4096 - 8), IBV_WC_SUCCESS);
    if (round % 2 == 0) {
      // The peer invalidates it with a message ...
      ASSERT_EQ(post_recv(qp_b, sge_b(8192, 64)), 0);
      ibv_sge sge = sge_a(0, 5);
      ibv_send_wr send = send_wr(IBV_WR_SEND_WITH_INV, &sge);
      send.invalidate_rkey = mw->rkey;
      ASSERT_EQ(post(qp_a, send), 0);
      const ibv_wc wc = poll_one(cq_b);
      EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
      EXPECT_EQ(wc.wc_flags, static_cast<unsigned>(IBV_WC_WITH_INV));
      EXPECT_EQ(wc.invalidated_rkey, mw->rkey);
      EXPECT_EQ(wc.byte_len, 5u);
      ASSERT_EQ(poll_one(cq_a).opcode, IBV_WC_SEND);
    } else {
      // ... or the owner does.
      ibv_send_wr inv = send_wr(IBV_WR_LOCAL_INV, nullptr, 10);
      inv.invalidate_rkey = mw->rkey;
      ASSERT_EQ(post(qp_b, inv), 0);
      const ibv_wc wc = poll_one(cq_b);
      EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
      EXPECT_EQ(wc.opcode, IBV_WC_LOCAL_INV);
    }
  }
  EXPECT_EQ(write(mw->rkey, 0), IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(ibv_dealloc_mw(mw), 0);
}

TEST_F(WindowTest, ExtendedQueuePairsBindAndInvalidateToo) {
  ibv_qp_init_attr_ex init{};
  init.send_cq = init.recv_cq = cq_b;
  init.cap = {
      .max_send_wr = 16, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 64};
  init.qp_type = IBV_QPT_RC;
  init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  init.pd = pd;
  init.send_ops_flags = IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_LOCAL_INV | IBV_QP_EX_WITH_SEND_WITH_INV;
  ASSERT_EQ(ibv_destroy_qp(qp_b), 0);
  qp_b = ibv_create_qp_ex(context, &init);
  ASSERT_NE(qp_b, nullptr);
  ibv_qp_attr reset{};
  ASSERT_EQ(ibv_modify_qp(qp_a, &reset, IBV_QP_STATE), 0);
  connect();
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(qp_b);
  ibv_mw* mine = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
  ibv_mw* theirs = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
  const ibv_mw_bind_info whole = info(0, kBuffer, IBV_ACCESS_REMOTE_READ);
  ibv_send_wr wr = send_wr(IBV_WR_BIND_MW, nullptr);
  wr.bind_mw = {.mw = theirs, .rkey = theirs->rkey, .bind_info = whole};
  ASSERT_EQ(post(qp_a, wr), 0);
  ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  ASSERT_EQ(post_recv(qp_a, sge_a(0, 64)), 0);
  ibv_wr_start(qp);
  qp->wr_flags = IBV_SEND_SIGNALED;
  qp->wr_id = 1;
  ibv_wr_bind_mw(qp, mine, ibv_inc_rkey(mine->rkey), &whole);
  qp->wr_id = 2;
  ibv_wr_local_inv(qp, ibv_inc_rkey(mine->rkey));
  qp->wr_id = 3;
  ibv_wr_send_inv(qp, theirs->rkey);
  char text[] = "take it back";
  ibv_wr_set_inline_data(qp, text, sizeof text);
  ASSERT_EQ(ibv_wr_complete(qp), 0);
  const ibv_wc_opcode order[] = {IBV_WC_BIND_MW, IBV_WC_LOCAL_INV, IBV_WC_SEND};
  for (ibv_wc_opcode opcode : order) {
    const ibv_wc wc = poll_one(cq_b);
    EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
    EXPECT_EQ(wc.opcode, opcode);
  }
  const ibv_wc wc = poll_one(cq_a);
  EXPECT_EQ(wc.invalidated_rkey, theirs->rkey);
  EXPECT_STREQ(reinterpret_cast<char*>(memory_a.data()), text);
  EXPECT_EQ(ibv_dealloc_mw(mine), 0);
  EXPECT_EQ(ibv_dealloc_mw(theirs), 0);
}

}  // namespace
}  // namespace uroce::verbs::test
