// The counts of ibv_query_device can be reached: one more object gives ENOMEM.
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "tests/device/fixture.h"
#include "tests/under_sanitizers.h"

namespace uroce::verbs::test {
namespace {

class LimitTest : public DeviceTest {
 protected:
  // The fixture and the connection manager have a few objects of each kind themselves.
  static constexpr int kSpare = 16;

  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_EQ(ibv_query_device(context, &limits), 0);
  }
  template <class T>
  void fill(int limit, const std::function<T*()>& make, int (*destroy)(T*)) {
    std::vector<T*> all;
    for (int i = 0; i <= limit; ++i) {
      errno = 0;
      T* made = make();
      if (made == nullptr) break;
      all.push_back(made);
    }
    EXPECT_EQ(errno, ENOMEM);
    EXPECT_LE(static_cast<int>(all.size()), limit);
    EXPECT_GE(static_cast<int>(all.size()), limit - kSpare);
    for (T* each : all) ASSERT_EQ(destroy(each), 0);
    T* again = make();
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(destroy(again), 0);
  }

  ibv_device_attr limits{};
};

TEST_F(LimitTest, ProtectionDomains) {
  fill<ibv_pd>(limits.max_pd, [&] { return ibv_alloc_pd(context); }, ibv_dealloc_pd);
}

TEST_F(LimitTest, CompletionQueues) {
  fill<ibv_cq>(limits.max_cq, [&] { return ibv_create_cq(context, 1, nullptr, nullptr, 0); }, ibv_destroy_cq);
}

TEST_F(LimitTest, SharedReceiveQueues) {
  ibv_srq_init_attr init{};
  init.attr = {.max_wr = 1, .max_sge = 1, .srq_limit = 0};
  fill<ibv_srq>(limits.max_srq, [&] { return ibv_create_srq(pd, &init); }, ibv_destroy_srq);
}

TEST_F(LimitTest, QueuePairs) {
  fill<ibv_qp>(limits.max_qp, [&] { return create_qp(cq_a); }, ibv_destroy_qp);
}

TEST_F(LimitTest, MemoryRegions) {
  fill<ibv_mr>(limits.max_mr, [&] { return ibv_reg_mr(pd, memory_a.data(), 64, 0); }, ibv_dereg_mr);
}

TEST_F(LimitTest, MemoryWindows) {
  fill<ibv_mw>(
      limits.max_mw, [&] { return ibv_alloc_mw(pd, IBV_MW_TYPE_1); },
      [](ibv_mw* mw) { return ibv_dealloc_mw(mw); });
}

TEST_F(LimitTest, TheDeviceIsNoVendorsAndHasADescriptor) {
  EXPECT_NE(limits.vendor_id, 0u);
  EXPECT_EQ(limits.vendor_id >> 16 & 3, 2u) << "locally administered, not a group: no vendor's";
  EXPECT_NE(limits.vendor_part_id, 0u);
  EXPECT_NE(limits.hw_ver, 0u);
  ASSERT_GE(context->cmd_fd, 0);
  EXPECT_EQ(fcntl(context->cmd_fd, F_GETFD), FD_CLOEXEC);
  uint64_t value;
  EXPECT_EQ(read(context->cmd_fd, &value, sizeof value), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST_F(LimitTest, ATableOfGidsThatIsTooSmallIsRefused) {
  ibv_gid_entry table[8];
  const ssize_t all = ibv_query_gid_table(context, table, 8, 0);
  ASSERT_GE(all, 1);
  EXPECT_EQ(ibv_query_gid_table(context, table, static_cast<size_t>(all), 0), all);
  errno = 0;
  EXPECT_EQ(ibv_query_gid_table(context, table, static_cast<size_t>(all) - 1, 0), -EINVAL);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(LimitTest, ARegionOfNoBytesIsRegistered) {
  connect();
  ibv_mr* empty = ibv_reg_mr(pd, memory_b.data(), 0, kAllAccess);
  ASSERT_NE(empty, nullptr);
  EXPECT_EQ(empty->length, 0u);
  ibv_mr* nowhere = ibv_reg_mr(pd, nullptr, 0, 0);
  ASSERT_NE(nowhere, nullptr);
  EXPECT_EQ(ibv_dereg_mr(nowhere), 0);
  ibv_sge sge = sge_a(0, 1);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  wr.wr.rdma = {.remote_addr = reinterpret_cast<uintptr_t>(memory_b.data()), .rkey = empty->rkey};
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(ibv_dereg_mr(empty), 0);
}

// A process that opens the device on command, while the other one has no memory left.
pid_t start_neighbor(int* go) {
  int ends[2];
  if (pipe(ends) != 0) _exit(10);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    char byte;
    if (read(ends[0], &byte, 1) != 1) _exit(1);
    _exit(open_device() == nullptr ? 2 : 0);
  }
  close(ends[0]);
  *go = ends[1];
  return child;
}

// The remaining memory is soon used up: the calls report it, and no exception ends the program. A process
// that joins the address then survives, too.
void use_up_memory() {
  mallopt(M_ARENA_MAX, 1);  // the device's thread has no memory of its own
  int go = -1;
  const pid_t neighbor = start_neighbor(&go);
  ibv_context* context = open_device();
  ibv_pd* pd = ibv_alloc_pd(context);
  ibv_cq* cq = ibv_create_cq(context, 16, nullptr, nullptr, 0);
  if (pd == nullptr || cq == nullptr) _exit(1);
  const rlimit none{1, 1};
  setrlimit(RLIMIT_AS, &none);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = cq;
  init.cap = {
      .max_send_wr = 4096, .max_recv_wr = 4096, .max_send_sge = 8, .max_recv_sge = 8, .max_inline_data = 256};
  init.qp_type = IBV_QPT_RC;
  ibv_srq_init_attr srq{};
  srq.attr = {.max_wr = 4096, .max_sge = 8, .srq_limit = 0};
  errno = 0;
  while (ibv_create_qp(pd, &init) != nullptr) continue;
  if (errno != ENOMEM) _exit(2);
  errno = 0;
  while (ibv_create_cq(context, 1 << 16, nullptr, nullptr, 0) != nullptr) continue;
  if (errno != ENOMEM) _exit(3);
  errno = 0;
  while (ibv_create_srq(pd, &srq) != nullptr) continue;
  if (errno != ENOMEM) _exit(4);
  errno = 0;
  while (ibv_alloc_pd(context) != nullptr) continue;
  if (errno != ENOMEM) _exit(5);
  for (const std::size_t size : {std::size_t{1024}, std::size_t{1}}) {
    while (void* volatile kept = malloc(size)) static_cast<void>(kept);
  }
  int status = -1;
  if (write(go, "", 1) != 1 || waitpid(neighbor, &status, 0) != neighbor) _exit(6);
  _exit(WIFEXITED(status) ? 0 : 7);
}

TEST(Memory, ThatIsUsedUpIsSaid) {
  if (kUnderSanitizers) GTEST_SKIP() << "a sanitizer needs memory itself";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(use_up_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace uroce::verbs::test
