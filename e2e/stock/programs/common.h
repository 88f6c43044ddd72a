/* Helpers of the small programs here: opening, connecting, giving up. */
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, strerror(errno)); \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

static inline struct ibv_context* open_first(void) {
  int n = 0;
  struct ibv_device** list = ibv_get_device_list(&n);
  CHECK(list != NULL && n > 0);
  struct ibv_context* context = ibv_open_device(list[0]);
  CHECK(context != NULL);
  ibv_free_device_list(list);
  return context;
}

/*
 * Takes a queue pair from RESET to RTS, towards one on the device's own address. ACK timeout: 4.096 us *
 * 2^timeout; 0: none.
 */
static inline void connect_within(struct ibv_qp* qp, uint32_t peer, uint8_t timeout) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT,
                             .port_num = 1,
                             .qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ};
  CHECK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0);
  attr = (struct ibv_qp_attr){
      .qp_state = IBV_QPS_RTR,
      .path_mtu = IBV_MTU_1024,
      .dest_qp_num = peer,
      .rq_psn = 7,
      .max_dest_rd_atomic = 4,
      .min_rnr_timer = 5,
      .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.sgid_index = 1, .hop_limit = 8}}};
  CHECK(ibv_query_gid(qp->context, 1, 1, &attr.ah_attr.grh.dgid) == 0);
  CHECK(ibv_modify_qp(qp, &attr,
                      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS,
                              .timeout = timeout,
                              .retry_cnt = 7,
                              .rnr_retry = 7,
                              .sq_psn = 7,
                              .max_rd_atomic = 4};
  CHECK(ibv_modify_qp(qp, &attr,
                      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                          IBV_QP_MAX_QP_RD_ATOMIC) == 0);
}

static inline void connect_to(struct ibv_qp* qp, uint32_t peer) { connect_within(qp, peer, 14); }

/* Blocks until this completion queue has an event, acknowledges it and asks for the next one. */
static inline void wait_for(struct ibv_comp_channel* channel) {
  struct ibv_cq* cq;
  void* unused;
  CHECK(ibv_get_cq_event(channel, &cq, &unused) == 0);
  ibv_ack_cq_events(cq, 1);
  CHECK(ibv_req_notify_cq(cq, 0) == 0);
}

/* Recurses until the stack overflows. The argument's first character is not 0. */
__attribute__((noinline, unused)) static int overflow(const volatile char* above) {
  volatile char here[4096];
  here[0] = above[0];
  return here[0] == 0 ? 0 : overflow(here) + here[0];
}
