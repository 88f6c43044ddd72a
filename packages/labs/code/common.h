// Helpers that the programs share: an open device, and the two ends of a connection in one process.
// Two processes would exchange qp_num, PSN and GID over a TCP socket; the calls stay the same.
#pragma once
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORT 1
#define PSN 100
#define REMOTE_ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

static inline void fail(const char* message) {
  fprintf(stderr, "%s\n", message);
  exit(1);
}

// Ends the program when a call fails. `ok` must be true.
static inline void need(int ok, const char* call) {
  if (ok) return;
  perror(call);
  exit(1);
}

// Ends the program when a call that returns 0 or an errno fails.
static inline void check(int error, const char* call) {
  if (error == 0) return;
  fprintf(stderr, "%s: %s\n", call, strerror(error));
  exit(1);
}

struct device {
  struct ibv_context* context;
  struct ibv_pd* pd;
  union ibv_gid gid;
  int gid_index;
  enum ibv_mtu mtu;
};

static inline struct device open_device(void) {
  struct device d = {0};
  struct ibv_device** list = ibv_get_device_list(NULL);
  need(list != NULL, "ibv_get_device_list");
  if (!list[0]) fail("There is no RDMA device. Start the program by npx verbslab exec.");
  d.context = ibv_open_device(list[0]);
  need(d.context != NULL, "ibv_open_device");
  ibv_free_device_list(list);
  struct ibv_port_attr port;
  check(ibv_query_port(d.context, PORT, &port), "ibv_query_port");
  d.mtu = port.active_mtu;
  // A port has a GID for each address and RoCE version. Take the first IPv4 address with version 2.
  for (d.gid_index = 0; d.gid_index < port.gid_tbl_len; d.gid_index++) {
    struct ibv_gid_entry entry;
    if (ibv_query_gid_ex(d.context, PORT, d.gid_index, &entry, 0) != 0) continue;
    d.gid = entry.gid;
    if (entry.gid_type == IBV_GID_TYPE_ROCE_V2 && IN6_IS_ADDR_V4MAPPED((struct in6_addr*)d.gid.raw)) break;
  }
  if (d.gid_index == port.gid_tbl_len)
    fail("The port has no RoCE v2 GID with an IPv4 address. Give its interface one.");
  d.pd = ibv_alloc_pd(d.context);
  need(d.pd != NULL, "ibv_alloc_pd");
  return d;
}

static inline struct ibv_cq* create_cq(struct device* d, int depth) {
  struct ibv_cq* cq = ibv_create_cq(d->context, depth, NULL, NULL, 0);
  need(cq != NULL, "ibv_create_cq");
  return cq;
}

static inline struct ibv_qp* create_qp(struct device* d, struct ibv_cq* cq, enum ibv_qp_type type,
                                       int depth) {
  struct ibv_qp_init_attr init = {.qp_type = type, .send_cq = cq, .recv_cq = cq};
  init.cap = (struct ibv_qp_cap){.max_send_wr = depth,
                                 .max_recv_wr = depth,
                                 .max_send_sge = 1,
                                 .max_recv_sge = 1,
                                 .max_inline_data = 64};
  struct ibv_qp* qp = ibv_create_qp(d->pd, &init);
  need(qp != NULL, "ibv_create_qp");
  return qp;
}

// The path from our GID to the peer's GID.
static inline struct ibv_ah_attr way_to(const struct device* d, union ibv_gid gid) {
  struct ibv_ah_attr way = {.is_global = 1, .port_num = PORT};
  way.grh = (struct ibv_global_route){.dgid = gid, .sgid_index = d->gid_index, .hop_limit = 64};
  return way;
}

// ACK timeout and retry limits of an RC queue pair.
struct retries {
  uint8_t timeout;        // waits 4.096 us x 2^timeout for an ACK
  uint8_t retry_cnt;      // retries without an ACK
  uint8_t rnr_retry;      // retries after an RNR NAK; 7 means forever
  uint8_t min_rnr_timer;  // wait of the peer after our RNR NAK: an index, 12 means 0.64 ms
};
// Seven retries, 67 ms apart. Retries forever after an RNR NAK.
#define RETRIES ((struct retries){.timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .min_rnr_timer = 12})

// Moves an RC queue pair from RESET to RTS, with `dest_qpn` on the same port as its peer. The queue pair
// allows all remote accesses. Each region has its own rights.
static inline void connect_rc_with(struct device* d, struct ibv_qp* qp, uint32_t dest_qpn,
                                   struct retries retries) {
  struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = PORT};
  init.qp_access_flags = REMOTE_ACCESS | IBV_ACCESS_REMOTE_ATOMIC;
  check(ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
        "RESET to INIT");
  struct ibv_qp_attr rtr = {
      .qp_state = IBV_QPS_RTR, .path_mtu = d->mtu, .dest_qp_num = dest_qpn, .rq_psn = PSN};
  rtr.max_dest_rd_atomic = 1;
  rtr.min_rnr_timer = retries.min_rnr_timer;
  rtr.ah_attr = way_to(d, d->gid);
  check(ibv_modify_qp(qp, &rtr,
                      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
        "INIT to RTR");
  struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .sq_psn = PSN, .max_rd_atomic = 1};
  rts.timeout = retries.timeout;
  rts.retry_cnt = retries.retry_cnt;
  rts.rnr_retry = retries.rnr_retry;
  check(ibv_modify_qp(qp, &rts,
                      IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                          IBV_QP_MAX_QP_RD_ATOMIC),
        "RTR to RTS");
}

static inline void connect_rc_rnr(struct device* d, struct ibv_qp* qp, uint32_t dest_qpn, uint8_t rnr_retry) {
  struct retries retries = RETRIES;
  retries.rnr_retry = rnr_retry;
  connect_rc_with(d, qp, dest_qpn, retries);
}

static inline void connect_rc(struct device* d, struct ibv_qp* qp, uint32_t dest_qpn) {
  connect_rc_with(d, qp, dest_qpn, RETRIES);
}

// Takes a UD queue pair to RTS. It has no peer: INIT takes a Q_Key, RTR nothing, RTS a first PSN.
static inline void activate_ud(struct ibv_qp* qp, uint32_t qkey) {
  struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = PORT, .qkey = qkey};
  check(ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY),
        "RESET to INIT");
  struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR};
  check(ibv_modify_qp(qp, &rtr, IBV_QP_STATE), "INIT to RTR");
  struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .sq_psn = PSN};
  check(ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_SQ_PSN), "RTR to RTS");
}

static inline struct ibv_mr* register_memory(struct device* d, void* memory, size_t length, int access) {
  struct ibv_mr* mr = ibv_reg_mr(d->pd, memory, length, access);
  need(mr != NULL, "ibv_reg_mr");
  return mr;
}

// Polls until the next completion. Its status says whether the request succeeded.
static inline struct ibv_wc next_completion(struct ibv_cq* cq) {
  struct ibv_wc wc;
  int n;
  while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) continue;
  need(n == 1, "ibv_poll_cq");
  return wc;
}

// Polls until the next completion. Ends the program if its request failed.
static inline struct ibv_wc next_success(struct ibv_cq* cq) {
  struct ibv_wc wc = next_completion(cq);
  if (wc.status == IBV_WC_SUCCESS) return wc;
  fprintf(stderr, "request %llu failed: %s\n", (unsigned long long)wc.wr_id, ibv_wc_status_str(wc.status));
  exit(1);
}

// Posts a request to send. `remote` is the peer's region, or NULL for a SEND.
static inline int post(struct ibv_qp* qp, enum ibv_wr_opcode opcode, uint64_t id, struct ibv_sge local,
                       const struct ibv_mr* remote, unsigned flags) {
  struct ibv_send_wr *bad, wr = {.wr_id = id, .opcode = opcode, .sg_list = &local, .num_sge = 1};
  wr.send_flags = flags;
  if (remote) {
    wr.wr.rdma.remote_addr = (uintptr_t)remote->addr;
    wr.wr.rdma.rkey = remote->rkey;
  }
  return ibv_post_send(qp, &wr, &bad);
}

// A piece of a registered region.
static inline struct ibv_sge piece(const struct ibv_mr* mr, size_t offset, uint32_t length) {
  return (struct ibv_sge){.addr = (uintptr_t)mr->addr + offset, .length = length, .lkey = mr->lkey};
}

static inline void post_recv(struct ibv_qp* qp, uint64_t id, struct ibv_sge local) {
  struct ibv_recv_wr *bad, wr = {.wr_id = id, .sg_list = &local, .num_sge = 1};
  check(ibv_post_recv(qp, &wr, &bad), "ibv_post_recv");
}

// An end of a connection, for programs with several.
struct end {
  char memory[8192];
  struct ibv_mr* mr;
  struct ibv_cq* cq;
  struct ibv_qp* qp;
};

// `access`: what the device may do with its memory.
static inline void open_end(struct device* d, struct end* e, enum ibv_qp_type type, int access) {
  e->mr = register_memory(d, e->memory, sizeof e->memory, access);
  e->cq = create_cq(d, 64);
  e->qp = create_qp(d, e->cq, type, 64);
}

static inline void connect_ends(struct device* d, struct end* a, struct end* b) {
  connect_rc(d, a->qp, b->qp->qp_num);
  connect_rc(d, b->qp, a->qp->qp_num);
}

static inline void close_end(struct end* e) {
  check(ibv_destroy_qp(e->qp), "ibv_destroy_qp");
  check(ibv_destroy_cq(e->cq), "ibv_destroy_cq");
  check(ibv_dereg_mr(e->mr), "ibv_dereg_mr");
}

static inline void close_device(struct device* d) {
  check(ibv_dealloc_pd(d->pd), "ibv_dealloc_pd");
  check(ibv_close_device(d->context), "ibv_close_device");
}
