// A device with two connected queue pairs in this process; their packets go through the kernel like any
// other's.
#pragma once

#include <gtest/gtest.h>
#include <infiniband/verbs.h>
#include <poll.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "uroce/ext/uroce.h"

namespace uroce::verbs::test {

inline ibv_context* open_device() {
  int n = 0;
  ibv_device** list = ibv_get_device_list(&n);
  ibv_context* context = n == 1 ? ibv_open_device(list[0]) : nullptr;
  ibv_free_device_list(list);
  return context;
}

// Packets to processes of this host, this one included, go through shared memory.
inline bool has_rings() {
  const char* link = std::getenv("UROCE_LINK");
  return link == nullptr || std::string_view(link) != "udp";
}

constexpr int kAllAccess =
    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

// For what must come: other programs may leave this process a tenth of a CPU.
constexpr auto kTimeout = std::chrono::seconds(60);

// Polls until a completion comes; a status of IBV_WC_GENERAL_ERR with wr_id -1 where none does.
inline ibv_wc poll_one(ibv_cq* cq) {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  ibv_wc wc{};
  while (std::chrono::steady_clock::now() < end) {
    if (ibv_poll_cq(cq, 1, &wc) == 1) return wc;
  }
  wc.status = IBV_WC_GENERAL_ERR;
  wc.wr_id = UINT64_MAX;
  return wc;
}

inline bool readable(int fd, int timeout_ms = 0) {
  pollfd p{fd, POLLIN, 0};
  return poll(&p, 1, timeout_ms) == 1;
}

class DeviceTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kBuffer = 1 << 20;

  void SetUp() override {
    context = open_device();
    ASSERT_NE(context, nullptr);
    pd = ibv_alloc_pd(context);
    cq_a = ibv_create_cq(context, 256, nullptr, nullptr, 0);
    cq_b = ibv_create_cq(context, 256, nullptr, nullptr, 0);
    memory_a.assign(kBuffer, 0);
    memory_b.assign(kBuffer, 0);
    mr_a = ibv_reg_mr(pd, memory_a.data(), kBuffer, kAllAccess);
    mr_b = ibv_reg_mr(pd, memory_b.data(), kBuffer, kAllAccess);
    ASSERT_TRUE(pd && cq_a && cq_b && mr_a && mr_b);
    qp_a = create_qp(cq_a);
    qp_b = create_qp(cq_b);
    ASSERT_TRUE(qp_a && qp_b);
  }

  void TearDown() override {
    for (ibv_qp* qp : {qp_a, qp_b}) {
      EXPECT_EQ(qp != nullptr ? ibv_destroy_qp(qp) : 0, 0);
    }
    EXPECT_EQ(ibv_dereg_mr(mr_a), 0);
    EXPECT_EQ(ibv_dereg_mr(mr_b), 0);
    EXPECT_EQ(ibv_destroy_cq(cq_a), 0);
    EXPECT_EQ(ibv_destroy_cq(cq_b), 0);
    EXPECT_EQ(ibv_dealloc_pd(pd), 0);
    EXPECT_EQ(ibv_close_device(context), 0);
  }

  ibv_qp* create_qp(ibv_cq* cq, ibv_qp_type type = IBV_QPT_RC) {
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = cq;
    init.cap = {
        .max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 4, .max_recv_sge = 4, .max_inline_data = 200};
    init.qp_type = type;
    return ibv_create_qp(pd, &init);
  }

  // Two QPs of another type in the place of the first ones.
  void replace_qps(ibv_qp_type type) {
    for (ibv_qp** qp : {&qp_a, &qp_b}) {
      ASSERT_EQ(ibv_destroy_qp(*qp), 0);
      *qp = create_qp(qp == &qp_a ? cq_a : cq_b, type);
      ASSERT_NE(*qp, nullptr);
    }
  }

  static int to_init(ibv_qp* qp) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    attr.qp_access_flags = kAllAccess;
    return ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  }

  int to_rtr(ibv_qp* qp, uint32_t remote_qpn, uint8_t gid_index = 1) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = IBV_MTU_4096;
    attr.dest_qp_num = remote_qpn;
    attr.rq_psn = 100;
    attr.max_dest_rd_atomic = 16;
    attr.min_rnr_timer = 12;
    attr.ah_attr.is_global = 1;
    attr.ah_attr.port_num = 1;
    attr.ah_attr.grh.sgid_index = gid_index;
    attr.ah_attr.grh.hop_limit = 64;
    EXPECT_EQ(ibv_query_gid(context, 1, gid_index, &attr.ah_attr.grh.dgid), 0);
    return ibv_modify_qp(qp, &attr,
                         IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                             IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  }

  static int to_rts(ibv_qp* qp, uint8_t timeout = 14, uint8_t retries = 7) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = timeout;
    attr.retry_cnt = retries;
    attr.rnr_retry = 7;
    attr.sq_psn = 100;
    attr.max_rd_atomic = 16;
    return ibv_modify_qp(qp, &attr,
                         IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                             IBV_QP_MAX_QP_RD_ATOMIC);
  }

  void connect(uint8_t gid_index = 1) {
    for (auto [one, other] : {std::pair(qp_a, qp_b), std::pair(qp_b, qp_a)}) {
      ASSERT_EQ(to_init(one), 0);
      ASSERT_EQ(to_rtr(one, other->qp_num, gid_index), 0);
      ASSERT_EQ(to_rts(one), 0);
    }
  }

  ibv_sge sge_a(std::size_t offset, uint32_t length) const {
    return {reinterpret_cast<uintptr_t>(memory_a.data()) + offset, length, mr_a->lkey};
  }
  ibv_sge sge_b(std::size_t offset, uint32_t length) const {
    return {reinterpret_cast<uintptr_t>(memory_b.data()) + offset, length, mr_b->lkey};
  }

  static ibv_send_wr send_wr(ibv_wr_opcode opcode, ibv_sge* sge, uint64_t id = 1) {
    ibv_send_wr wr{};
    wr.wr_id = id;
    wr.opcode = opcode;
    wr.sg_list = sge;
    wr.num_sge = sge != nullptr ? 1 : 0;
    wr.send_flags = IBV_SEND_SIGNALED;
    return wr;
  }
  // Sets where a one-sided request goes: `offset` bytes into b's memory.
  void aim(ibv_send_wr* wr, std::size_t offset) const {
    wr->wr.rdma.remote_addr = reinterpret_cast<uintptr_t>(memory_b.data()) + offset;
    wr->wr.rdma.rkey = mr_b->rkey;
  }
  static int post(ibv_qp* qp, ibv_send_wr wr) {
    ibv_send_wr* bad = nullptr;
    return ibv_post_send(qp, &wr, &bad);
  }
  // Writes the first bytes of a's memory to the start of b's, and waits for the completion.
  void write_to_b(uint32_t bytes) {
    ibv_sge sge = sge_a(0, bytes);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
    ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  }
  static int post_recv(ibv_qp* qp, ibv_sge sge, uint64_t id = 2) {
    ibv_recv_wr wr{};
    wr.wr_id = id;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    return ibv_post_recv(qp, &wr, &bad);
  }

  std::map<std::string, uint64_t> counters() {
    uint32_t n = 0;
    EXPECT_EQ(uroce_query_counters(context, nullptr, &n), ENOSPC);
    std::vector<uroce_counter> list(n);
    EXPECT_EQ(uroce_query_counters(context, list.data(), &n), 0);
    std::map<std::string, uint64_t> values;
    for (const auto& c : list) values[c.name] = c.value;
    return values;
  }

  ibv_context* context = nullptr;
  ibv_pd* pd = nullptr;
  ibv_cq *cq_a = nullptr, *cq_b = nullptr;
  std::vector<uint8_t> memory_a, memory_b;
  ibv_mr *mr_a = nullptr, *mr_b = nullptr;
  ibv_qp *qp_a = nullptr, *qp_b = nullptr;
};

}  // namespace uroce::verbs::test
