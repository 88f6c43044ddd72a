// A READ from the middle of the server's memory.
#include "link.h"

int main(void) {
  struct link link = open_link(12, 1);

  static uint8_t source[4096], copy[512];
  for (int i = 0; i < 4096; i++) source[i] = i % 251;
  struct ibv_mr* source_mr = ibv_reg_mr(link.pd, source, sizeof source, IBV_ACCESS_REMOTE_READ);
  // The device writes into the copy.
  struct ibv_mr* copy_mr = ibv_reg_mr(link.pd, copy, sizeof copy, IBV_ACCESS_LOCAL_WRITE);
  must(source_mr && copy_mr, "ibv_reg_mr");

  struct ibv_sge into = {.addr = (uintptr_t)copy, .length = sizeof copy, .lkey = copy_mr->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 1, .opcode = IBV_WR_RDMA_READ, .sg_list = &into, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = (uintptr_t)source + 2048;
  wr.wr.rdma.rkey = source_mr->rkey;
  must(ibv_post_send(link.client, &wr, &bad) == 0, "ibv_post_send");
  next_completion(link.client_cq);
  printf("The first byte is %d, and should be %d.\n", copy[0], 2048 % 251);

  must(ibv_dereg_mr(source_mr) == 0 && ibv_dereg_mr(copy_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
