/*
 * Leaves work in its queues as its argument says, says so on stdout, and waits for a signal. Its queue pairs are
 * connected to themselves.
 */
#define _GNU_SOURCE
#include <signal.h>

#include "ends.h"

enum { kSends = 16, kReceives = 8, kShared = 32, kCompletions = 64, kMessage = 64, kMany = 1000 };

static struct ibv_pd* pd;
static struct ibv_cq* cq;
static struct ibv_mr* mr;
static uint8_t memory[4096];

static void set_up(void) {
  struct ibv_context* context = open_first();
  pd = ibv_alloc_pd(context);
  cq = ibv_create_cq(context, kCompletions, NULL, NULL, 0);
  mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(pd != NULL && cq != NULL && mr != NULL);
}

static struct ibv_qp* make(struct ibv_cq* of, struct ibv_srq* srq) {
  struct ibv_qp_init_attr attr = {.send_cq = of,
                                  .recv_cq = of,
                                  .srq = srq,
                                  .cap = {.max_send_wr = kSends,
                                          .max_recv_wr = kReceives,
                                          .max_send_sge = 1,
                                          .max_recv_sge = 1},
                                  .qp_type = IBV_QPT_RC};
  struct ibv_qp* qp = ibv_create_qp(pd, &attr);
  CHECK(qp != NULL);
  connect_to(qp, qp->qp_num);
  return qp;
}

static void post(struct ibv_qp* qp, enum ibv_wr_opcode opcode, int n) {
  for (int i = 0; i < n; ++i) {
    struct ibv_sge sge = {(uintptr_t)memory, kMessage, mr->lkey};
    struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED};
    wr.wr.rdma.remote_addr = (uintptr_t)memory + 2048;
    wr.wr.rdma.rkey = mr->rkey;
    struct ibv_send_wr* bad;
    CHECK(ibv_post_send(qp, &wr, &bad) == 0);
  }
}

static void ready(void) {
  CHECK(write(1, "ready\n", 6) == 6);
  for (;;) pause();
}

static void writes(int n) {
  set_up();
  post(make(cq, NULL), IBV_WR_RDMA_WRITE, n);
}

/* Three receives, one of which a message takes: its completion, and that of the SEND, stay in the CQ. */
static void receives(void) {
  set_up();
  struct ibv_qp* qp = make(cq, NULL);
  for (int i = 0; i < 3; ++i) {
    struct ibv_sge sge = {(uintptr_t)memory, kMessage, mr->lkey};
    struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
    CHECK(ibv_post_recv(qp, &wr, &bad) == 0);
  }
  post(qp, IBV_WR_SEND, 1);
}

static void shared(void) {
  set_up();
  struct ibv_srq_init_attr attr = {.attr = {.max_wr = kShared, .max_sge = 1}};
  struct ibv_srq* srq = ibv_create_srq(pd, &attr);
  CHECK(srq != NULL);
  make(cq, srq);
  for (int i = 0; i < 7; ++i) {
    struct ibv_sge sge = {(uintptr_t)memory, kMessage, mr->lkey};
    struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
    CHECK(ibv_post_srq_recv(srq, &wr, &bad) == 0);
  }
}

/* A send queue and a CQ each; the first ten have the most. */
static void many(void) {
  set_up();
  for (int i = 0; i < kMany; ++i) {
    struct ibv_cq* own = ibv_create_cq(pd->context, kSends, NULL, NULL, 0);
    CHECK(own != NULL);
    post(make(own, NULL), IBV_WR_RDMA_WRITE, i < 10 ? 4 : 1);
  }
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  if (strcmp(argv[1], "sends") == 0) writes(5);
  if (strcmp(argv[1], "two") == 0) writes(2);
  if (strcmp(argv[1], "receives") == 0) receives();
  if (strcmp(argv[1], "shared") == 0) shared();
  if (strcmp(argv[1], "many") == 0) many();
  if (strcmp(argv[1], "fork") == 0) {
    writes(5);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      end_with_parent();
      writes(2);
    }
  }
  if (strcmp(argv[1], "exec") == 0) {
    writes(5);
    char* const args[] = {argv[0], "two", NULL};
    execv("/proc/self/exe", args);
    return 1;
  }
  ready();
}
