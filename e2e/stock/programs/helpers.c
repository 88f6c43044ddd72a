/*
 * helpers: compares the words and rates of the library given with those of the system's libibverbs, over all values that
 * programs may have. Prints each difference, and the number of comparisons.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char* const kWords[] = {"ibv_node_type_str", "ibv_port_state_str", "ibv_event_type_str",
                                     "ibv_wc_status_str"};
static const char* const kNumbers[] = {"ibv_rate_to_mult", "ibv_rate_to_mbps", "mult_to_ibv_rate",
                                       "mbps_to_ibv_rate"};

typedef const char* words(int);
typedef int numbers(int);

int main(int argc, char** argv) {
  void* own = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void* system = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL);
  if (own == NULL || system == NULL) return 2;
  int compared = 0, different = 0;
  for (size_t i = 0; i < sizeof kWords / sizeof *kWords; ++i) {
    words* a = (words*)dlsym(own, kWords[i]);
    words* b = (words*)dlsym(system, kWords[i]);
    for (int value = -3; value < 60; ++value, ++compared) {
      if (strcmp(a(value), b(value)) == 0) continue;
      printf("%s(%d): %s, not %s\n", kWords[i], value, a(value), b(value));
      ++different;
    }
  }
  for (size_t i = 0; i < sizeof kNumbers / sizeof *kNumbers; ++i) {
    numbers* a = (numbers*)dlsym(own, kNumbers[i]);
    numbers* b = (numbers*)dlsym(system, kNumbers[i]);
    for (int value = -3; value < 1300000 && different < 20; ++value, ++compared) {
      if (a(value) == b(value)) continue;
      printf("%s(%d): %d, not %d\n", kNumbers[i], value, a(value), b(value));
      ++different;
    }
  }
  printf("%d compared, %d different\n", compared, different);
  return 0;
}
