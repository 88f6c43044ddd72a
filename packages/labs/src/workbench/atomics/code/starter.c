// Atomics on a counter in the server's memory.
#include "link.h"

int main(void) {
  struct link link = open_link(12, 1);

  // A counter of 8 bytes at the server. The client has 8 bytes for each old value.
  static uint64_t counter, old[3];
  // To do: let the peer use atomics on the counter, and nothing else.
  struct ibv_mr* counter_mr =
      ibv_reg_mr(link.pd, &counter, sizeof counter,
                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
  struct ibv_mr* old_mr = ibv_reg_mr(link.pd, old, sizeof old, IBV_ACCESS_LOCAL_WRITE);
  must(counter_mr && old_mr, "ibv_reg_mr");

  // To do: add 5, add 7, then swap 12 for 100, and wait for all three.
  printf("%d, %d, %d\n", (int)old[0], (int)old[1], (int)old[2]);

  must(ibv_dereg_mr(counter_mr) == 0 && ibv_dereg_mr(old_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
