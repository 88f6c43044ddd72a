/*
 * loader: looks for devices like programs that load libibverbs by themselves. Prints the number of devices in
 * the library that dlopen() returns, and in the functions that the program already has.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

typedef void** list(int*);

int main(void) {
  static const char* const kNeeded[][2] = {
      {"ibv_get_device_list", "IBVERBS_1.1"}, {"ibv_open_device", "IBVERBS_1.1"},
      {"ibv_query_port", "IBVERBS_1.1"},      {"ibv_reg_mr_iova2", "IBVERBS_1.8"},
      {"ibv_query_ece", "IBVERBS_1.10"},      {"ibv_reg_dmabuf_mr", "IBVERBS_1.12"}};
  void* library = dlopen("libibverbs.so.1", RTLD_NOW);
  if (library == NULL) return 2;
  for (size_t i = 0; i < sizeof kNeeded / sizeof *kNeeded; ++i)
    if (dlvsym(library, kNeeded[i][0], kNeeded[i][1]) == NULL) return 3;
  list* of_library = (list*)dlvsym(library, "ibv_get_device_list", "IBVERBS_1.1");
  list* of_program = (list*)dlsym(RTLD_DEFAULT, "ibv_get_device_list");
  int loaded = -1, own = -1;
  if (of_program == NULL) return 4;
  of_library(&loaded);
  of_program(&own);
  printf("dlopen: %d, RTLD_DEFAULT: %d\n", loaded, own);
  return 0;
}
