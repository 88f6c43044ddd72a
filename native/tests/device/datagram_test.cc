// Datagrams through the verbs: address handles, the extended way of posting.
#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "datagram_fixture.h"
#include "tests/under_sanitizers.h"

namespace uroce::verbs::test {
namespace {

// Distinct ways to our own address: what a sender of datagrams can choose.
ibv_ah_attr way(const ibv_ah_attr& to, uint32_t i) {
  constexpr uint32_t kClasses = 64, kHops = 250;
  ibv_ah_attr attr = to;
  // The two bits of congestion last.
  attr.grh.traffic_class = static_cast<uint8_t>(i % kClasses << 2 | (i / kClasses / kHops & 3));
  attr.grh.hop_limit = static_cast<uint8_t>(2 + i / kClasses % kHops);
  return attr;
}

uint64_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST_F(DatagramTest, SendReceiveAndAnswer) {
  for (uint32_t i = 0; i < 4096; ++i) memory_a[i] = static_cast<uint8_t>(i * 3);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, kGrh + 4096)), 0);
  ibv_sge sge = sge_a(0, 4096);
  ASSERT_EQ(post(qp_a, datagram(&sge, qp_b)), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  ibv_wc wc = poll_one(cq_b);
  ASSERT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(wc.byte_len, kGrh + 4096);
  EXPECT_EQ(wc.src_qp, qp_a->qp_num);
  EXPECT_NE(wc.wc_flags & IBV_WC_GRH, 0u);
  EXPECT_EQ(wc.sl, 2);  // IPv4, as mlx5 reports the kind of the packet
  EXPECT_TRUE(std::equal(memory_a.begin(), memory_a.begin() + 4096, memory_b.begin() + kGrh));

  auto* grh = reinterpret_cast<ibv_grh*>(memory_b.data());
  ibv_ah_attr attr{};
  ASSERT_EQ(ibv_init_ah_from_wc(context, 1, &wc, grh, &attr), 0);
  EXPECT_EQ(attr.is_global, 1);
  EXPECT_EQ(attr.grh.sgid_index, 1);
  EXPECT_EQ(std::memcmp(&attr.grh.dgid, &address_of(1)->grh.dgid, 16), 0);
  ibv_ah* back = ibv_create_ah_from_wc(pd, &wc, grh, 1);
  ASSERT_NE(back, nullptr);
  ASSERT_EQ(post_recv(qp_a, sge_a(8192, kGrh + 10)), 0);
  sge = sge_b(kGrh, 10);
  ASSERT_EQ(post(qp_b, datagram(&sge, qp_a, back)), 0);
  EXPECT_EQ(ibv_destroy_ah(back), 0);  // the request has the address
  EXPECT_EQ(poll_one(cq_a).byte_len, kGrh + 10);
}

TEST_F(DatagramTest, TheGrhTellsTrafficClassHopLimitAndFlowLabel) {
  for (const uint8_t index : {1, 0}) {
    ibv_gid gid;
    ASSERT_EQ(ibv_query_gid(context, 1, index, &gid), 0);
    if (gid.global.interface_id == 0) continue;  // there is no IPv6 address
    auto to = address_of(index);
    to->grh.traffic_class = 0xb9;
    to->grh.hop_limit = 9;
    to->grh.flow_label = 0x12345;
    ibv_ah* marked = ibv_create_ah(pd, to.get());
    ASSERT_NE(marked, nullptr);
    ASSERT_EQ(post_recv(qp_b, sge_b(0, 100)), 0);
    ibv_sge sge = sge_a(0, 20);
    ASSERT_EQ(post(qp_a, datagram(&sge, qp_b, marked)), 0);
    EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
    ibv_wc wc = poll_one(cq_b);
    ASSERT_EQ(wc.status, IBV_WC_SUCCESS);
    ibv_ah_attr attr{};
    ASSERT_EQ(ibv_init_ah_from_wc(context, 1, &wc, reinterpret_cast<ibv_grh*>(memory_b.data()), &attr), 0);
    EXPECT_EQ(attr.grh.traffic_class, 0xb9);
    EXPECT_EQ(attr.grh.hop_limit, 9);
    EXPECT_EQ(attr.grh.flow_label, index == 0 ? 0x12345u : 0u);
    EXPECT_EQ(ibv_destroy_ah(marked), 0);
  }
}

TEST_F(DatagramTest, OverIpv6) {
  ibv_gid gid;
  ASSERT_EQ(ibv_query_gid(context, 1, 0, &gid), 0);
  if (gid.global.interface_id == 0) GTEST_SKIP() << "there is no IPv6 address";
  ibv_ah* six = ibv_create_ah(pd, address_of(0).get());
  ASSERT_NE(six, nullptr);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 100)), 0);
  ibv_sge sge = sge_a(0, 20);
  ASSERT_EQ(post(qp_a, datagram(&sge, qp_b, six)), 0);
  ibv_wc wc = poll_one(cq_b);
  EXPECT_EQ(wc.byte_len, kGrh + 20);
  auto* grh = reinterpret_cast<ibv_grh*>(memory_b.data());
  EXPECT_EQ(std::memcmp(&grh->sgid, &gid, 16), 0);
  EXPECT_EQ(std::memcmp(&grh->dgid, &gid, 16), 0);
  ibv_ah_attr attr{};
  ASSERT_EQ(ibv_init_ah_from_wc(context, 1, &wc, grh, &attr), 0);
  EXPECT_EQ(attr.grh.sgid_index, 0);
  EXPECT_EQ(ibv_destroy_ah(six), 0);
}

TEST_F(DatagramTest, NoMoreAddressHandlesThanTheDeviceTellsOf) {
  if (kUnderSanitizers) GTEST_SKIP() << "too many objects in quarantine";
  ibv_device_attr limits{};
  ASSERT_EQ(ibv_query_device(context, &limits), 0);
  std::vector<ibv_ah*> all;
  auto attr = *address_of(1);
  for (int i = 0; i < limits.max_ah; ++i) {
    ibv_ah* ah = ibv_create_ah(pd, &attr);
    if (ah == nullptr) break;
    all.push_back(ah);
  }
  EXPECT_EQ(ibv_create_ah(pd, &attr), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  const int most = static_cast<int>(all.size());
  for (ibv_ah* ah : all) ASSERT_EQ(ibv_destroy_ah(ah), 0);
  EXPECT_LE(most, limits.max_ah);
  EXPECT_GE(most, limits.max_ah - 8) << "the fixture has a few";
}

TEST_F(DatagramTest, AddressesFromNonsenseAreRefused) {
  ibv_grh grh{};
  ibv_wc wc{};
  wc.wc_flags = IBV_WC_GRH;
  ibv_ah_attr attr{};
  EXPECT_EQ(ibv_init_ah_from_wc(context, 1, &wc, &grh, &attr), -1);  // neither IPv4 nor IPv6
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(ibv_create_ah_from_wc(pd, &wc, &grh, 1), nullptr);
  wc.wc_flags = 0;
  EXPECT_EQ(ibv_init_ah_from_wc(context, 1, &wc, &grh, &attr), -1);
  auto bad = address_of(1);
  bad->port_num = 2;
  EXPECT_EQ(ibv_create_ah(pd, bad.get()), nullptr);
  EXPECT_EQ(errno, EINVAL);
  bad = address_of(1);
  bad->grh.sgid_index = 77;
  EXPECT_EQ(ibv_create_ah(pd, bad.get()), nullptr);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(DatagramTest, PostsWithoutAnAddressAreRefused) {
  ibv_sge sge = sge_a(0, 4);
  ibv_send_wr wr = datagram(&sge, qp_b);
  wr.wr.ud.ah = nullptr;
  EXPECT_EQ(post(qp_a, wr), EINVAL);
}

TEST_F(DatagramTest, WhatCannotBeSentCompletesInError) {
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr write = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&write, 0);  // where the address handle of a SEND would stand
  EXPECT_EQ(post(qp_a, write), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_LOC_QP_OP_ERR);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_RTS;
  ASSERT_EQ(ibv_modify_qp(qp_a, &attr, IBV_QP_STATE), 0);
  ibv_pd* other = ibv_alloc_pd(context);
  ibv_ah* foreign = ibv_create_ah(other, address_of(1).get());
  EXPECT_EQ(post(qp_a, datagram(&sge, qp_b, foreign)), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_LOC_QP_OP_ERR);
  EXPECT_EQ(ibv_destroy_ah(foreign), 0);
  EXPECT_EQ(ibv_dealloc_pd(other), 0);
}

TEST_F(DatagramTest, AWrongQkeyIsCountedAtThePort) {
  ibv_port_attr before{}, after{};
  ASSERT_EQ(ibv_query_port(context, 1, &before), 0);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 100)), 0);
  ibv_sge sge = sge_a(0, 4);
  ibv_send_wr wr = datagram(&sge, qp_b);
  wr.wr.ud.remote_qkey = 5;
  ASSERT_EQ(post(qp_a, wr), 0);
  ASSERT_EQ(post(qp_a, datagram(&sge, qp_b)), 0);
  EXPECT_EQ(poll_one(cq_b).byte_len, kGrh + 4);  // the second one, though the first had a receive too
  ASSERT_EQ(ibv_query_port(context, 1, &after), 0);
  EXPECT_EQ(after.qkey_viol_cntr, before.qkey_viol_cntr + 1);
}

TEST_F(DatagramTest, TheExtendedWayOfPosting) {
  ibv_qp_init_attr_ex init{};
  init.send_cq = init.recv_cq = cq_a;
  init.cap = {
      .max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 2, .max_recv_sge = 1, .max_inline_data = 64};
  init.qp_type = IBV_QPT_UD;
  init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  init.pd = pd;
  init.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE;
  EXPECT_EQ(ibv_create_qp_ex(context, &init), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  init.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM;
  ibv_qp* base = ibv_create_qp_ex(context, &init);
  ASSERT_NE(base, nullptr);
  up(base);
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(base);
  ASSERT_NE(qp, nullptr);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(post_recv(qp_b, sge_b(i * 1000, 1000)), 0);
  ibv_wr_start(qp);
  qp->wr_flags = IBV_SEND_SIGNALED;
  qp->wr_id = 1;
  ibv_wr_send(qp);
  ibv_wr_set_ud_addr(qp, ah, qp_b->qp_num, kQkey);
  ibv_wr_set_sge(qp, mr_a->lkey, reinterpret_cast<uintptr_t>(memory_a.data()), 50);
  qp->wr_id = 2;
  ibv_wr_send_imm(qp, htonl(99));
  ibv_wr_set_ud_addr(qp, ah, qp_b->qp_num, kQkey);
  char text[] = "datagram";
  ibv_wr_set_inline_data(qp, text, sizeof text);
  ASSERT_EQ(ibv_wr_complete(qp), 0);
  EXPECT_EQ(poll_one(cq_b).byte_len, kGrh + 50);
  const ibv_wc wc = poll_one(cq_b);
  EXPECT_EQ(wc.imm_data, htonl(99));
  EXPECT_STREQ(reinterpret_cast<char*>(&memory_b[1000 + kGrh]), "datagram");
  EXPECT_EQ(poll_one(cq_a).wr_id, 1u);
  EXPECT_EQ(poll_one(cq_a).wr_id, 2u);
  EXPECT_EQ(ibv_destroy_qp(base), 0);
}

// Some of them are gone before the datagram that they were for is sent.
TEST_F(DatagramTest, HandlesThatAreGoneTakeNoMemory) {
  constexpr uint32_t kFirst = 8192, kAll = 64'000, kEach = 64;
  const auto to = address_of(1);
  const auto make_and_drop = [&](uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
      ibv_ah_attr attr = way(*to, i);
      ibv_ah* handle = ibv_create_ah(pd, &attr);
      ASSERT_NE(handle, nullptr) << i;
      const bool send = i % kEach == 0;
      if (send) {
        ASSERT_EQ(post_recv(qp_b, sge_b(0, kGrh + 64)), 0);
        ibv_sge sge = sge_a(0, 64);
        ASSERT_EQ(post(qp_a, datagram(&sge, qp_b, handle)), 0);
      }
      ASSERT_EQ(ibv_destroy_ah(handle), 0);
      if (!send) continue;
      ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
      ASSERT_EQ(poll_one(cq_b).status, IBV_WC_SUCCESS);
    }
  };
  ASSERT_NO_FATAL_FAILURE(make_and_drop(0, kFirst));
  const uint64_t before = bytes_in_use();
  ASSERT_NO_FATAL_FAILURE(make_and_drop(kFirst, kAll));
  // All these ways would take some 20 MiB; what is kept for a while is the same at both times, but for 1024
  // of them. A sanitizer has an allocator of its own.
  if (!kUnderSanitizers) {
    EXPECT_LT(bytes_in_use(), before + (1 << 20));
  }
}

TEST_F(DatagramTest, HandlesThatLiveStayUsable) {
  constexpr uint32_t kHandles = 4000;
  const auto to = address_of(1);
  std::vector<ibv_ah*> handles;
  for (uint32_t i = 0; i < kHandles; ++i) {
    ibv_ah_attr attr = way(*to, i);
    handles.push_back(ibv_create_ah(pd, &attr));
    ASSERT_NE(handles.back(), nullptr);
  }
  for (uint32_t i = 0; i < kHandles; i += 2) ASSERT_EQ(ibv_destroy_ah(std::exchange(handles[i], nullptr)), 0);
  for (uint32_t i = 0; i < kHandles; ++i) {
    ibv_ah_attr attr = way(*to, kHandles + i);
    ASSERT_EQ(ibv_destroy_ah(ibv_create_ah(pd, &attr)), 0);
  }
  for (uint32_t i = 1; i < kHandles; i += 500) {
    ASSERT_EQ(post_recv(qp_b, sge_b(0, kGrh + 64)), 0);
    ibv_sge sge = sge_a(0, 64);
    ASSERT_EQ(post(qp_a, datagram(&sge, qp_b, handles[i])), 0);
    EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
    ASSERT_EQ(poll_one(cq_b).status, IBV_WC_SUCCESS);
  }
  for (ibv_ah* handle : handles) {
    if (handle != nullptr) {
      EXPECT_EQ(ibv_destroy_ah(handle), 0);
    }
  }
}

// Posted, and held by a slow link, when their handles go and many others come.
TEST_F(DatagramTest, DatagramsOutliveTheirHandles) {
  constexpr uint32_t kDatagrams = 32;
  uroce_shaping shaping{};
  shaping.limit = 1000;
  shaping.delay_us = 300'000;
  ASSERT_EQ(uroce_set_shaped_faults(context, nullptr, nullptr, 0, &shaping), 0);
  const auto to = address_of(1);
  for (uint32_t i = 0; i < kDatagrams; ++i) {
    ASSERT_EQ(post_recv(qp_b, sge_b(i * 128, kGrh + 64)), 0);
    ibv_ah_attr attr = way(*to, i);
    ibv_ah* handle = ibv_create_ah(pd, &attr);
    ASSERT_NE(handle, nullptr);
    ibv_sge sge = sge_a(0, 64);
    ASSERT_EQ(post(qp_a, datagram(&sge, qp_b, handle)), 0);
    ASSERT_EQ(ibv_destroy_ah(handle), 0);
  }
  for (uint32_t i = 0; i < 5000; ++i) {
    ibv_ah_attr attr = way(*to, kDatagrams + i);
    ASSERT_EQ(ibv_destroy_ah(ibv_create_ah(pd, &attr)), 0);
  }
  for (uint32_t i = 0; i < kDatagrams; ++i) ASSERT_EQ(poll_one(cq_b).status, IBV_WC_SUCCESS) << i;
  EXPECT_EQ(uroce_set_faults(context, nullptr, nullptr, 0), 0);
}

}  // namespace
}  // namespace uroce::verbs::test
