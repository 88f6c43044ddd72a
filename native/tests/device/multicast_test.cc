// Multicast datagrams: to attached queue pairs, in this process and in others.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "datagram_fixture.h"

namespace uroce::verbs::test {
namespace {

class MulticastTest : public DatagramTest {
 protected:
  void SetUp() override {
    DatagramTest::SetUp();
    group.raw[10] = group.raw[11] = 0xff;
    group.raw[12] = 239;
    group.raw[13] = 77;
    group.raw[14] = static_cast<uint8_t>(getpid() >> 8);
    group.raw[15] = static_cast<uint8_t>(getpid());
    auto attr = address_of(1);
    attr->grh.dgid = group;
    to_group = ibv_create_ah(pd, attr.get());
    ASSERT_NE(to_group, nullptr);
  }
  void TearDown() override {
    EXPECT_EQ(ibv_destroy_ah(to_group), 0);
    DatagramTest::TearDown();
  }
  ibv_send_wr to_all(ibv_sge* sge) const {
    ibv_send_wr wr = send_wr(IBV_WR_SEND, sge);
    wr.wr.ud = {to_group, 0xffffff, kQkey};
    return wr;
  }
  ibv_gid group{};
  ibv_ah* to_group = nullptr;
};

TEST_F(MulticastTest, ReachesTheAttached) {
  memory_a[0] = 0x77;
  ASSERT_EQ(ibv_attach_mcast(qp_b, &group, 0), 0);
  EXPECT_EQ(ibv_destroy_qp(qp_b), EBUSY);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 100)), 0);
  ibv_sge sge = sge_a(0, 30);
  ASSERT_EQ(post(qp_a, to_all(&sge)), 0);
  ibv_wc wc = poll_one(cq_b);
  ASSERT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(wc.byte_len, kGrh + 30);
  EXPECT_EQ(wc.src_qp, qp_a->qp_num);
  EXPECT_EQ(memory_b[kGrh], 0x77);
  // The answer goes to the sender, not to the group.
  ibv_ah_attr attr{};
  ASSERT_EQ(ibv_init_ah_from_wc(context, 1, &wc, reinterpret_cast<ibv_grh*>(memory_b.data()), &attr), 0);
  EXPECT_EQ(std::memcmp(&attr.grh.dgid, &address_of(1)->grh.dgid, 16), 0);
  EXPECT_EQ(attr.grh.sgid_index, 1);

  ASSERT_EQ(ibv_detach_mcast(qp_b, &group, 0), 0);
  EXPECT_EQ(ibv_detach_mcast(qp_b, &group, 0), EINVAL);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 100)), 0);
  ASSERT_EQ(post(qp_a, to_all(&sge)), 0);
  sge = sge_a(0, 5);
  ASSERT_EQ(post(qp_a, datagram(&sge, qp_b)), 0);
  EXPECT_EQ(poll_one(cq_b).byte_len, kGrh + 5);
}

TEST_F(MulticastTest, WakesWhoSleepsOnAChannel) {
  ibv_comp_channel* channel = ibv_create_comp_channel(context);
  ibv_cq* cq = ibv_create_cq(context, 4, nullptr, channel, 0);
  ibv_qp* qp = create_qp(cq, IBV_QPT_UD);
  ASSERT_NE(qp, nullptr);
  up(qp);
  ASSERT_EQ(ibv_attach_mcast(qp, &group, 0), 0);
  ASSERT_EQ(post_recv(qp, sge_b(0, 100)), 0);
  ASSERT_EQ(ibv_req_notify_cq(cq, 0), 0);
  ibv_sge sge = sge_a(0, 30);
  ASSERT_EQ(post(qp_a, to_all(&sge)), 0);
  ibv_cq* got = nullptr;
  void* cookie = nullptr;
  ASSERT_EQ(ibv_get_cq_event(channel, &got, &cookie), 0);
  EXPECT_EQ(got, cq);
  ibv_ack_cq_events(cq, 1);
  EXPECT_EQ(poll_one(cq).byte_len, kGrh + 30);
  ASSERT_EQ(ibv_detach_mcast(qp, &group, 0), 0);
  EXPECT_EQ(ibv_destroy_qp(qp), 0);
  EXPECT_EQ(ibv_destroy_cq(cq), 0);
  EXPECT_EQ(ibv_destroy_comp_channel(channel), 0);
}

TEST_F(MulticastTest, OnlyUdQpsAndRealGroups) {
  ibv_gid own = address_of(1)->grh.dgid;
  EXPECT_EQ(ibv_attach_mcast(qp_b, &own, 0), EINVAL);
  ibv_qp* rc = create_qp(cq_a);
  EXPECT_EQ(ibv_attach_mcast(rc, &group, 0), EINVAL);
  EXPECT_EQ(ibv_destroy_qp(rc), 0);
  ibv_device_attr attr{};
  ASSERT_EQ(ibv_query_device(context, &attr), 0);
  EXPECT_GT(attr.max_mcast_grp, 0);
  EXPECT_GT(attr.max_mcast_qp_attach, 0);
  EXPECT_GE(attr.max_total_mcast_qp_attach, attr.max_mcast_grp);
}

// Two processes on one address, each with a copy of its own. The child tells over a pipe when it is ready.
TEST_F(MulticastTest, ReachesOtherProcesses) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    // A device of its own: the parent's is not the child's.
    ibv_context* own = open_device();
    ibv_pd* own_pd = own != nullptr ? ibv_alloc_pd(own) : nullptr;
    if (own_pd == nullptr) _exit(2);
    ibv_cq* cq = ibv_create_cq(own, 8, nullptr, nullptr, 0);
    static uint8_t buffer[256];
    ibv_mr* mr = ibv_reg_mr(own_pd, buffer, sizeof buffer, IBV_ACCESS_LOCAL_WRITE);
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = cq;
    init.cap = {
        .max_send_wr = 1, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
    init.qp_type = IBV_QPT_UD;
    ibv_qp* qp = ibv_create_qp(own_pd, &init);
    if (qp == nullptr || mr == nullptr) _exit(3);
    up(qp);
    if (post_recv(qp, {reinterpret_cast<uintptr_t>(buffer), sizeof buffer, mr->lkey}) != 0) _exit(4);
    if (ibv_attach_mcast(qp, &group, 0) != 0) _exit(5);
    if (write(ready[1], "r", 1) != 1) _exit(6);
    const ibv_wc wc = poll_one(cq);
    _exit(wc.status == IBV_WC_SUCCESS && wc.byte_len == kGrh + 30 && buffer[kGrh] == 0x66 ? 0 : 7);
  }
  ASSERT_GT(child, 0);
  close(ready[1]);  // so that the end of the child is the end of the pipe
  ASSERT_EQ(ibv_attach_mcast(qp_b, &group, 0), 0);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 100)), 0);
  const auto end_of_child = [child] {
    int status = 0;
    if (waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  char byte;
  if (read(ready[0], &byte, 1) != 1) FAIL() << "the other process was not ready: " << end_of_child();
  memory_a[0] = 0x66;
  ibv_sge sge = sge_a(0, 30);
  ASSERT_EQ(post(qp_a, to_all(&sge)), 0);
  EXPECT_EQ(poll_one(cq_b).byte_len, kGrh + 30);
  EXPECT_EQ(end_of_child(), 0);
  EXPECT_EQ(ibv_detach_mcast(qp_b, &group, 0), 0);
  close(ready[0]);
}

}  // namespace
}  // namespace uroce::verbs::test
