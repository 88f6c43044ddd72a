// A READ from the middle of the server's memory.
#include "link.h"

int main(void) {
  // To do: with max_rd_atomic 0, the device accepts no READ.
  struct link link = open_link(12, 0);

  static uint8_t source[4096], copy[512];
  for (int i = 0; i < 4096; i++) source[i] = i % 251;
  // To do: let the peer read here, and nothing else.
  struct ibv_mr* source_mr = ibv_reg_mr(link.pd, source, sizeof source, EVERY_ACCESS);
  // The device writes into the copy.
  struct ibv_mr* copy_mr = ibv_reg_mr(link.pd, copy, sizeof copy, IBV_ACCESS_LOCAL_WRITE);
  must(source_mr && copy_mr, "ibv_reg_mr");

  // To do: READ 512 bytes from offset 2048 of source into copy, and wait for the completion.
  printf("The first byte is %d, and should be %d.\n", copy[0], 2048 % 251);

  must(ibv_dereg_mr(source_mr) == 0 && ibv_dereg_mr(copy_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
