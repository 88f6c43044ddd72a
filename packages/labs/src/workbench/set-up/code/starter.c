// Two queue pairs in one process, connected to each other.
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORT 1
#define PSN 100
#define EVERY_ACCESS \
  (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

// To do: choose better values. GID index 0 may be empty: INIT to RTR then fails with EINVAL.
#define GID_INDEX 0
#define TIMEOUT 0
#define MIN_RNR_TIMER 0
#define MAX_RD_ATOMIC 0

// Ends the program if a call failed.
static void must(int worked, const char* call) {
  if (worked) return;
  perror(call);
  exit(1);
}

static struct ibv_qp* create_qp(struct ibv_pd* pd, struct ibv_cq* cq) {
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq};
  init.cap =
      (struct ibv_qp_cap){.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1};
  struct ibv_qp* qp = ibv_create_qp(pd, &init);
  must(qp != NULL, "ibv_create_qp");
  return qp;
}

static void connect_qp(struct ibv_qp* qp, uint32_t peer) {
  struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = EVERY_ACCESS};
  must(ibv_modify_qp(qp, &init,
                     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0,
       "RESET to INIT");

  struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer};
  rtr.rq_psn = PSN;
  rtr.max_dest_rd_atomic = MAX_RD_ATOMIC;
  rtr.min_rnr_timer = MIN_RNR_TIMER;
  rtr.ah_attr = (struct ibv_ah_attr){.is_global = 1, .port_num = PORT};
  rtr.ah_attr.grh.hop_limit = 64;
  rtr.ah_attr.grh.sgid_index = GID_INDEX;
  must(ibv_query_gid(qp->context, PORT, GID_INDEX, &rtr.ah_attr.grh.dgid) == 0, "ibv_query_gid");
  must(ibv_modify_qp(qp, &rtr,
                     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0,
       "INIT to RTR");

  // To do: go to RTS, with sq_psn, timeout, retry_cnt, rnr_retry and max_rd_atomic.
  printf("To do: take QP 0x%06x to RTS with timeout %d.\n", qp->qp_num, TIMEOUT);
}

int main(void) {
  struct ibv_device** list = ibv_get_device_list(NULL);
  must(list && list[0], "ibv_get_device_list");
  struct ibv_context* device = ibv_open_device(list[0]);
  must(device != NULL, "ibv_open_device");
  ibv_free_device_list(list);

  struct ibv_pd* pd = ibv_alloc_pd(device);
  struct ibv_cq* client_cq = ibv_create_cq(device, 16, NULL, NULL, 0);
  struct ibv_cq* server_cq = ibv_create_cq(device, 16, NULL, NULL, 0);
  must(pd && client_cq && server_cq, "ibv_alloc_pd, ibv_create_cq");
  struct ibv_qp* client = create_qp(pd, client_cq);
  struct ibv_qp* server = create_qp(pd, server_cq);
  connect_qp(client, server->qp_num);
  connect_qp(server, client->qp_num);

  // Each object before the objects that it was created from.
  must(ibv_destroy_qp(client) == 0 && ibv_destroy_qp(server) == 0, "ibv_destroy_qp");
  must(ibv_destroy_cq(client_cq) == 0 && ibv_destroy_cq(server_cq) == 0, "ibv_destroy_cq");
  must(ibv_dealloc_pd(pd) == 0, "ibv_dealloc_pd");
  must(ibv_close_device(device) == 0, "ibv_close_device");
  return 0;
}
