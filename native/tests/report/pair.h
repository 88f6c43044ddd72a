// Two queue pairs, a and b, in one process, with everything that they need: the base of the programs of
// this folder.
#pragma once

#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "uroce/ext/uroce.h"

#define CHECK(what)                                             \
  do {                                                          \
    if (!(what)) {                                              \
      fprintf(stderr, "line %d: %s failed\n", __LINE__, #what); \
      _exit(3);                                                 \
    }                                                           \
  } while (0)

enum { kSize = 4096, kDepth = 8, kQkey = 0x11111111 };

static struct ibv_context* context;
static struct ibv_pd* pd;
static struct ibv_comp_channel* channel;
static struct ibv_cq *cq_a, *cq_b;
static struct ibv_mr* mr;
static struct ibv_qp *a, *b;
static char buffer[kSize];
static enum ibv_qp_type qp_type = IBV_QPT_RC;
static uint8_t rnr_retry = 7, max_rd_atomic = 1, timeout = 14, retry_cnt = 7;
static uint32_t sq_psn, rq_psn;  // the PSN at which a begins, and the one that b expects
static int access_of_qps = IBV_ACCESS_REMOTE_WRITE;

static struct ibv_qp* make_qp(struct ibv_cq* cq) {
  struct ibv_qp_init_attr init = {
      .send_cq = cq,
      .recv_cq = cq,
      .cap = {.max_send_wr = kDepth, .max_recv_wr = kDepth, .max_send_sge = 2, .max_recv_sge = 2},
      .qp_type = qp_type};
  return ibv_create_qp(pd, &init);
}

static void open_all(int cqe) {
  struct ibv_device** list = ibv_get_device_list(NULL);
  CHECK(list && (context = ibv_open_device(list[0])));
  ibv_free_device_list(list);
  CHECK(pd = ibv_alloc_pd(context));
  CHECK(channel = ibv_create_comp_channel(context));
  CHECK(cq_a = ibv_create_cq(context, cqe, NULL, channel, 0));
  CHECK(cq_b = ibv_create_cq(context, 64, NULL, NULL, 0));
  CHECK(mr = ibv_reg_mr(pd, buffer, kSize, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE));
  CHECK((a = make_qp(cq_a)) && (b = make_qp(cq_b)));
}

static void close_all(void) {
  CHECK(!ibv_destroy_qp(a) && !ibv_destroy_qp(b));
  if (mr) CHECK(!ibv_dereg_mr(mr));
  CHECK(!ibv_destroy_cq(cq_a) && !ibv_destroy_cq(cq_b));
  CHECK(!ibv_destroy_comp_channel(channel) && !ibv_dealloc_pd(pd) && !ibv_close_device(context));
}

static void to_init(struct ibv_qp* qp) {
  struct ibv_qp_attr attr = {
      .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = access_of_qps, .qkey = kQkey};
  const int right = qp_type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
  CHECK(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | right));
}

static struct ibv_ah_attr to_ourselves(void) {
  struct ibv_ah_attr ah = {.is_global = 1, .port_num = 1, .grh = {.sgid_index = 1, .hop_limit = 64}};
  CHECK(!ibv_query_gid(context, 1, 1, &ah.grh.dgid));
  return ah;
}

// Mask of the step to RTR of a connected QP.
static const int kToRtr = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;

static struct ibv_qp_attr rtr_attr(struct ibv_qp* qp, struct ibv_qp* peer) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer->qp_num};
  attr.max_dest_rd_atomic = attr.min_rnr_timer = 1;  // 0.01 ms
  attr.rq_psn = qp == b ? rq_psn : 0;
  attr.ah_attr = to_ourselves();
  return attr;
}

static void to_rts(struct ibv_qp* qp, struct ibv_qp* peer) {
  struct ibv_qp_attr attr = rtr_attr(qp, peer);
  const int only_rc = IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  CHECK(!ibv_modify_qp(qp, &attr,
                       qp_type == IBV_QPT_UD   ? IBV_QP_STATE
                       : qp_type == IBV_QPT_UC ? kToRtr & ~only_rc
                                               : kToRtr));
  attr = (struct ibv_qp_attr){
      .qp_state = IBV_QPS_RTS, .timeout = timeout, .retry_cnt = retry_cnt, .rnr_retry = rnr_retry};
  attr.max_rd_atomic = max_rd_atomic;
  attr.sq_psn = qp == a ? sq_psn : 0;
  const int retries = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  CHECK(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | (qp_type == IBV_QPT_RC ? retries : 0)));
}

static void connect_both(void) {
  to_init(a), to_init(b);
  to_rts(a, b), to_rts(b, a);
}

static int post_send(uint64_t addr, uint32_t length, unsigned flags) {
  struct ibv_sge sge = {.addr = addr, .length = length, .lkey = mr->lkey};
  struct ibv_send_wr wr = {
      .wr_id = 7, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = flags};
  struct ibv_send_wr* bad;
  return ibv_post_send(a, &wr, &bad);
}

// An RDMA WRITE: needs no receive.
static int post_write(unsigned flags) {
  struct ibv_sge sge = {.addr = (uintptr_t)buffer, .length = 8, .lkey = mr->lkey};
  struct ibv_send_wr wr = {.wr_id = 8, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE};
  wr.send_flags = flags;
  wr.wr.rdma.remote_addr = (uintptr_t)buffer + 64;
  wr.wr.rdma.rkey = mr->rkey;
  struct ibv_send_wr* bad;
  return ibv_post_send(a, &wr, &bad);
}

static int post_recv_of(struct ibv_qp* qp, struct ibv_mr* into, uint32_t length) {
  struct ibv_sge sge = {.addr = (uintptr_t)into->addr, .length = length, .lkey = into->lkey};
  struct ibv_recv_wr wr = {.wr_id = 9, .sg_list = &sge, .num_sge = 1};
  struct ibv_recv_wr* bad;
  return ibv_post_recv(qp, &wr, &bad);
}

static int post_recv(struct ibv_qp* qp, struct ibv_mr* into) { return post_recv_of(qp, into, 64); }

static enum ibv_wc_status poll_one(struct ibv_cq* cq) {
  struct ibv_wc wc;
  int n;
  while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) {
  }
  CHECK(n == 1);
  return wc.status;
}

static void exchange(void) {
  CHECK(!post_recv(b, mr) && !post_send((uintptr_t)buffer, 64, IBV_SEND_SIGNALED));
  CHECK(poll_one(cq_a) == IBV_WC_SUCCESS && poll_one(cq_b) == IBV_WC_SUCCESS);
}
