// Two connected QPs of the embedded device in one process, with memory on both sides.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "bench/rdma_loop.h"

namespace vlbench::test {

inline std::shared_ptr<const VerbsLibrary> device_library() {
  // An address of our own: tests that run at the same time may hold the default one as another user.
  static const auto library = [] {
    setenv("UROCE_ADDR", "127.0.0.22", 0);
    return load_verbs_library(UROCE_PATH);
  }();
  return library;
}

class Side {
 public:
  // `cq_each`: a CQ for each QP instead of one for all.
  Side(uint32_t qps, uint32_t depth, bool events, size_t memory, bool cq_each = false)
      : v_(*device_library()), memory_(memory) {
    int count = 0;
    list_ = v_.get_device_list(&count);
    if (list_ == nullptr || count == 0) std::abort();
    context = v_.open_device(list_[0]);
    if (context == nullptr) std::abort();
    pd_ = v_.alloc_pd(context);
    mr = v_.reg_mr(
        pd_, memory_.data(), memory_.size(),
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
    if (events) channel_ = v_.create_comp_channel(context);
    for (uint32_t i = 0; i < qps; ++i) {
      if (i == 0 || cq_each) {
        const uint32_t entries = 2 * depth * (cq_each ? 1 : qps);
        cqs_.push_back(v_.create_cq(context, static_cast<int>(entries), nullptr, channel_, 0));
      }
      ibv_qp_init_attr init{};
      init.send_cq = init.recv_cq = cqs_.back();
      init.qp_type = IBV_QPT_RC;
      init.cap = {depth, depth, 1, 1, 128};
      RdmaQp qp;
      qp.qp = v_.create_qp(pd_, &init);
      qp.max_send_wr = init.cap.max_send_wr;
      qp.max_recv_wr = init.cap.max_recv_wr;
      qp.max_inline = init.cap.max_inline_data;
      this->qps.push_back(qp);
    }
  }
  ~Side() {
    for (const auto& qp : qps) EXPECT_EQ(v_.destroy_qp(qp.qp), 0);
    for (ibv_cq* cq : cqs_) EXPECT_EQ(v_.destroy_cq(cq), 0);
    if (channel_ != nullptr) {
      EXPECT_EQ(v_.destroy_comp_channel(channel_), 0);
    }
    EXPECT_EQ(v_.dereg_mr(mr), 0);
    EXPECT_EQ(v_.dealloc_pd(pd_), 0);
    EXPECT_EQ(v_.close_device(context), 0);
    v_.free_device_list(list_);
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  uint8_t* memory() noexcept { return memory_.data(); }
  size_t length() const noexcept { return memory_.size(); }

  // `timeout` and `retries` as in ibv_qp_attr: short ones make a dead peer show quickly.
  void connect(const Side& peer, uint8_t timeout = 14, uint8_t retries = 7) {
    ibv_port_attr port{};
    ASSERT_EQ(v_.query_port(context, 1, &port), 0);
    ibv_gid gid{};
    ASSERT_EQ(v_.query_gid(context, 1, 1, &gid), 0);
    for (size_t i = 0; i < qps.size(); ++i) {
      ibv_qp_attr attr{};
      attr.qp_state = IBV_QPS_INIT;
      attr.port_num = 1;
      attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
      ASSERT_EQ(v_.modify_qp(qps[i].qp, &attr,
                             IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
                0);
      attr = {};
      attr.qp_state = IBV_QPS_RTR;
      attr.path_mtu = port.active_mtu;
      attr.dest_qp_num = peer.qps[i].qp->qp_num;
      attr.max_dest_rd_atomic = 16;
      attr.min_rnr_timer = 12;
      attr.ah_attr.is_global = 1;
      attr.ah_attr.port_num = 1;
      attr.ah_attr.grh.dgid = gid;
      attr.ah_attr.grh.sgid_index = 1;
      attr.ah_attr.grh.hop_limit = 1;
      ASSERT_EQ(v_.modify_qp(qps[i].qp, &attr,
                             IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                 IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
                0);
      attr = {};
      attr.qp_state = IBV_QPS_RTS;
      attr.timeout = timeout;
      attr.retry_cnt = retries;
      attr.rnr_retry = 7;
      attr.max_rd_atomic = 16;
      ASSERT_EQ(v_.modify_qp(qps[i].qp, &attr,
                             IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                 IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC),
                0);
    }
  }

  // Puts the QPs back into a state in which they answer no peer.
  void reset() {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_RESET;
    for (const auto& qp : qps) ASSERT_EQ(v_.modify_qp(qp.qp, &attr, IBV_QP_STATE), 0);
  }

  RdmaOptions options(RdmaOp op, uint64_t size, const Side& peer) {
    RdmaOptions o;
    o.verbs = device_library();
    o.qps = qps;
    o.op = op;
    o.size = size;
    o.local = memory_.data();
    o.local_length = memory_.size();
    o.lkey = mr->lkey;
    o.remote = reinterpret_cast<uintptr_t>(peer.memory_.data());
    o.remote_length = peer.memory_.size();
    o.rkey = peer.mr->rkey;
    o.tx_depth = 32;
    o.rx_depth = 64;
    o.report_ns = 20'000'000;
    return o;
  }

  ibv_context* context = nullptr;
  ibv_mr* mr = nullptr;
  std::vector<RdmaQp> qps;

 private:
  const VerbsLibrary& v_;
  std::vector<uint8_t> memory_;
  ibv_device** list_ = nullptr;
  ibv_pd* pd_ = nullptr;
  ibv_comp_channel* channel_ = nullptr;
  std::vector<ibv_cq*> cqs_;
};

struct Pair {
  explicit Pair(uint32_t qps = 1, bool events = false, size_t memory = 256 * 1024, uint8_t timeout = 14,
                uint8_t retries = 7, bool cq_each = false)
      : a(qps, 128, events, memory, cq_each), b(qps, 128, events, memory, cq_each) {
    a.connect(b, timeout, retries);
    b.connect(a, timeout, retries);
  }
  Side a;
  Side b;
};

}  // namespace vlbench::test
