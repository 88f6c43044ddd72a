/* Two ends of a connection: what they agree on by TCP, and a queue pair of each that goes to RTS. */
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <time.h>

#include "../../stock/programs/common.h"

enum { kMax = 1 << 20, kGuard = 64, kGrh = 40, kQkey = 0x1234567, kPatience = 20 };

static struct {
  int port, mtu, size, rounds, shared, gid, receiver_told, sender_told;
  const char *operation, *transport, *server;
} options = {.port = 18515,
             .mtu = 1024,
             .size = -1,
             .rounds = 1,
             .gid = 1,
             .receiver_told = IBV_WC_LOC_LEN_ERR,
             .sender_told = IBV_WC_REM_INV_REQ_ERR,
             .operation = "send",
             .transport = "rc"};

struct side {
  uint32_t qpn, psn, rkey, pad;
  uint64_t address;
  uint8_t gid[16];
};

static int control;
static struct side mine, theirs;
static struct ibv_qp* qp;
static struct ibv_cq* cq;
static struct ibv_srq* srq;
static struct ibv_mr* mr;
static struct ibv_ah* ah;
static uint8_t* memory; /* kMax bytes between two guards, behind room for a GRH */

static uint8_t* data(void) { return memory + kGuard; }
static int is_requester(void) { return options.server != NULL; }
static int is_ud(void) { return strcmp(options.transport, "ud") == 0; }

static void exchange(const void* out, void* in, size_t size) {
  CHECK(write(control, out, size) == (ssize_t)size);
  CHECK(recv(control, in, size, MSG_WAITALL) == (ssize_t)size);
}

/* Waits until both ends have come here. */
static void meet(void) {
  uint8_t word = 1;
  exchange(&word, &word, 1);
  CHECK(word == 1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct ibv_wc completion(void) {
  struct ibv_wc wc;
  const double end = now() + kPatience;
  int n;
  while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) CHECK(now() < end && "a completion came");
  CHECK(n == 1);
  return wc;
}

static void expect_wc(enum ibv_wc_status status, const char* what) {
  const struct ibv_wc wc = completion();
  if (wc.status == status) return;
  fprintf(stderr, "%s: status %d (%s), not %d (%s)\n", what, wc.status, ibv_wc_status_str(wc.status), status,
          ibv_wc_status_str(status));
  exit(1);
}

static void blank(void) { memset(memory, 0xee, kMax + 2 * kGuard); }

struct operation {
  const char* name;
  void (*run)(int size, int seed);
  int once;      /* the queue pair is no more afterwards */
  int rnr_retry; /* 7: forever */
  int retry;     /* 7: forever to rxe (comp.retry_cnt in rxe_comp.c) */
};

static void open_control(void) {
  const int one = 1;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(fd >= 0);
  if (is_requester()) {
    CHECK(inet_pton(AF_INET, options.server, &at.sin_addr) == 1);
    CHECK(connect(fd, (struct sockaddr*)&at, sizeof at) == 0);
    control = fd;
  } else {
    CHECK(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0);
    CHECK(bind(fd, (struct sockaddr*)&at, sizeof at) == 0 && listen(fd, 1) == 0);
    printf("listening\n");
    fflush(stdout);
    control = accept(fd, NULL, NULL);
    CHECK(control >= 0);
  }
  CHECK(setsockopt(control, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0);
}

static enum ibv_qp_type type_of(const char* name) {
  return strcmp(name, "rc") == 0 ? IBV_QPT_RC : strcmp(name, "uc") == 0 ? IBV_QPT_UC : IBV_QPT_UD;
}

static enum ibv_mtu mtu_of(int size) {
  enum ibv_mtu mtu = IBV_MTU_256;
  for (; size > 256; size /= 2) mtu += 1;
  return mtu;
}

static void go_to_rts(const struct operation* operation) {
  const enum ibv_qp_type type = type_of(options.transport);
  struct ibv_qp_attr attr = {
      .qp_state = IBV_QPS_INIT,
      .port_num = 1,
      .qkey = kQkey,
      .qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
                         (type == IBV_QPT_RC ? IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC : 0)};
  CHECK(ibv_modify_qp(qp, &attr,
                      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                          (type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS)) == 0);
  struct ibv_ah_attr to = {
      .is_global = 1, .port_num = 1, .grh = {.sgid_index = (uint8_t)options.gid, .hop_limit = 8}};
  memcpy(&to.grh.dgid, theirs.gid, 16);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR,
                              .path_mtu = mtu_of(options.mtu),
                              .dest_qp_num = theirs.qpn,
                              .rq_psn = theirs.psn,
                              .max_dest_rd_atomic = 4,
                              .min_rnr_timer = 12,
                              .ah_attr = to};
  const int connected = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
  const int reliable = IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  CHECK(ibv_modify_qp(qp, &attr,
                      IBV_QP_STATE | (type == IBV_QPT_UD ? 0 : connected) |
                          (type == IBV_QPT_RC ? reliable : 0)) == 0);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS,
                              .timeout = 14,
                              .retry_cnt = (uint8_t)operation->retry,
                              .rnr_retry = (uint8_t)operation->rnr_retry,
                              .sq_psn = mine.psn,
                              .max_rd_atomic = 4};
  const int retries = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  CHECK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | (type == IBV_QPT_RC ? retries : 0)) == 0);
  if (type == IBV_QPT_UD) {
    ah = ibv_create_ah(qp->pd, &to);
    CHECK(ah != NULL);
  }
}

static void open_device(const struct operation* operation) {
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  cq = ibv_create_cq(context, 64, NULL, NULL, 0);
  CHECK(pd != NULL && cq != NULL);
  memory = aligned_alloc(4096, kMax + 4096);
  CHECK(memory != NULL);
  blank();
  mr = ibv_reg_mr(pd, memory, kMax + 2 * kGuard,
                  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                      IBV_ACCESS_REMOTE_ATOMIC);
  CHECK(mr != NULL);
  if (options.shared && !is_requester()) {
    struct ibv_srq_init_attr attr = {.attr = {.max_wr = 16, .max_sge = 1}};
    srq = ibv_create_srq(pd, &attr);
    CHECK(srq != NULL);
  }
  struct ibv_qp_init_attr attr = {
      .send_cq = cq,
      .recv_cq = cq,
      .srq = srq,
      .cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1},
      .qp_type = type_of(options.transport)};
  qp = ibv_create_qp(pd, &attr);
  CHECK(qp != NULL);
  /* Close to the end of the PSNs, so that they wrap. */
  mine = (struct side){
      .qpn = qp->qp_num, .psn = 0xfffff0, .rkey = mr->rkey, .address = (uintptr_t)data()};
  union ibv_gid gid;
  CHECK(ibv_query_gid(context, 1, options.gid, &gid) == 0);
  memcpy(mine.gid, &gid, 16);
  exchange(&mine, &theirs, sizeof mine);
  go_to_rts(operation);
  meet();
}
