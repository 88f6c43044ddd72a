// A WRITE into the middle of the server's memory.
#include "link.h"

int main(void) {
  struct link link = open_link(12, 1);

  static uint8_t source[256], target[4096];
  for (int i = 0; i < 256; i++) source[i] = i;
  struct ibv_mr* source_mr = ibv_reg_mr(link.pd, source, sizeof source, 0);  // the device only reads it
  struct ibv_mr* target_mr =
      ibv_reg_mr(link.pd, target, sizeof target, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  must(source_mr && target_mr, "ibv_reg_mr");

  struct ibv_sge from = {.addr = (uintptr_t)source, .length = sizeof source, .lkey = source_mr->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 1, .opcode = IBV_WR_RDMA_WRITE, .sg_list = &from, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  // Address and rkey: the server would tell them to the client.
  wr.wr.rdma.remote_addr = (uintptr_t)target + 1024;
  wr.wr.rdma.rkey = target_mr->rkey;
  must(ibv_post_send(link.client, &wr, &bad) == 0, "ibv_post_send");
  next_completion(link.client_cq);
  printf("Byte 255 arrived: %d.\n", target[1024 + 255]);

  must(ibv_dereg_mr(source_mr) == 0 && ibv_dereg_mr(target_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
