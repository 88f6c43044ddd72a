// RDMA WRITEs between two QPs of this process, one after the other: 19 succeed, the last has a wrong rkey.
#include "common.h"

enum { kBytes = 16384, kWrites = 20 };

static struct ibv_qp* make_qp(struct ibv_pd* pd, struct ibv_cq* cq) {
  struct ibv_qp_init_attr init = {
      .qp_type = IBV_QPT_RC,
      .send_cq = cq,
      .recv_cq = cq,
      .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
  struct ibv_qp* qp = ibv_create_qp(pd, &init);
  CHECK(qp != NULL);
  return qp;
}

int main(void) {
  static char from[kBytes], to[kBytes];
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  struct ibv_cq* cq = ibv_create_cq(context, 64, NULL, NULL, 0);
  struct ibv_mr* source = ibv_reg_mr(pd, from, sizeof from, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* target = ibv_reg_mr(pd, to, sizeof to, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  struct ibv_qp *a = make_qp(pd, cq), *b = make_qp(pd, cq);
  connect_to(a, b->qp_num);
  connect_to(b, a->qp_num);
  for (int i = 0; i < kWrites; i++) {
    const int last = i == kWrites - 1;
    struct ibv_sge sge = {.addr = (uintptr_t)from, .length = kBytes, .lkey = source->lkey};
    struct ibv_send_wr wr = {.wr_id = 100 + i,
                             .opcode = IBV_WR_RDMA_WRITE,
                             .send_flags = IBV_SEND_SIGNALED,
                             .sg_list = &sge,
                             .num_sge = 1,
                             .wr.rdma = {.remote_addr = (uintptr_t)to, .rkey = target->rkey + last}};
    struct ibv_send_wr* bad;
    CHECK(ibv_post_send(a, &wr, &bad) == 0);
    struct ibv_wc wc;
    while (ibv_poll_cq(cq, 1, &wc) == 0) {
    }
    printf("wr_id %d: %s\n", (int)wc.wr_id, ibv_wc_status_str(wc.status));
  }
  return 3;
}
