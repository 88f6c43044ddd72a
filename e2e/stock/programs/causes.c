// Programs with mistakes, of the kind that the argument names. Everything is destroyed at the end.
#include "common.h"

enum { kBytes = 64, kGrh = 40, kQkey = 0x11111111 };

static struct ibv_context* context;
static struct ibv_pd* pd;
static struct ibv_cq *cq_a, *cq_b;
static struct ibv_qp *a, *b;
static struct ibv_mr* mr;
static char memory[8192];

static struct ibv_qp* make_qp(struct ibv_cq* cq, enum ibv_qp_type type) {
  struct ibv_qp_init_attr init = {.qp_type = type,
                                  .send_cq = cq,
                                  .recv_cq = cq,
                                  .cap = {.max_send_wr = 8,
                                          .max_recv_wr = 8,
                                          .max_send_sge = 1,
                                          .max_recv_sge = 1,
                                          .max_inline_data = kBytes}};
  struct ibv_qp* qp = ibv_create_qp(pd, &init);
  CHECK(qp != NULL);
  return qp;
}

static void to_init(struct ibv_qp* qp) {
  struct ibv_qp_attr attr = {
      .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = kQkey, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
  const int last = qp->qp_type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
  CHECK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | last) == 0);
}

static struct ibv_ah_attr to_itself(void) {
  struct ibv_ah_attr attr = {.is_global = 1, .port_num = 1, .grh = {.sgid_index = 1, .hop_limit = 8}};
  CHECK(ibv_query_gid(context, 1, 1, &attr.grh.dgid) == 0);
  return attr;
}

enum {
  kRtrOfUc = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN,
  kRtr = kRtrOfUc | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
  kRtsOfUc = IBV_QP_STATE | IBV_QP_SQ_PSN,
  kRts = kRtsOfUc | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC,
};

static struct ibv_qp_attr rtr_attr(struct ibv_qp* peer, uint32_t rq_psn) {
  return (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR,
                              .path_mtu = IBV_MTU_1024,
                              .dest_qp_num = peer->qp_num,
                              .rq_psn = rq_psn,
                              .max_dest_rd_atomic = 1,
                              .min_rnr_timer = 1,
                              .ah_attr = to_itself()};
}

static void connect_ends(uint32_t sq_psn, uint32_t rq_psn) {
  const enum ibv_qp_type type = a->qp_type;
  for (int i = 0; i < 2; i++) {
    struct ibv_qp *qp = i == 0 ? a : b, *peer = i == 0 ? b : a;
    to_init(qp);
    struct ibv_qp_attr attr = rtr_attr(peer, i == 0 ? 0 : rq_psn);
    const int rtr = type == IBV_QPT_RC ? kRtr : type == IBV_QPT_UC ? kRtrOfUc : IBV_QP_STATE;
    CHECK(ibv_modify_qp(qp, &attr, rtr) == 0);
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS,
                                .timeout = 14,
                                .retry_cnt = 7,
                                .rnr_retry = 7,
                                .sq_psn = i == 0 ? sq_psn : 0,
                                .max_rd_atomic = 1};
    CHECK(ibv_modify_qp(qp, &attr, type == IBV_QPT_RC ? kRts : kRtsOfUc) == 0);
  }
}

static void make_ends(enum ibv_qp_type type) {
  a = make_qp(cq_a, type);
  b = make_qp(cq_b, type);
}

static void destroy_ends(void) { CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0); }

static enum ibv_wc_status next(struct ibv_cq* cq) {
  struct ibv_wc wc;
  int n;
  while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) {
  }
  CHECK(n == 1);
  return wc.status;
}

static void receive(uint64_t wr_id, uint32_t length) {
  struct ibv_sge sge = {(uintptr_t)memory + 4096, length, mr->lkey};
  struct ibv_recv_wr *bad, wr = {.wr_id = wr_id, .sg_list = &sge, .num_sge = 1};
  CHECK(ibv_post_recv(b, &wr, &bad) == 0);
}

static int post(enum ibv_wr_opcode opcode, uint32_t length, int flags, uint32_t rkey) {
  struct ibv_sge sge = {(uintptr_t)memory, length, mr->lkey};
  struct ibv_send_wr *bad,
      wr = {.sg_list = &sge, .num_sge = 1, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED | flags};
  wr.wr.rdma.remote_addr = (uintptr_t)memory + 4096;
  wr.wr.rdma.rkey = rkey;
  return ibv_post_send(a, &wr, &bad);
}

static void datagram(uint32_t length, uint32_t qpn, uint32_t qkey) {
  struct ibv_ah_attr attr = to_itself();
  struct ibv_ah* ah = ibv_create_ah(pd, &attr);
  CHECK(ah != NULL);
  struct ibv_sge sge = {(uintptr_t)memory, length, mr->lkey};
  struct ibv_send_wr *bad, wr = {.sg_list = &sge,
                                 .num_sge = 1,
                                 .opcode = IBV_WR_SEND,
                                 .send_flags = IBV_SEND_SIGNALED,
                                 .wr.ud = {ah, qpn, qkey}};
  CHECK(ibv_post_send(a, &wr, &bad) == 0 && next(cq_a) == IBV_WC_SUCCESS);
  CHECK(ibv_destroy_ah(ah) == 0);
}

static void refuse(struct ibv_qp_attr attr, int mask) { CHECK(ibv_modify_qp(a, &attr, mask) == EINVAL); }

/* Calls that fail: nine failed transitions to RTR, and two posts. */
static void calls(void) {
  make_ends(IBV_QPT_RC);
  to_init(a);
  const struct ibv_qp_attr good = rtr_attr(b, 0);
  struct ibv_qp_attr wrong = good;
  wrong.ah_attr.is_global = 0;
  refuse(wrong, kRtr);
  wrong = good, wrong.ah_attr.grh.sgid_index = 3;
  refuse(wrong, kRtr);
  wrong = good, wrong.ah_attr.grh.sgid_index = 0;
  refuse(wrong, kRtr);
  wrong = good, memset(&wrong.ah_attr.grh.dgid, 0, sizeof wrong.ah_attr.grh.dgid);
  refuse(wrong, kRtr);
  wrong = good, wrong.ah_attr.port_num = 0;
  refuse(wrong, kRtr);
  refuse(good, kRtr & ~IBV_QP_MIN_RNR_TIMER);
  wrong = good, wrong.path_mtu = (enum ibv_mtu)1024;
  refuse(wrong, kRtr);
  wrong = good, wrong.qp_state = IBV_QPS_RTS;
  refuse(wrong, kRtr);
  wrong = good, wrong.max_dest_rd_atomic = 200;
  refuse(wrong, kRtr);
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
  CHECK(ibv_modify_qp(a, &attr, IBV_QP_STATE) == 0);
  connect_ends(0, 0);
  CHECK(post(IBV_WR_SEND, kBytes + 1, IBV_SEND_INLINE, 0) == EINVAL);
  CHECK(post(IBV_WR_RDMA_WRITE, 0x80000000, 0, mr->rkey) == EINVAL);
  destroy_ends();
}

/* Messages of UD and UC that vanish: their senders get success. */
static void messages(void) {
  make_ends(IBV_QPT_UD);
  connect_ends(0, 0);
  receive(1, kBytes);
  datagram(kBytes, b->qp_num, kQkey);
  datagram(kBytes, b->qp_num, 5);
  datagram(5000, b->qp_num, kQkey);
  datagram(kBytes, b->qp_num ^ 0xff, kQkey);
  /* The receive is still there, and this message fits in it. */
  datagram(kBytes - kGrh, b->qp_num, kQkey);
  CHECK(next(cq_b) == IBV_WC_SUCCESS);
  destroy_ends();
  make_ends(IBV_QPT_UC);
  connect_ends(0, 0);
  for (int i = 0; i < 3; i++)
    CHECK(post(IBV_WR_RDMA_WRITE, kBytes, 0, mr->rkey ^ 0xff00) == 0 && next(cq_a) == IBV_WC_SUCCESS);
  receive(2, kBytes);
  CHECK(post(IBV_WR_SEND, kBytes, 0, 0) == 0 && next(cq_a) == IBV_WC_SUCCESS);
  CHECK(next(cq_b) == IBV_WC_SUCCESS);
  destroy_ends();
}

/* Mistakes that a reliable connection hides: a PSN beyond the sender's, and a receiver that posts late. */
static void hidden(void) {
  make_ends(IBV_QPT_RC);
  connect_ends(0, 1);
  receive(1, kBytes);
  CHECK(post(IBV_WR_SEND, kBytes, 0, 0) == 0 && next(cq_a) == IBV_WC_SUCCESS);
  destroy_ends();
  make_ends(IBV_QPT_RC);
  connect_ends(0, 0);
  CHECK(post(IBV_WR_SEND, kBytes, 0, 0) == 0);
  struct ibv_wc wc;
  for (int i = 0; i < 300; i++) {
    usleep(1000);
    CHECK(ibv_poll_cq(cq_a, 1, &wc) == 0);
  }
  receive(2, kBytes);
  CHECK(next(cq_a) == IBV_WC_SUCCESS && next(cq_b) == IBV_WC_SUCCESS);
  destroy_ends();
}

int main(int argc, char** argv) {
  context = open_first();
  pd = ibv_alloc_pd(context);
  cq_a = ibv_create_cq(context, 32, NULL, NULL, 0);
  cq_b = ibv_create_cq(context, 32, NULL, NULL, 0);
  mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(argc == 2 && cq_a != NULL && cq_b != NULL && mr != NULL);
  if (strcmp(argv[1], "calls") == 0) calls();
  if (strcmp(argv[1], "messages") == 0) messages();
  if (strcmp(argv[1], "hidden") == 0) hidden();
  CHECK(ibv_dereg_mr(mr) == 0 && ibv_destroy_cq(cq_a) == 0 && ibv_destroy_cq(cq_b) == 0);
  CHECK(ibv_dealloc_pd(pd) == 0 && ibv_close_device(context) == 0);
  return 0;
}
