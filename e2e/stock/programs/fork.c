/*
 * fork() under registered memory: the child writes to its copy of a registered page, opens the device for
 * itself and uses it. The parent's regions, queue pairs and memory must be as if the child had never existed.
 */
#include "common.h"

static void write_to_myself(struct ibv_context* context, uint8_t value) {
  struct ibv_pd* pd = ibv_alloc_pd(context);
  struct ibv_cq* cq = ibv_create_cq(context, 4, NULL, NULL, 0);
  struct ibv_qp_init_attr attr = {
      .send_cq = cq, .recv_cq = cq, .cap = {.max_send_wr = 1, .max_send_sge = 1}, .qp_type = IBV_QPT_RC};
  struct ibv_qp* qp = ibv_create_qp(pd, &attr);
  uint8_t* page = aligned_alloc(4096, 4096);
  struct ibv_mr* mr = ibv_reg_mr(pd, page, 4096, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(qp != NULL && mr != NULL);
  connect_to(qp, qp->qp_num);
  for (int round = 0; round < 3; ++round) {
    page[0] = (uint8_t)(value + round);
    page[4095] = 0;
    pid_t child = round == 1 ? fork() : 0;
    CHECK(child >= 0);
    if (round == 1 && child == 0) { /* dirties the shared pages and leaves */
      memset(page, 0xff, 4096);
      _exit(page[4095] == 0xff ? 0 : 1);
    }
    struct ibv_sge sge = {(uintptr_t)page, 1, mr->lkey};
    struct ibv_send_wr wr = {
        .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED};
    wr.wr.rdma.remote_addr = (uintptr_t)&page[4095];
    wr.wr.rdma.rkey = mr->rkey;
    struct ibv_send_wr* bad;
    CHECK(ibv_post_send(qp, &wr, &bad) == 0);
    struct ibv_wc wc;
    int n;
    while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) {
    }
    CHECK(n == 1 && wc.status == IBV_WC_SUCCESS);
    CHECK(page[4095] == (uint8_t)(value + round));
    int status = 0;
    if (round == 1) CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  CHECK(ibv_destroy_qp(qp) == 0 && ibv_dereg_mr(mr) == 0 && ibv_destroy_cq(cq) == 0 &&
        ibv_dealloc_pd(pd) == 0);
  free(page);
}

int main(void) {
  CHECK(ibv_fork_init() == 0);
  struct ibv_context* context = open_first();
  write_to_myself(context, 10);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    struct ibv_context* own = open_first();
    write_to_myself(own, 50);
    CHECK(ibv_close_device(own) == 0);
    return 0;
  }
  write_to_myself(context, 90);
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  write_to_myself(context, 130);
  CHECK(ibv_close_device(context) == 0);
  puts("parent and child were served");
  return 0;
}
