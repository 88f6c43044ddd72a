// A queue pair goes from RESET to RTS; each step first makes a mistake, which the device refuses.
#include <errno.h>

#include "common.h"

static const char* state_of(struct ibv_qp* qp) {
  static const char* const names[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
  struct ibv_qp_attr attr;
  struct ibv_qp_init_attr init;
  check(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init), "ibv_query_qp");
  return names[attr.qp_state];
}

static void change(const char* what, struct ibv_qp* qp, struct ibv_qp_attr attr, int mask) {
  int error = ibv_modify_qp(qp, &attr, mask);
  printf("%-28s %-7s state %s\n", what,
         error == 0        ? "ok"
         : error == EINVAL ? "EINVAL"
                           : strerror(error),
         state_of(qp));
}

int main(void) {
  struct device d = open_device();
  struct ibv_cq* cq = create_cq(&d, 16);
  struct ibv_qp* qp = create_qp(&d, cq, IBV_QPT_RC, 16);
  struct ibv_qp* peer = create_qp(&d, cq, IBV_QPT_RC, 16);
  printf("%-28s %-7s state %s\n", "a new queue pair", "", state_of(qp));

  // INIT needs the port, the partition key and what the peer may do.
  struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = REMOTE_ACCESS};
  int init_mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
  change("RESET to INIT without a port", qp, init, init_mask & ~IBV_QP_PORT);
  change("RESET to INIT", qp, init, init_mask);

  // RTR needs the peer: where it is, its QPN, its first PSN. From here on the queue pair can receive.
  struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = d.mtu, .dest_qp_num = peer->qp_num};
  rtr.rq_psn = PSN;
  rtr.max_dest_rd_atomic = 1;
  rtr.min_rnr_timer = 12;
  rtr.ah_attr = (struct ibv_ah_attr){.is_global = 1, .port_num = PORT};
  rtr.ah_attr.grh = (struct ibv_global_route){.dgid = d.gid, .sgid_index = d.gid_index, .hop_limit = 64};
  int rtr_mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                 IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  // RTS needs the queue pair's own first PSN and the retry settings. From here on the queue pair can send.
  struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .sq_psn = PSN, .max_rd_atomic = 1};
  rts.timeout = 14;
  rts.retry_cnt = 7;
  rts.rnr_retry = 7;
  int rts_mask = IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                 IBV_QP_MAX_QP_RD_ATOMIC;

  change("INIT to RTS, past RTR", qp, rts, rts_mask);
  change("INIT to RTR without a QPN", qp, rtr, rtr_mask & ~IBV_QP_DEST_QPN);
  change("INIT to RTR", qp, rtr, rtr_mask);
  change("RTR to RTS without a timeout", qp, rts, rts_mask & ~IBV_QP_TIMEOUT);
  change("RTR to RTS", qp, rts, rts_mask);

  // Any state can go to ERR and to RESET, which forgets the connection.
  struct ibv_qp_attr error = {.qp_state = IBV_QPS_ERR}, reset = {.qp_state = IBV_QPS_RESET};
  change("RTS to ERR", qp, error, IBV_QP_STATE);
  change("ERR to RESET", qp, reset, IBV_QP_STATE);

  ibv_destroy_qp(qp);
  ibv_destroy_qp(peer);
  ibv_destroy_cq(cq);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
