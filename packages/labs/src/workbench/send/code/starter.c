// A SEND, and the receive that takes it.
#include "link.h"

int main(void) {
  // To do: min_rnr_timer 0 is not the shortest time. Choose a better one.
  struct link link = open_link(0, 1);

  // To do: nothing here needs remote access. Give each region only the rights that it needs.
  static char message[64] = "Hello, RDMA", buffer[64];
  struct ibv_mr* message_mr = ibv_reg_mr(link.pd, message, sizeof message, EVERY_ACCESS);
  struct ibv_mr* buffer_mr = ibv_reg_mr(link.pd, buffer, sizeof buffer, EVERY_ACCESS);
  must(message_mr && buffer_mr, "ibv_reg_mr");

  // To do: post a receive at the server, then a SEND of the 11 bytes at the client.
  // Wait for both completions with next_completion.
  printf("The server received: %s\n", buffer);

  must(ibv_dereg_mr(message_mr) == 0 && ibv_dereg_mr(buffer_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
