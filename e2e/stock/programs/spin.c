/*
 * Spins in ibv_poll_cq, where the engine lock is held nearly all of the time, until SIGINT. The signal's
 * handler ends the process with code 7 by the first argument: exit or _exit. With `cm` as second argument the
 * context is that of librdmacm, which closes it at the end of the process.
 */
#include "common.h"

#include <rdma/rdma_cma.h>
#include <signal.h>

static struct ibv_context* open_cm(void) {
  struct ibv_context** list = rdma_get_devices(NULL);
  CHECK(list != NULL);
  struct ibv_context* context = list[0];
  rdma_free_devices(list);
  return context;
}

static void (*end)(int);
static void on_interrupt(int number) {
  (void)number;
  end(7);
}

int main(int argc, char** argv) {
  CHECK(argc > 1);
  end = strcmp(argv[1], "exit") == 0 ? exit : _exit;
  struct ibv_context* context = argc > 2 ? open_cm() : open_first();
  struct ibv_cq* cq = ibv_create_cq(context, 4, NULL, NULL, 0);
  CHECK(cq != NULL && signal(SIGINT, on_interrupt) != SIG_ERR);
  CHECK(write(1, "spinning\n", 9) == 9);
  struct ibv_wc wc;
  while (ibv_poll_cq(cq, 1, &wc) == 0) {
  }
  return 1;
}
