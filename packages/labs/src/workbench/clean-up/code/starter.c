// A program that works, but cleans up only in part.
#include "link.h"

int main(void) {
  struct link link = open_link(12, 1);

  static char source[64], target[64];
  memset(source, 7, sizeof source);
  struct ibv_mr* source_mr = ibv_reg_mr(link.pd, source, sizeof source, 0);
  struct ibv_mr* target_mr =
      ibv_reg_mr(link.pd, target, sizeof target, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  must(source_mr && target_mr, "ibv_reg_mr");

  struct ibv_sge from = {.addr = (uintptr_t)source, .length = sizeof source, .lkey = source_mr->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 1, .opcode = IBV_WR_RDMA_WRITE, .sg_list = &from, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = (uintptr_t)target;
  wr.wr.rdma.rkey = target_mr->rkey;
  must(ibv_post_send(link.client, &wr, &bad) == 0, "ibv_post_send");
  next_completion(link.client_cq);
  printf("Byte 63 is %d.\n", target[63]);

  // To do: something is forgotten here, the order is wrong, and no result is looked at.
  ibv_destroy_qp(link.client);
  ibv_destroy_cq(link.client_cq);
  ibv_destroy_cq(link.server_cq);
  ibv_destroy_qp(link.server);
  ibv_dereg_mr(source_mr);
  ibv_dealloc_pd(link.pd);
  ibv_close_device(link.device);
  return 0;
}
