/*
 * planted: a small test program with one bug, named by its argument. Two connected QPs of one process exchange messages;
 * `right` is the program without a bug.
 */
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char g_bytes[1 << 16];
static const char* g_bug;

static int bug(const char* name) { return strcmp(g_bug, name) == 0; }

#define MUST(x)                                        \
  do {                                                 \
    if (!(x)) {                                        \
      fprintf(stderr, "planted: %s is not true\n", #x); \
      exit(9);                                         \
    }                                                  \
  } while (0)

struct side {
  struct ibv_cq* cq;
  struct ibv_qp* qp;
};

static struct ibv_context* g_context;
static struct ibv_pd* g_pd;
static struct ibv_mr* g_mr;
static struct ibv_comp_channel* g_channel;

static struct side made(int cqe, int signal_all) {
  struct side s;
  s.cq = ibv_create_cq(g_context, cqe, NULL, g_channel, 0);
  struct ibv_qp_init_attr init = {.send_cq = s.cq,
                                  .recv_cq = s.cq,
                                  .cap = {8, 8, 1, 1, 0},
                                  .qp_type = IBV_QPT_RC,
                                  .sq_sig_all = signal_all};
  s.qp = ibv_create_qp(g_pd, &init);
  MUST(s.qp != NULL);
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
  MUST(ibv_modify_qp(s.qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0);
  return s;
}

static void connect_to(struct ibv_qp* qp, uint32_t peer) {
  union ibv_gid gid;
  MUST(ibv_query_gid(g_context, 1, 1, &gid) == 0);
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR,
                             .path_mtu = IBV_MTU_1024,
                             .dest_qp_num = peer,
                             .max_dest_rd_atomic = 1,
                             .min_rnr_timer = 1,
                             .ah_attr = {.is_global = 1, .grh = {.dgid = gid, .sgid_index = 1, .hop_limit = 1}, .port_num = 1}};
  MUST(ibv_modify_qp(qp, &attr,
                     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0);
  struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS,
                            .timeout = 16,
                            .retry_cnt = bug("flake") ? 0 : 7,
                            .rnr_retry = bug("rnr") ? 0 : 7,
                            .max_rd_atomic = 1};
  MUST(ibv_modify_qp(qp, &rts,
                     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                         IBV_QP_MAX_QP_RD_ATOMIC) == 0);
}

static void receive(struct ibv_qp* qp) {
  struct ibv_sge sge = {(uintptr_t)g_bytes, 1024, g_mr->lkey};
  struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
  MUST(ibv_post_recv(qp, &wr, &bad) == 0);
}

static int send_with(struct ibv_qp* qp, enum ibv_wr_opcode opcode, uint32_t lkey, uint32_t rkey, int flags) {
  struct ibv_sge sge = {(uintptr_t)g_bytes + 4096, 64, lkey};
  struct ibv_send_wr wr = {.sg_list = &sge,
                           .num_sge = 1,
                           .opcode = opcode,
                           .send_flags = flags,
                           .wr.rdma = {(uintptr_t)g_bytes, rkey}};
  struct ibv_send_wr* bad;
  return ibv_post_send(qp, &wr, &bad);
}

static enum ibv_wc_status polled(struct ibv_cq* cq) {
  struct ibv_wc wc;
  int n;
  while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) continue;
  MUST(n == 1);
  return wc.status;
}

/* Returns the exit code. */
static int play(struct side a, struct side b) {
  const int signaled = IBV_SEND_SIGNALED;
  if (bug("rnr") || bug("async") || bug("lkey")) {
    // The program takes any completion for a success.
    const enum ibv_wr_opcode opcode = bug("rnr") ? IBV_WR_SEND : IBV_WR_RDMA_WRITE;
    const uint32_t lkey = bug("lkey") ? 0x1234 : g_mr->lkey, rkey = bug("async") ? 0x1234 : g_mr->rkey;
    MUST(send_with(a.qp, opcode, lkey, rkey, signaled) == 0);
    polled(a.cq);
    return 0;
  }
  if (bug("ignored") || bug("overrun")) {
    const int n = bug("overrun") ? 8 : 1;
    for (int i = 0; i < n; ++i)
      send_with(a.qp, IBV_WR_RDMA_WRITE, g_mr->lkey, bug("ignored") ? 0x1234 : g_mr->rkey, signaled);
    usleep(200000);
    return 0;
  }
  if (bug("unsignaled")) {
    for (int i = 0; i < 9; ++i) send_with(a.qp, IBV_WR_RDMA_WRITE, g_mr->lkey, g_mr->rkey, 0);
    usleep(100000);
    return 0;
  }
  if (bug("wakeup")) {
    // The completion comes before the request for an event.
    MUST(send_with(a.qp, IBV_WR_RDMA_WRITE, g_mr->lkey, g_mr->rkey, signaled) == 0);
    usleep(200000);
    ibv_req_notify_cq(a.cq, 0);
    struct ibv_cq* cq;
    void* context;
    return ibv_get_cq_event(g_channel, &cq, &context);
  }
  for (int i = 0; i < 100; ++i) {
    receive(b.qp);
    MUST(send_with(a.qp, IBV_WR_SEND, g_mr->lkey, 0, signaled) == 0);
    if (polled(a.cq) != IBV_WC_SUCCESS) return 1;
    if (polled(b.cq) != IBV_WC_SUCCESS) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  g_bug = argc > 1 ? argv[1] : "right";
  if (bug("skip")) {
    puts("no RDMA device, all tests are skipped");
    return 0;
  }
  struct ibv_device** devices = ibv_get_device_list(NULL);
  g_context = ibv_open_device(devices[0]);
  ibv_free_device_list(devices);
  MUST(g_context != NULL);
  g_pd = ibv_alloc_pd(g_context);
  g_mr = ibv_reg_mr(g_pd, g_bytes, sizeof g_bytes, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  g_channel = ibv_create_comp_channel(g_context);
  struct side a = made(bug("overrun") ? 2 : 32, 0), b = made(32, 0);
  connect_to(a.qp, b.qp->qp_num);
  connect_to(b.qp, a.qp->qp_num);
  const int code = play(a, b);
  ibv_destroy_qp(a.qp);
  ibv_destroy_qp(b.qp);
  ibv_destroy_cq(a.cq);
  ibv_destroy_cq(b.cq);
  ibv_destroy_comp_channel(g_channel);
  if (!bug("leak")) ibv_dereg_mr(g_mr);
  ibv_dealloc_pd(g_pd);
  ibv_close_device(g_context);
  return code;
}
