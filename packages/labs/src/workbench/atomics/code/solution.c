// Atomics on a counter in the server's memory.
#include "link.h"

// Posts one atomic on the counter; the old value goes to `old`. An add has no use for `swap`.
static void post_atomic(struct link* link, enum ibv_wr_opcode opcode, const struct ibv_mr* counter,
                        struct ibv_mr* old_mr, uint64_t* old, uint64_t compare_add, uint64_t swap) {
  struct ibv_sge into = {.addr = (uintptr_t)old, .length = sizeof *old, .lkey = old_mr->lkey};
  struct ibv_send_wr *bad, wr = {.opcode = opcode, .sg_list = &into, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.atomic.remote_addr = (uintptr_t)counter->addr;
  wr.wr.atomic.rkey = counter->rkey;
  wr.wr.atomic.compare_add = compare_add;
  wr.wr.atomic.swap = swap;
  must(ibv_post_send(link->client, &wr, &bad) == 0, "ibv_post_send");
  next_completion(link->client_cq);
}

int main(void) {
  struct link link = open_link(12, 1);

  // A counter of 8 bytes at the server. The client has 8 bytes for each old value.
  static uint64_t counter, old[3];
  struct ibv_mr* counter_mr =
      ibv_reg_mr(link.pd, &counter, sizeof counter, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC);
  struct ibv_mr* old_mr = ibv_reg_mr(link.pd, old, sizeof old, IBV_ACCESS_LOCAL_WRITE);
  must(counter_mr && old_mr, "ibv_reg_mr");

  post_atomic(&link, IBV_WR_ATOMIC_FETCH_AND_ADD, counter_mr, old_mr, &old[0], 5, 0);
  post_atomic(&link, IBV_WR_ATOMIC_FETCH_AND_ADD, counter_mr, old_mr, &old[1], 7, 0);
  post_atomic(&link, IBV_WR_ATOMIC_CMP_AND_SWP, counter_mr, old_mr, &old[2], 12, 100);
  printf("%d, %d, %d\n", (int)old[0], (int)old[1], (int)old[2]);

  must(ibv_dereg_mr(counter_mr) == 0 && ibv_dereg_mr(old_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
