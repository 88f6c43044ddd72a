// Time of ibv_reg_mr: on pages that have not been touched, and on the same pages again.
#include <sys/mman.h>

#include "clock.h"
#include "common.h"

// Registers the buffer, and returns the time of that call alone.
static double register_once(struct device* d, void* memory, size_t length) {
  double start = now_us();
  struct ibv_mr* mr = ibv_reg_mr(d->pd, memory, length, IBV_ACCESS_LOCAL_WRITE);
  double took = now_us() - start;
  need(mr != NULL, "ibv_reg_mr (a limit of locked memory? see ulimit -l)");
  check(ibv_dereg_mr(mr), "ibv_dereg_mr");
  return took;
}

int main(void) {
  struct device d = open_device();
  printf("%10s %16s %16s\n", "bytes", "untouched, us", "touched, us");
  for (size_t length = 4096; length <= 4 * 1024 * 1024; length *= 4) {
    // The kernel provides a page at its first use. Registering uses all pages, so the kernel provides and clears each.
    char* memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need(memory != MAP_FAILED, "mmap");
    double untouched = register_once(&d, memory, length);
    // Now the pages exist and need only pinning.
    double touched = register_once(&d, memory, length);
    printf("%10zu %16.1f %16.1f\n", length, untouched, touched);
    munmap(memory, length);
  }
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
