// Memory regions through the verbs.
#include <sys/mman.h>

#include "tests/device/fixture.h"
#include "uroce/ext/uroce.h"

namespace uroce::verbs::test {
namespace {

TEST_F(DeviceTest, RegistrationRefusesWhatIsNotMemory) {
  EXPECT_EQ(ibv_reg_mr(pd, nullptr, 4096, IBV_ACCESS_LOCAL_WRITE), nullptr);
  EXPECT_EQ(errno, EFAULT);
  EXPECT_EQ(ibv_reg_mr(pd, memory_a.data(), std::size_t{1} << 40, IBV_ACCESS_LOCAL_WRITE), nullptr);
  EXPECT_EQ(errno, EFAULT);
  EXPECT_EQ(ibv_reg_mr(pd, memory_a.data(), SIZE_MAX, IBV_ACCESS_LOCAL_WRITE), nullptr);
  EXPECT_EQ(errno, EINVAL);  // it wraps around
  // Remote write needs local write.
  EXPECT_EQ(ibv_reg_mr(pd, memory_a.data(), 64, IBV_ACCESS_REMOTE_WRITE), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(ibv_reg_mr(pd, memory_a.data(), 64, IBV_ACCESS_ON_DEMAND), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
}

TEST_F(DeviceTest, ReadOnlyMemoryCanBeReadOnly) {
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  EXPECT_EQ(ibv_reg_mr(pd, page, 4096, IBV_ACCESS_LOCAL_WRITE), nullptr);
  EXPECT_EQ(errno, EFAULT);
  ibv_mr* mr = ibv_reg_mr(pd, page, 4096, IBV_ACCESS_REMOTE_READ);
  ASSERT_NE(mr, nullptr);
  EXPECT_EQ(ibv_dereg_mr(mr), 0);
  munmap(page, 4096);
}

TEST_F(DeviceTest, MemoryWithoutTheRightIsNotRegisteredWhereverItIs) {
  constexpr size_t kPage = 4096;
  for (const int rights : {PROT_NONE, PROT_READ}) {
    for (const size_t at : {size_t{0}, kPage}) {
      auto* pages = static_cast<char*>(
          mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      ASSERT_EQ(mprotect(pages + at, kPage, rights), 0);
      errno = 0;
      EXPECT_EQ(ibv_reg_mr(pd, pages, 2 * kPage, IBV_ACCESS_LOCAL_WRITE), nullptr) << rights << " " << at;
      EXPECT_EQ(errno, EFAULT);
      ibv_mr* mr = ibv_reg_mr(pd, pages, 2 * kPage, 0);
      EXPECT_EQ(mr != nullptr, rights == PROT_READ) << at;
      if (mr != nullptr) {
        EXPECT_EQ(ibv_dereg_mr(mr), 0);
      }
      munmap(pages, 2 * kPage);
    }
  }
}

TEST_F(DeviceTest, KeysAreNotGuessable) {
  std::vector<ibv_mr*> regions;
  for (int i = 0; i < 64; ++i) regions.push_back(ibv_reg_mr(pd, memory_a.data(), 64, kAllAccess));
  int close_together = 0;
  for (std::size_t i = 1; i < regions.size(); ++i) {
    const uint32_t distance = regions[i]->rkey - regions[i - 1]->rkey;
    close_together += distance < 4096 || -distance < 4096;
  }
  EXPECT_LT(close_together, 4);
  for (ibv_mr* mr : regions) EXPECT_EQ(ibv_dereg_mr(mr), 0);
}

TEST_F(DeviceTest, ADeregisteredKeyIsDead) {
  connect();
  ibv_mr* mr = ibv_reg_mr(pd, memory_b.data(), 64, kAllAccess);
  const uint32_t rkey = mr->rkey;
  ASSERT_EQ(ibv_dereg_mr(mr), 0);
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, 0);
  wr.wr.rdma.rkey = rkey;
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_REM_ACCESS_ERR);
}

TEST_F(DeviceTest, AnotherAddressSpaceForThePeer) {
  connect();
  ibv_mr* mr = ibv_reg_mr_iova(pd, memory_b.data(), 4096, 0x1000, kAllAccess);
  ASSERT_NE(mr, nullptr);
  memory_a[0] = 0x77;
  ibv_sge sge = sge_a(0, 1);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  wr.wr.rdma.remote_addr = 0x1000 + 5;
  wr.wr.rdma.rkey = mr->rkey;
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  EXPECT_EQ(memory_b[5], 0x77);
  EXPECT_EQ(ibv_dereg_mr(mr), 0);
}

TEST_F(DeviceTest, PinnedBytesAreCounted) {
  uroce_pinned before{}, after{};
  ASSERT_EQ(uroce_query_mr_pinned(context, &before), 0);
  void* pages = mmap(nullptr, 64 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ibv_mr* mr = ibv_reg_mr(pd, pages, 64 * 4096, IBV_ACCESS_LOCAL_WRITE);
  ASSERT_NE(mr, nullptr);
  ASSERT_EQ(uroce_query_mr_pinned(context, &after), 0);
  EXPECT_EQ(after.regions, before.regions + 1);
  EXPECT_EQ(after.pinned_bytes + after.unpinned_bytes,
            before.pinned_bytes + before.unpinned_bytes + 64 * 4096);
  unsigned char resident[64];
  ASSERT_EQ(mincore(pages, 64 * 4096, resident), 0);
  for (unsigned char r : resident) EXPECT_EQ(r & 1, 1);
  EXPECT_EQ(ibv_dereg_mr(mr), 0);
  munmap(pages, 64 * 4096);
}

}  // namespace
}  // namespace uroce::verbs::test
