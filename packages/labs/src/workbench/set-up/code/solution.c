// Two queue pairs in one process, connected to each other.
#include "link.h"

int main(void) {
  // min_rnr_timer 12 is 0.64 ms. One READ or atomic may be under way.
  struct link link = open_link(12, 1);
  printf("QP 0x%06x and QP 0x%06x are connected.\n", link.client->qp_num, link.server->qp_num);
  close_link(&link);
  return 0;
}
