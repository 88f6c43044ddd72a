// Facts that a device reports before you use it: limits, the port, the GID table. Then a queue beyond a
// limit.
#include <errno.h>
#include <net/if.h>

#include "common.h"

static int bytes_of(enum ibv_mtu mtu) { return 128 << mtu; }

static const char* type_of(uint32_t gid_type) {
  return gid_type == IBV_GID_TYPE_ROCE_V2   ? "RoCE v2"
         : gid_type == IBV_GID_TYPE_ROCE_V1 ? "RoCE v1"
                                            : "InfiniBand";
}

int main(void) {
  struct device d = open_device();
  printf("device %s\n", ibv_get_device_name(d.context->device));

  // Limits of what an object may ask for. Nothing is reserved.
  struct ibv_device_attr limits;
  check(ibv_query_device(d.context, &limits), "ibv_query_device");
  printf("queue pairs: %d, with up to %d work requests each\n", limits.max_qp, limits.max_qp_wr);
  printf("completion queues: %d, with up to %d entries each\n", limits.max_cq, limits.max_cqe);
  printf("memory regions: %d\n", limits.max_mr);
  printf("atomics: %s\n", limits.atomic_cap == IBV_ATOMIC_NONE ? "no" : "yes");

  struct ibv_port_attr port;
  check(ibv_query_port(d.context, PORT, &port), "ibv_query_port");
  printf("port %d: %s, %d bytes of payload per packet\n", PORT, ibv_port_state_str(port.state),
         bytes_of(port.active_mtu));

  // Each GID belongs to a network interface. A connection names its own GID by the index.
  for (int i = 0; i < port.gid_tbl_len; i++) {
    struct ibv_gid_entry entry;
    if (ibv_query_gid_ex(d.context, PORT, i, &entry, 0) != 0) continue;  // a free place in the table
    char text[INET6_ADDRSTRLEN], interface[IF_NAMESIZE] = "no interface";
    inet_ntop(AF_INET6, entry.gid.raw, text, sizeof text);
    if_indextoname(entry.ndev_ifindex, interface);
    printf("GID %d: %s, %s, %s\n", i, text, type_of(entry.gid_type), interface);
  }

  // Beyond a limit: the call fails, and nothing is created.
  struct ibv_cq* cq = create_cq(&d, 16);
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq};
  init.cap = (struct ibv_qp_cap){.max_send_wr = limits.max_qp_wr + 1, .max_send_sge = 1};
  struct ibv_qp* qp = ibv_create_qp(d.pd, &init);
  printf("a send queue of max_qp_wr + 1: %s\n", qp                ? "created"
                                                : errno == EINVAL ? "EINVAL"
                                                                  : strerror(errno));

  if (qp) ibv_destroy_qp(qp);
  check(ibv_destroy_cq(cq), "ibv_destroy_cq");
  close_device(&d);
  return 0;
}
