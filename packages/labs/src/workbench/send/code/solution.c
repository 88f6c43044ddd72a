// A SEND, and the receive that takes it.
#include "link.h"

int main(void) {
  struct link link = open_link(12, 1);

  // The device writes into the server's buffer. No peer may reach either of them.
  static char message[64] = "Hello, RDMA", buffer[64];
  struct ibv_mr* message_mr = ibv_reg_mr(link.pd, message, sizeof message, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* buffer_mr = ibv_reg_mr(link.pd, buffer, sizeof buffer, IBV_ACCESS_LOCAL_WRITE);
  must(message_mr && buffer_mr, "ibv_reg_mr");

  struct ibv_sge into = {.addr = (uintptr_t)buffer, .length = sizeof buffer, .lkey = buffer_mr->lkey};
  struct ibv_recv_wr *bad_recv, recv = {.wr_id = 1, .sg_list = &into, .num_sge = 1};
  must(ibv_post_recv(link.server, &recv, &bad_recv) == 0, "ibv_post_recv");

  struct ibv_sge from = {.addr = (uintptr_t)message, .length = strlen(message), .lkey = message_mr->lkey};
  struct ibv_send_wr *bad_send, send = {.wr_id = 2, .opcode = IBV_WR_SEND, .sg_list = &from, .num_sge = 1};
  send.send_flags = IBV_SEND_SIGNALED;
  must(ibv_post_send(link.client, &send, &bad_send) == 0, "ibv_post_send");

  next_completion(link.client_cq);
  struct ibv_wc received = next_completion(link.server_cq);
  printf("The server received: %.*s\n", (int)received.byte_len, buffer);

  must(ibv_dereg_mr(message_mr) == 0 && ibv_dereg_mr(buffer_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
