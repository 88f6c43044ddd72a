/*
 * later: functions that the libraries got after rdma-core 44, as a program sees them that loads the libraries itself. Each
 * argument is a function with its version ("ibv_reg_mr_ex@IBVERBS_1.15"): prints those that are not found. Then it calls
 * what the device has of them, and prints what came back.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mr_init_attr {
  size_t length;
  int access;
  uint64_t comp_mask, iova;
  void* addr;
  int fd;
  uint64_t fd_offset;
  void *dmah, *buf;
};

static void* g_verbs;
static void* g_cm;

static void* found(const char* name) {
  char* copy = strdup(name);
  char* version = strchr(copy, '@');
  *version++ = '\0';
  void* function = dlvsym(*version == 'R' ? g_cm : g_verbs, copy, version);
  if (function == NULL) printf("missing %s\n", name);
  free(copy);
  return function;
}

static void memory(struct ibv_context* context) {
  static char bytes[4096];
  struct ibv_mr* (*reg)(struct ibv_pd*, struct mr_init_attr*) = found("ibv_reg_mr_ex@IBVERBS_1.15");
  struct ibv_pd* pd = ibv_alloc_pd(context);
  struct mr_init_attr attr = {.length = sizeof bytes, .access = 1, .comp_mask = 2, .addr = bytes};
  struct ibv_mr* mr = reg(pd, &attr);
  printf("registered %d %d\n", mr != NULL && mr->addr == bytes && mr->length == sizeof bytes,
         mr != NULL ? ibv_dereg_mr(mr) : -1);
  attr.comp_mask = 3, attr.iova = 0x10000;
  mr = reg(pd, &attr);
  printf("with iova %d %d\n", mr != NULL, mr != NULL ? ibv_dereg_mr(mr) : -1);
  attr.comp_mask = 4, attr.fd = 0;
  mr = reg(pd, &attr);
  printf("from a descriptor %d %s\n", mr != NULL, strerrorname_np(errno));
  attr.comp_mask = 1 << 20;
  mr = reg(pd, &attr);
  printf("unknown %d %s\n", mr != NULL, strerrorname_np(errno));
  ibv_dealloc_pd(pd);
}

static void speed(struct ibv_context* context) {
  int (*query)(struct ibv_context*, uint32_t, uint64_t*) = found("ibv_query_port_speed@IBVERBS_1.16");
  uint64_t value = 0;
  const int error = query(context, 1, &value);
  printf("speed %d %d, port 257: %s\n", error, (int)value, strerrorname_np(query(context, 257, &value)));
}

static void events(void) {
  int (*resolve)(struct rdma_cm_id*, const char*, const char*, const struct rdma_addrinfo*) =
      found("rdma_resolve_addrinfo@RDMACM_1.4");
  int (*query)(struct rdma_cm_id*, struct rdma_addrinfo**) = found("rdma_query_addrinfo@RDMACM_1.4");
  int (*write_event)(struct rdma_cm_id*, int, int, uint64_t) = found("rdma_write_cm_event@RDMACM_1.4");
  struct rdma_event_channel* channel = rdma_create_event_channel();
  struct rdma_cm_id* id = NULL;
  struct rdma_cm_event* event = NULL;
  struct rdma_addrinfo* info = NULL;
  const struct rdma_addrinfo hints = {.ai_flags = 0x20, .ai_port_space = RDMA_PS_TCP};
  rdma_create_id(channel, &id, NULL, RDMA_PS_TCP);
  const int early = query(id, &info);
  printf("too early %d %s\n", early, strerrorname_np(errno));
  const int unknown = resolve(id, "no-such-host.invalid", "7471", &hints);
  printf("unknown host %d %s\n", unknown, strerrorname_np(errno));
  printf("resolve %d", resolve(id, "127.0.0.1", "7471", &hints));
  const int twice = resolve(id, "127.0.0.1", "7471", &hints);
  printf(", again %d %s\n", twice, strerrorname_np(errno));
  rdma_get_cm_event(channel, &event);
  printf("%s %d\n", rdma_event_str(event->event), event->status);
  rdma_ack_cm_event(event);
  const int taken = query(id, &info);
  printf("found %d %d\n", taken, info != NULL && info->ai_dst_len == 16);
  if (info != NULL) rdma_freeaddrinfo(info);
  printf("write %d", write_event(id, 18, -7, 0x123456789abcdefULL));
  rdma_get_cm_event(channel, &event);
  uint64_t arg;
  memcpy(&arg, &event->param, sizeof arg);
  printf(" %s %d %d %llx\n", rdma_event_str(event->event), event->status, event->id == id, (unsigned long long)arg);
  rdma_ack_cm_event(event);
  const int other = write_event(id, RDMA_CM_EVENT_ESTABLISHED, 0, 0);
  printf("other %d %s\n", other, strerrorname_np(errno));
  // Destroying the ID frees a result that was never fetched.
  resolve(id, "127.0.0.1", "7471", NULL);
  rdma_destroy_id(id);
  rdma_destroy_event_channel(channel);
}

int main(int argc, char** argv) {
  g_verbs = dlopen("libibverbs.so.1", RTLD_NOW);
  g_cm = dlopen("librdmacm.so.1", RTLD_NOW);
  for (int i = 1; i < argc; ++i) found(argv[i]);
  struct ibv_device** devices = ibv_get_device_list(NULL);
  struct ibv_context* context = ibv_open_device(devices[0]);
  ibv_free_device_list(devices);
  memory(context);
  speed(context);
  events();
  ibv_close_device(context);
  return 0;
}
