// A message of no bytes that carries an immediate.
#include "link.h"

int main(void) {
  struct link link = open_link(12, 1);

  // A receive without a buffer: the immediate comes in the completion.
  struct ibv_recv_wr *bad_recv, recv = {.wr_id = 1};
  must(ibv_post_recv(link.server, &recv, &bad_recv) == 0, "ibv_post_recv");

  // An immediate is in network byte order.
  struct ibv_send_wr *bad_send, send = {.wr_id = 2, .opcode = IBV_WR_SEND_WITH_IMM};
  send.imm_data = htonl(0x01020304);
  send.send_flags = IBV_SEND_SIGNALED;
  must(ibv_post_send(link.client, &send, &bad_send) == 0, "ibv_post_send");

  next_completion(link.client_cq);
  struct ibv_wc received = next_completion(link.server_cq);
  printf("The server received immediate 0x%08x.\n", ntohl(received.imm_data));

  close_link(&link);
  return 0;
}
