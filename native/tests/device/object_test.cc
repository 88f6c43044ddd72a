// Objects: what can be asked, what refuses to die, which errno tells what.
#include <dlfcn.h>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

TEST_F(DeviceTest, QueriesAnswer) {
  ibv_device_attr device{};
  ASSERT_EQ(ibv_query_device(context, &device), 0);
  EXPECT_EQ(device.phys_port_cnt, 1);
  EXPECT_EQ(device.max_sge, 32);
  EXPECT_GE(device.max_qp_wr, 16384);
  ibv_device_attr_ex extended{};
  ASSERT_EQ(ibv_query_device_ex(context, nullptr, &extended), 0);
  EXPECT_EQ(extended.orig_attr.node_guid, device.node_guid);
  EXPECT_EQ(device.node_guid, ibv_get_device_guid(context->device));

  ibv_port_attr port{};
  ASSERT_EQ(ibv_query_port(context, 1, &port), 0);
  EXPECT_EQ(port.state, IBV_PORT_ACTIVE);
  EXPECT_EQ(port.link_layer, IBV_LINK_LAYER_ETHERNET);
  EXPECT_EQ(port.active_mtu, IBV_MTU_4096);
  EXPECT_EQ(port.max_msg_sz, 1u << 30);
  EXPECT_EQ(ibv_query_port(context, 0, &port), EINVAL);
  EXPECT_EQ(ibv_query_port(context, 2, &port), EINVAL);

  ibv_gid gid{};
  ASSERT_EQ(ibv_query_gid(context, 1, 1, &gid), 0);
  const uint8_t mapped[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1};
  EXPECT_EQ(std::memcmp(gid.raw, mapped, 16), 0);
  EXPECT_EQ(ibv_query_gid(context, 1, 1024, &gid), -1);
  ibv_gid_entry entry{};
  ASSERT_EQ(ibv_query_gid_ex(context, 1, 1, &entry, 0), 0);
  EXPECT_EQ(entry.gid_type, static_cast<uint32_t>(IBV_GID_TYPE_ROCE_V2));
  EXPECT_EQ(ibv_query_gid_ex(context, 1, 99, &entry, 0), ENODATA);
  ibv_gid_entry table[4];
  EXPECT_GE(ibv_query_gid_table(context, table, 4, 0), 1);
  __be16 pkey = 0;
  EXPECT_EQ(ibv_query_pkey(context, 1, 0, &pkey), 0);
  EXPECT_EQ(pkey, 0xffff);
}

TEST_F(DeviceTest, NothingDiesUnderWhatHangsOnIt) {
  EXPECT_EQ(ibv_dealloc_pd(pd), EBUSY);
  EXPECT_EQ(ibv_destroy_cq(cq_a), EBUSY);
  ibv_comp_channel* channel = ibv_create_comp_channel(context);
  ibv_cq* cq = ibv_create_cq(context, 1, nullptr, channel, 0);
  EXPECT_EQ(ibv_destroy_comp_channel(channel), EBUSY);
  EXPECT_EQ(ibv_destroy_cq(cq), 0);
  EXPECT_EQ(ibv_destroy_comp_channel(channel), 0);
}

TEST_F(DeviceTest, CreationRefusesNonsense) {
  EXPECT_EQ(ibv_create_cq(context, 0, nullptr, nullptr, 0), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(ibv_create_cq(context, 1 << 30, nullptr, nullptr, 0), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(ibv_create_cq(context, 1, nullptr, nullptr, 1), nullptr);
  EXPECT_EQ(errno, EINVAL);

  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = cq_a;
  init.qp_type = IBV_QPT_RC;
  init.cap.max_send_wr = 1 << 20;
  EXPECT_EQ(ibv_create_qp(pd, &init), nullptr);
  EXPECT_EQ(errno, EINVAL);
  init.cap.max_send_wr = 1;
  init.cap.max_send_sge = 33;
  EXPECT_EQ(ibv_create_qp(pd, &init), nullptr);
  EXPECT_EQ(errno, EINVAL);
  init.cap.max_send_sge = 1;
  init.recv_cq = nullptr;
  EXPECT_EQ(ibv_create_qp(pd, &init), nullptr);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(DeviceTest, WhatIsNotThereSaysSo) {
  ibv_xrcd_init_attr xrcd{};
  EXPECT_EQ(ibv_open_xrcd(context, &xrcd), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  ibv_alloc_dm_attr dm{};
  EXPECT_EQ(ibv_alloc_dm(context, &dm), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(ibv_alloc_null_mr(pd), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  ibv_wq_init_attr wq{};
  EXPECT_EQ(ibv_create_wq(context, &wq), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(ibv_advise_mr(pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, nullptr, 0), EOPNOTSUPP);
  ibv_modify_cq_attr moderation{};
  EXPECT_EQ(ibv_modify_cq(cq_a, &moderation), EOPNOTSUPP);
  ibv_qp_rate_limit_attr rate{};
  EXPECT_EQ(ibv_modify_qp_rate_limit(qp_a, &rate), EOPNOTSUPP);
  ibv_ece ece{};
  EXPECT_EQ(ibv_set_ece(qp_a, &ece), EOPNOTSUPP);
  EXPECT_EQ(ibv_query_ece(qp_a, &ece), EOPNOTSUPP);
  EXPECT_EQ(ibv_reg_dmabuf_mr(pd, 0, 4096, 0, -1, 0), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = cq_a;
  for (ibv_qp_type type : {IBV_QPT_XRC_SEND, IBV_QPT_RAW_PACKET, IBV_QPT_DRIVER}) {
    init.qp_type = type;
    EXPECT_EQ(ibv_create_qp(pd, &init), nullptr);
    EXPECT_EQ(errno, EOPNOTSUPP);
  }
}

// Programs built with later headers find these, and not the real library's, which would follow private
// pointers.
TEST_F(DeviceTest, FunctionsOfLaterVersionsAnswer) {
  const auto speed = reinterpret_cast<int (*)(ibv_context*, uint32_t, uint64_t*)>(
      dlsym(RTLD_DEFAULT, "ibv_query_port_speed"));
  ASSERT_NE(speed, nullptr);
  uint64_t value = 0;
  EXPECT_EQ(speed(context, 1, &value), 0);
  EXPECT_EQ(value, 25u) << "2.5 Gb/s, in 100 Mb/s";
  EXPECT_EQ(speed(context, 2, &value), EINVAL);
  for (const char* name : {"ibv_alloc_dmah", "ibv_create_comp_cntr"}) {
    const auto make = reinterpret_cast<void* (*)(ibv_context*, void*)>(dlsym(RTLD_DEFAULT, name));
    ASSERT_NE(make, nullptr) << name;
    EXPECT_EQ(make(context, nullptr), nullptr) << name;
    EXPECT_EQ(errno, EOPNOTSUPP) << name;
  }
  EXPECT_EQ(ibv_query_qp_data_in_order(qp_a, IBV_WR_RDMA_WRITE, 0), 1);
  EXPECT_EQ(ibv_query_qp_data_in_order(qp_a, IBV_WR_RDMA_WRITE, 1), 3) << "whole messages, and so blocks";
}

TEST_F(DeviceTest, StatesAreWalkedInOrder) {
  EXPECT_EQ(to_rtr(qp_a, qp_b->qp_num), EINVAL);
  EXPECT_EQ(to_init(qp_a), 0);
  EXPECT_EQ(qp_a->state, IBV_QPS_INIT);
  EXPECT_EQ(to_rts(qp_a), EINVAL);
  EXPECT_EQ(to_rtr(qp_a, qp_b->qp_num), 0);
  EXPECT_EQ(to_rts(qp_a), 0);
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  ASSERT_EQ(ibv_query_qp(qp_a, &attr, IBV_QP_STATE, &init), 0);
  EXPECT_EQ(attr.qp_state, IBV_QPS_RTS);
  EXPECT_EQ(attr.path_mtu, IBV_MTU_4096);
  EXPECT_EQ(attr.dest_qp_num, qp_b->qp_num);
  EXPECT_EQ(attr.timeout, 14);
  EXPECT_EQ(attr.ah_attr.grh.sgid_index, 1);
  EXPECT_EQ(init.cap.max_send_wr, 64u);
  EXPECT_EQ(init.send_cq, cq_a);
}

TEST_F(DeviceTest, ThePathMustExist) {
  ASSERT_EQ(to_init(qp_a), 0);
  // An empty place of the GID table.
  EXPECT_EQ(to_rtr(qp_a, qp_b->qp_num, 7), EINVAL);
  // No GRH: RoCE has no other addresses.
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_RTR;
  attr.path_mtu = IBV_MTU_1024;
  attr.ah_attr.port_num = 1;
  attr.ah_attr.dlid = 5;
  EXPECT_EQ(ibv_modify_qp(qp_a, &attr,
                          IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                              IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
            EINVAL);
}

TEST_F(DeviceTest, ContextsShareTheDevice) {
  ibv_context* second = open_device();
  ASSERT_NE(second, nullptr);
  ibv_pd* other = ibv_alloc_pd(second);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(ibv_dealloc_pd(other), 0);
  EXPECT_EQ(ibv_close_device(second), 0);
  connect();
  ibv_sge sge = sge_a(0, 8);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, 0);
  EXPECT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
}

TEST(Device, OpensAgainAfterTheLastClose) {
  for (int i = 0; i < 5; ++i) {
    ibv_context* context = open_device();
    ASSERT_NE(context, nullptr);
    EXPECT_EQ(ibv_close_device(context), 0);
  }
}

TEST(Device, AhNeedsAnAddress) {
  ibv_context* context = open_device();
  ibv_pd* pd = ibv_alloc_pd(context);
  ibv_ah_attr attr{};
  attr.port_num = 1;
  EXPECT_EQ(ibv_create_ah(pd, &attr), nullptr);
  EXPECT_EQ(errno, EINVAL);
  attr.is_global = 1;
  attr.grh.sgid_index = 1;
  ibv_query_gid(context, 1, 1, &attr.grh.dgid);
  ibv_ah* ah = ibv_create_ah(pd, &attr);
  ASSERT_NE(ah, nullptr);
  EXPECT_EQ(ibv_dealloc_pd(pd), EBUSY);
  EXPECT_EQ(ibv_destroy_ah(ah), 0);
  EXPECT_EQ(ibv_dealloc_pd(pd), 0);
  EXPECT_EQ(ibv_close_device(context), 0);
}

}  // namespace
}  // namespace uroce::verbs::test
