// A message of no bytes that carries an immediate.
#include "link.h"

int main(void) {
  struct link link = open_link(12, 1);

  // To do: no memory is needed here.
  static char buffer[64];
  struct ibv_mr* buffer_mr = ibv_reg_mr(link.pd, buffer, sizeof buffer, IBV_ACCESS_LOCAL_WRITE);
  must(buffer_mr != NULL, "ibv_reg_mr");
  struct ibv_sge piece = {.addr = (uintptr_t)buffer, .length = 4, .lkey = buffer_mr->lkey};

  struct ibv_recv_wr *bad_recv, recv = {.wr_id = 1, .sg_list = &piece, .num_sge = 1};
  must(ibv_post_recv(link.server, &recv, &bad_recv) == 0, "ibv_post_recv");

  // To do: send the number 0x01020304 as immediate, not as four bytes of payload.
  struct ibv_send_wr *bad_send, send = {.wr_id = 2, .opcode = IBV_WR_SEND, .sg_list = &piece, .num_sge = 1};
  send.send_flags = IBV_SEND_SIGNALED;
  must(ibv_post_send(link.client, &send, &bad_send) == 0, "ibv_post_send");

  next_completion(link.client_cq);
  struct ibv_wc received = next_completion(link.server_cq);
  printf("The server received %u bytes.\n", received.byte_len);

  must(ibv_dereg_mr(buffer_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
