// A library that looks for a device's limit as libfabric does: it asks for less until a QP is created.
#include "prober.h"

#include <stddef.h>

struct ibv_qp* probe_inline(struct ibv_pd* pd, struct ibv_cq* cq, uint32_t from, int tries) {
  struct ibv_qp* qp = NULL;
  for (uint32_t length = from; qp == NULL && tries > 0; length /= 2, --tries) {
    struct ibv_qp_init_attr init = {.send_cq = cq,
                                    .recv_cq = cq,
                                    .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_inline_data = length},
                                    .qp_type = IBV_QPT_RC};
    qp = ibv_create_qp(pd, &init);
  }
  return qp;
}

int probe_infiniband(struct rdma_cm_id* id) {
  return rdma_bind_addr(id, &(struct sockaddr){.sa_family = AF_IB});
}

int fill_receives(struct ibv_qp* qp, struct ibv_mr* mr) {
  struct ibv_sge sge = {.addr = (uintptr_t)mr->addr, .length = 64, .lkey = mr->lkey};
  struct ibv_recv_wr *bad, wr = {.sg_list = &sge, .num_sge = 1};
  while (ibv_post_recv(qp, &wr, &bad) == 0) ++wr.wr_id;
  return (int)wr.wr_id;
}
