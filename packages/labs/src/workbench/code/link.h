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

// Ends the program if a call failed.
static inline void must(int worked, const char* call) {
  if (worked) return;
  perror(call);
  exit(1);
}

// Both ends of a connection in one process. Between two hosts, each would have its own end, and they would
// exchange QPN, PSN and GID over TCP.
struct link {
  struct ibv_context* device;
  struct ibv_pd* pd;
  struct ibv_cq *client_cq, *server_cq;
  struct ibv_qp *client, *server;
};

static inline struct ibv_context* open_first_device(void) {
  struct ibv_device** list = ibv_get_device_list(NULL);
  must(list && list[0], "ibv_get_device_list");
  struct ibv_context* device = ibv_open_device(list[0]);
  must(device != NULL, "ibv_open_device");
  ibv_free_device_list(list);
  return device;
}

// The GID table has an entry for each address and RoCE version. Take RoCE v2 with an IPv4 address.
static inline int find_gid(struct ibv_context* device, union ibv_gid* gid) {
  struct ibv_gid_entry table[64];
  for (int i = 0, count = ibv_query_gid_table(device, table, 64, 0); i < count; i++) {
    *gid = table[i].gid;
    if (table[i].gid_type == IBV_GID_TYPE_ROCE_V2 && IN6_IS_ADDR_V4MAPPED((struct in6_addr*)gid->raw))
      return table[i].gid_index;
  }
  must(0, "find_gid");
  return -1;
}

static inline struct ibv_qp* create_qp(struct ibv_pd* pd, struct ibv_cq* cq) {
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq};
  init.cap =
      (struct ibv_qp_cap){.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1};
  struct ibv_qp* qp = ibv_create_qp(pd, &init);
  must(qp != NULL, "ibv_create_qp");
  return qp;
}

// RESET to INIT to RTR to RTS. `max_rd_atomic`: READs and atomics that may be under way at once.
static inline void connect_qp(struct ibv_qp* qp, uint32_t peer, int min_rnr_timer, int max_rd_atomic) {
  struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = EVERY_ACCESS};
  must(ibv_modify_qp(qp, &init,
                     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0,
       "RESET to INIT");

  struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer};
  rtr.rq_psn = PSN;
  rtr.max_dest_rd_atomic = max_rd_atomic;
  rtr.min_rnr_timer = min_rnr_timer;
  rtr.ah_attr = (struct ibv_ah_attr){.is_global = 1, .port_num = PORT};
  rtr.ah_attr.grh.hop_limit = 64;
  rtr.ah_attr.grh.sgid_index = find_gid(qp->context, &rtr.ah_attr.grh.dgid);
  must(ibv_modify_qp(qp, &rtr,
                     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0,
       "INIT to RTR");

  // Waits 67 ms for an ACK, and retries seven times. Retries forever after an RNR NAK.
  struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7};
  rts.sq_psn = PSN;
  rts.max_rd_atomic = max_rd_atomic;
  must(ibv_modify_qp(qp, &rts,
                     IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                         IBV_QP_MAX_QP_RD_ATOMIC) == 0,
       "RTR to RTS");
}

static inline struct link open_link(int min_rnr_timer, int max_rd_atomic) {
  struct link l = {.device = open_first_device()};
  l.pd = ibv_alloc_pd(l.device);
  must(l.pd != NULL, "ibv_alloc_pd");
  l.client_cq = ibv_create_cq(l.device, 16, NULL, NULL, 0);
  l.server_cq = ibv_create_cq(l.device, 16, NULL, NULL, 0);
  must(l.client_cq && l.server_cq, "ibv_create_cq");
  l.client = create_qp(l.pd, l.client_cq);
  l.server = create_qp(l.pd, l.server_cq);
  connect_qp(l.client, l.server->qp_num, min_rnr_timer, max_rd_atomic);
  connect_qp(l.server, l.client->qp_num, min_rnr_timer, max_rd_atomic);
  return l;
}

// Each object before the objects that it was created from.
static inline void close_link(struct link* l) {
  must(ibv_destroy_qp(l->client) == 0 && ibv_destroy_qp(l->server) == 0, "ibv_destroy_qp");
  must(ibv_destroy_cq(l->client_cq) == 0 && ibv_destroy_cq(l->server_cq) == 0, "ibv_destroy_cq");
  must(ibv_dealloc_pd(l->pd) == 0, "ibv_dealloc_pd");
  must(ibv_close_device(l->device) == 0, "ibv_close_device");
}

// Polls until the next completion. It must be a success.
static inline struct ibv_wc next_completion(struct ibv_cq* cq) {
  struct ibv_wc wc;
  int found;
  while ((found = ibv_poll_cq(cq, 1, &wc)) == 0) continue;
  must(found == 1, "ibv_poll_cq");
  if (wc.status == IBV_WC_SUCCESS) return wc;
  fprintf(stderr, "request %d failed: %s\n", (int)wc.wr_id, ibv_wc_status_str(wc.status));
  exit(1);
}
