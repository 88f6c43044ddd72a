/*
 * loader: looks for devices like programs that load libibverbs and librdmacm by themselves: by each name and path given, with
 * each flag, in a namespace of its own, and asks for functions with their versions. Prints the number of devices that each
 * way finds, and that of the functions that the program already has.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef void** list(int*);

static int devices(list* of) {
  int found = -1;
  if (of != NULL) of(&found);
  return found;
}

static int found_in(void* library, const char* name) {
  // What NCCL asks for, and channels.
  static const char* const kVerbs[][2] = {
      {"ibv_get_device_list", "IBVERBS_1.1"},
      {"ibv_free_device_list", "IBVERBS_1.1"},
      {"ibv_get_device_name", "IBVERBS_1.1"},
      {"ibv_open_device", "IBVERBS_1.1"},
      {"ibv_close_device", "IBVERBS_1.1"},
      {"ibv_get_async_event", "IBVERBS_1.1"},
      {"ibv_ack_async_event", "IBVERBS_1.1"},
      {"ibv_query_device", "IBVERBS_1.1"},
      {"ibv_query_port", "IBVERBS_1.1"},
      {"ibv_query_gid", "IBVERBS_1.1"},
      {"ibv_query_qp", "IBVERBS_1.1"},
      {"ibv_alloc_pd", "IBVERBS_1.1"},
      {"ibv_dealloc_pd", "IBVERBS_1.1"},
      {"ibv_reg_mr", "IBVERBS_1.1"},
      {"ibv_dereg_mr", "IBVERBS_1.1"},
      {"ibv_create_comp_channel", "IBVERBS_1.0"},
      {"ibv_destroy_comp_channel", "IBVERBS_1.0"},
      {"ibv_create_cq", "IBVERBS_1.1"},
      {"ibv_destroy_cq", "IBVERBS_1.1"},
      {"ibv_create_qp", "IBVERBS_1.1"},
      {"ibv_modify_qp", "IBVERBS_1.1"},
      {"ibv_destroy_qp", "IBVERBS_1.1"},
      {"ibv_fork_init", "IBVERBS_1.1"},
      {"ibv_event_type_str", "IBVERBS_1.1"},
      {"ibv_reg_mr_iova2", "IBVERBS_1.8"},
      {"ibv_query_ece", "IBVERBS_1.10"},
      {"ibv_set_ece", "IBVERBS_1.10"},
      {"ibv_reg_dmabuf_mr", "IBVERBS_1.12"}};
  if (library == NULL) return -2;
  if (strstr(name, "librdmacm") != NULL)
    return devices((list*)(dlvsym(library, "rdma_get_devices", "RDMACM_1.0")));
  for (size_t i = 0; i < sizeof kVerbs / sizeof *kVerbs; ++i)
    if (dlvsym(library, kVerbs[i][0], kVerbs[i][1]) == NULL) return -3;
  return devices((list*)dlsym(library, "ibv_get_device_list"));
}

int main(int argc, char** argv) {
  static const int kFlags[] = {RTLD_NOW, RTLD_LAZY, RTLD_NOW | RTLD_GLOBAL, RTLD_NOW | RTLD_DEEPBIND};
  for (int i = 1; i < argc; ++i) {
    printf("%s:", argv[i]);
    for (size_t f = 0; f < sizeof kFlags / sizeof *kFlags; ++f)
      printf(" %d", found_in(dlopen(argv[i], kFlags[f]), argv[i]));
    printf(" %d\n", found_in(dlmopen(LM_ID_NEWLM, argv[i], RTLD_NOW), argv[i]));
  }
  printf("own: %d\n", devices((list*)dlsym(RTLD_DEFAULT, "ibv_get_device_list")));
  return 0;
}
