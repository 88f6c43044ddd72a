// A WRITE into the middle of the server's memory.
#include "link.h"

int main(void) {
  struct link link = open_link(12, 1);

  static uint8_t source[256], target[4096];
  for (int i = 0; i < 256; i++) source[i] = i;
  struct ibv_mr* source_mr = ibv_reg_mr(link.pd, source, sizeof source, 0);  // the device only reads it
  // To do: let the peer write here, and nothing else.
  struct ibv_mr* target_mr = ibv_reg_mr(link.pd, target, sizeof target, EVERY_ACCESS);
  must(source_mr && target_mr, "ibv_reg_mr");

  // To do: WRITE all 256 bytes of source to offset 1024 of target, and wait for the completion.
  printf("The target is at %p, with rkey 0x%08x.\n", (void*)target, target_mr->rkey);

  must(ibv_dereg_mr(source_mr) == 0 && ibv_dereg_mr(target_mr) == 0, "ibv_dereg_mr");
  close_link(&link);
  return 0;
}
