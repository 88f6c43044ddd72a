// A program with unreliable QPs (and one pair of reliable ones), the messages of which get lost in the way that its
// argument names.
#include "pair.h"

// A datagram of the first `length` bytes of the buffer.
static enum ibv_wc_status send_datagram(enum ibv_wr_opcode opcode, uint32_t length, uint32_t qpn,
                                        uint32_t qkey) {
  struct ibv_ah_attr attr = to_ourselves();
  struct ibv_ah* ah = ibv_create_ah(pd, &attr);
  CHECK(ah);
  struct ibv_sge sge = {.addr = (uintptr_t)buffer, .length = length, .lkey = mr->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 7, .sg_list = &sge, .num_sge = 1, .opcode = opcode};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.ud.ah = ah;
  wr.wr.ud.remote_qpn = qpn;
  wr.wr.ud.remote_qkey = qkey;
  if (opcode != IBV_WR_SEND) {
    wr.wr.rdma.remote_addr = 0x10;  // no address handle
    wr.wr.rdma.rkey = mr->rkey;
  }
  CHECK(!ibv_post_send(a, &wr, &bad));
  const enum ibv_wc_status status = poll_one(cq_a);
  CHECK(!ibv_destroy_ah(ah));
  return status;
}

static void other_operation(void) {
  CHECK(send_datagram(IBV_WR_RDMA_WRITE, 64, b->qp_num, kQkey) == IBV_WC_LOC_QP_OP_ERR);
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    enum ibv_qp_type type;
    void (*lose)(void);
  } losses[] = {
      {"ud-opcode", IBV_QPT_UD, other_operation},
  };
  for (size_t i = 0; argc == 2 && i < sizeof losses / sizeof *losses; ++i) {
    if (strcmp(argv[1], losses[i].name) != 0) continue;
    qp_type = losses[i].type;
    open_all(64);
    connect_both();
    losses[i].lose();
    close_all();
    return 0;
  }
  return 2;
}
