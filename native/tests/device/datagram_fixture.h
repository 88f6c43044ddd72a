// A device with two UD queue pairs in RTS, and an address handle to itself.
#pragma once

#include <memory>

#include "fixture.h"

namespace uroce::verbs::test {

inline constexpr uint32_t kGrh = 40;
inline constexpr uint32_t kQkey = 0x11111111;

class DatagramTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_NO_FATAL_FAILURE(replace_qps(IBV_QPT_UD));
    for (ibv_qp* qp : {qp_a, qp_b}) up(qp);
    ah = ibv_create_ah(pd, address_of(1).get());
    ASSERT_NE(ah, nullptr);
  }
  void TearDown() override {
    EXPECT_EQ(ibv_destroy_ah(ah), 0);
    DeviceTest::TearDown();
  }
  static void up(ibv_qp* qp) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    attr.qkey = kQkey;
    ASSERT_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY), 0);
    attr.qp_state = IBV_QPS_RTR;
    ASSERT_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
    attr.qp_state = IBV_QPS_RTS;
    ASSERT_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
  }
  // Address vector of our own address with that GID index.
  std::unique_ptr<ibv_ah_attr> address_of(uint8_t index) const {
    auto attr = std::make_unique<ibv_ah_attr>();
    attr->port_num = 1;
    attr->is_global = 1;
    attr->grh.sgid_index = index;
    attr->grh.hop_limit = 1;
    EXPECT_EQ(ibv_query_gid(context, 1, index, &attr->grh.dgid), 0);
    return attr;
  }
  ibv_send_wr datagram(ibv_sge* sge, ibv_qp* to, ibv_ah* handle = nullptr) const {
    ibv_send_wr wr = send_wr(IBV_WR_SEND, sge);
    wr.wr.ud = {handle != nullptr ? handle : ah, to->qp_num, kQkey};
    return wr;
  }
  ibv_ah* ah = nullptr;
};

}  // namespace uroce::verbs::test
