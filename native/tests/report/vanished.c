// A program with unreliable QPs (and one pair of reliable ones) whose messages get lost in the way that its
// argument names.
#include "pair.h"

static const char* destination;  // where datagrams go; null: ourselves

// A datagram of the first `length` bytes of the buffer.
static enum ibv_wc_status send_datagram(enum ibv_wr_opcode opcode, uint32_t length, uint32_t qpn,
                                        uint32_t qkey) {
  struct ibv_ah_attr attr = to_ourselves();
  if (destination) CHECK(inet_pton(AF_INET, destination, &attr.grh.dgid.raw[12]) == 1);
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

// Sends a second message, which shows that the QP goes on, and that no receive was lost. Messages of one
// process are handled in order, so the first one is done when the second one arrives.
static void send_good(void) {
  CHECK(!post_recv_of(b, mr, 1024));
  CHECK(send_datagram(IBV_WR_SEND, 64, b->qp_num, kQkey) == IBV_WC_SUCCESS);
  CHECK(poll_one(cq_b) == IBV_WC_SUCCESS);
}

static void other_operation(void) {
  CHECK(send_datagram(IBV_WR_RDMA_WRITE, 64, b->qp_num, kQkey) == IBV_WC_LOC_QP_OP_ERR);
}

static void wait_for(const char* name, uint64_t count) {
  struct ibv_wc wc;
  for (;;) {
    struct uroce_counter counters[128];
    uint32_t n = 128;
    CHECK(!uroce_query_counters(context, counters, &n));
    for (uint32_t i = 0; i < n; ++i) {
      if (strcmp(counters[i].name, name) == 0 && counters[i].value >= count) return;
    }
    CHECK(ibv_poll_cq(cq_b, 1, &wc) == 0);
  }
}

static void no_room_for_grh(void) {
  CHECK(!post_recv(b, mr));  // 64 bytes
  CHECK(send_datagram(IBV_WR_SEND, 64, b->qp_num, kQkey) == IBV_WC_SUCCESS);
  CHECK(send_datagram(IBV_WR_SEND, 64, b->qp_num, kQkey) == IBV_WC_SUCCESS);
  wait_for("dropped_messages", 2);
}

static void no_receive(void) {
  CHECK(send_datagram(IBV_WR_SEND, 64, b->qp_num, kQkey) == IBV_WC_SUCCESS);
  wait_for("out_of_buffer", 1);
}

static void wrong_qkey(void) {
  CHECK(!post_recv_of(b, mr, 1024));
  CHECK(send_datagram(IBV_WR_SEND, 64, b->qp_num, 5) == IBV_WC_SUCCESS);
  wait_for("qkey_violations", 1);
}

static void too_long(void) {
  static char large[8192];
  struct ibv_mr* whole = ibv_reg_mr(pd, large, sizeof large, 0);
  CHECK(whole);
  struct ibv_ah_attr attr = to_ourselves();
  struct ibv_ah* ah = ibv_create_ah(pd, &attr);
  struct ibv_sge sge = {.addr = (uintptr_t)large, .length = 5000, .lkey = whole->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 8, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.ud.ah = ah;
  wr.wr.ud.remote_qpn = b->qp_num;
  wr.wr.ud.remote_qkey = kQkey;
  CHECK(ah && !ibv_post_send(a, &wr, &bad) && poll_one(cq_a) == IBV_WC_SUCCESS);
  CHECK(!ibv_destroy_ah(ah) && !ibv_dereg_mr(whole));
}

// The number that the next QP of the process would get: a number of this process, without a QP.
static void wrong_qpn(void) {
  const uint32_t next = (b->qp_num & ~0xfffu) | ((b->qp_num + 5) & 0xfff);
  CHECK(send_datagram(IBV_WR_SEND, 64, next, kQkey) == IBV_WC_SUCCESS);
  send_good();
}

// A number in a block that no process has.
enum { kNobody = 0xabc005 };

static void to_number(uint32_t qpn) {
  CHECK(send_datagram(IBV_WR_SEND, 64, qpn, kQkey) == IBV_WC_SUCCESS);
  send_good();
}
static void nobody(void) { to_number(kNobody); }
static void management(void) { to_number(1); }
static void multicast(void) { to_number(0xffffff); }

// An address of this host that no process has.
static void elsewhere(void) {
  destination = "127.0.0.92";
  CHECK(send_datagram(IBV_WR_SEND, 64, kNobody, kQkey) == IBV_WC_SUCCESS);
  destination = NULL;
  send_good();
}

static void to_group(void) {
  destination = "239.1.2.3";
  CHECK(send_datagram(IBV_WR_SEND, 64, b->qp_num, kQkey) == IBV_WC_SUCCESS);
  destination = NULL;
  send_good();
}

// The number of a QP of another type, in RTR and in INIT.
static void other_type(enum ibv_qp_type type) {
  const enum ibv_qp_type own = qp_type;
  qp_type = type;
  struct ibv_qp* other = make_qp(cq_b);
  CHECK(other);
  to_init(other);
  struct ibv_qp_attr attr = rtr_attr(other, a);
  const int only_rc = IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  CHECK(!ibv_modify_qp(other, &attr,
                       type == IBV_QPT_UD   ? IBV_QP_STATE
                       : type == IBV_QPT_UC ? kToRtr & ~only_rc
                                            : kToRtr));
  qp_type = own;
  if (own == IBV_QPT_UD) {
    CHECK(send_datagram(IBV_WR_SEND, 64, other->qp_num, kQkey) == IBV_WC_SUCCESS);
  } else {
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RESET};
    CHECK(!ibv_modify_qp(a, &attr, IBV_QP_STATE));
    to_init(a), to_rts(a, other);
    CHECK(!post_send((uintptr_t)buffer, 8, IBV_SEND_SIGNALED));
    CHECK(poll_one(cq_a) == (own == IBV_QPT_UC ? IBV_WC_SUCCESS : IBV_WC_RETRY_EXC_ERR));
  }
  wait_for("wrong_transport_pkts", 1);
  CHECK(!ibv_destroy_qp(other));
}
static void to_rc(void) { other_type(IBV_QPT_RC); }
static void to_ud(void) { other_type(IBV_QPT_UD); }

static void connect_to_nobody(void) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
  CHECK(!ibv_modify_qp(a, &attr, IBV_QP_STATE));
  struct ibv_qp none = {.qp_num = kNobody};
  to_init(a);
  to_rts(a, &none);
}

static void uc_nobody(void) {
  connect_to_nobody();
  CHECK(!post_write(IBV_SEND_SIGNALED) && poll_one(cq_a) == IBV_WC_SUCCESS);
}

static void rc_nobody(void) {
  timeout = 8;
  retry_cnt = 2;
  connect_to_nobody();
  CHECK(!post_write(IBV_SEND_SIGNALED) && poll_one(cq_a) == IBV_WC_RETRY_EXC_ERR);
}

static void too_early(void) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
  CHECK(!ibv_modify_qp(b, &attr, IBV_QP_STATE));
  to_init(b);
  CHECK(send_datagram(IBV_WR_SEND, 64, b->qp_num, kQkey) == IBV_WC_SUCCESS);
  wait_for("wrong_state_pkts", 1);
}

static void uc_short(void) {
  CHECK(!post_recv(b, mr) && !post_send((uintptr_t)buffer, 65, IBV_SEND_SIGNALED));
  CHECK(poll_one(cq_a) == IBV_WC_SUCCESS);
  wait_for("dropped_messages", 1);
}

static void uc_no_receive(void) {
  CHECK(!post_send((uintptr_t)buffer, 8, IBV_SEND_SIGNALED) && poll_one(cq_a) == IBV_WC_SUCCESS);
  wait_for("out_of_buffer", 1);
}

static void uc_bad_rkey(void) {
  struct ibv_mr wrong = *mr, *right = mr;
  wrong.rkey ^= 0xff00;
  mr = &wrong;
  CHECK(!post_write(IBV_SEND_SIGNALED));
  mr = right;
  CHECK(poll_one(cq_a) == IBV_WC_SUCCESS);
  wait_for("dropped_messages", 1);
}

static void uc_write(uint64_t to, uint32_t rkey) {
  struct ibv_sge sge = {.addr = (uintptr_t)buffer, .length = 8, .lkey = mr->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 7, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = to;
  wr.wr.rdma.rkey = rkey;
  CHECK(!ibv_post_send(a, &wr, &bad) && poll_one(cq_a) == IBV_WC_SUCCESS);
}

// Two faults with one region, and two rkeys that are wrong in different ways.
static void uc_faults(void) {
  static char other[64];
  struct ibv_mr* small = ibv_reg_mr(pd, other, sizeof other, IBV_ACCESS_LOCAL_WRITE);
  CHECK(small);
  const uint64_t first = (uintptr_t)buffer;
  for (int i = 0; i < 3; ++i) uc_write(first + kSize - 4, mr->rkey);
  uc_write(first - 16, mr->rkey);
  uc_write((uintptr_t)other, small->rkey);
  for (int i = 0; i < 2; ++i) uc_write(first, small->rkey);
  uc_write(first, mr->rkey ^ 0xff00);
  uc_write(0x10, mr->rkey ^ 0xff00);
  wait_for("dropped_messages", 9);
  CHECK(!ibv_dereg_mr(small));
}

// The receiver expects a PSN that the sender reaches only later: earlier packets are taken for duplicates.
static void psn_behind(void) {
  CHECK(!post_recv(b, mr));
  CHECK(!post_send((uintptr_t)buffer, 64, IBV_SEND_SIGNALED) && poll_one(cq_a) == IBV_WC_SUCCESS);
  struct ibv_wc wc;
  CHECK(ibv_poll_cq(cq_b, 1, &wc) == 0);
}

// The receiver expects a PSN that is behind, or far ahead of, all that the sender has.
static void psn_never(void) {
  CHECK(!post_recv(b, mr));
  CHECK(!post_send((uintptr_t)buffer, 64, IBV_SEND_SIGNALED) && poll_one(cq_a) == IBV_WC_RETRY_EXC_ERR);
}

static void short_atomic(void) {
  struct ibv_sge sge = {.addr = (uintptr_t)buffer, .length = 4, .lkey = mr->lkey};
  struct ibv_send_wr *bad,
      wr = {.wr_id = 7, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD};
  wr.wr.atomic.remote_addr = (uintptr_t)buffer + 64;
  wr.wr.atomic.rkey = mr->rkey;
  CHECK(!ibv_post_send(a, &wr, &bad) && poll_one(cq_a) == IBV_WC_LOC_LEN_ERR);
}

// The peer goes away, and the sender has no timeout: the report comes before its program gives up.
static void no_timeout(void) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
  CHECK(!ibv_modify_qp(b, &attr, IBV_QP_STATE));
  CHECK(!post_write(IBV_SEND_SIGNALED));
  char said[1024];
  int ends[2];
  CHECK(!pipe(ends) && dup2(ends[1], STDERR_FILENO) >= 0);
  const ssize_t n = read(ends[0], said, sizeof said - 1);
  CHECK(n > 0);
  said[n] = 0;
  fputs(said, stdout);
  CHECK(strstr(said, "its timeout is 0: it waits forever"));
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    enum ibv_qp_type type;
    void (*lose)(void);
    uint32_t sq_psn, rq_psn;
  } losses[] = {
      {"ud-opcode", IBV_QPT_UD, other_operation, 0, 0},
      {"ud-grh", IBV_QPT_UD, no_room_for_grh, 0, 0},
      {"ud-no-receive", IBV_QPT_UD, no_receive, 0, 0},
      {"ud-qkey", IBV_QPT_UD, wrong_qkey, 0, 0},
      {"ud-mtu", IBV_QPT_UD, too_long, 0, 0},
      {"ud-qpn", IBV_QPT_UD, wrong_qpn, 0, 0},
      {"ud-early", IBV_QPT_UD, too_early, 0, 0},
      {"ud-nobody", IBV_QPT_UD, nobody, 0, 0},
      {"ud-elsewhere", IBV_QPT_UD, elsewhere, 0, 0},
      {"ud-management", IBV_QPT_UD, management, 0, 0},
      {"ud-multicast", IBV_QPT_UD, multicast, 0, 0},
      {"ud-group", IBV_QPT_UD, to_group, 0, 0},
      {"ud-to-rc", IBV_QPT_UD, to_rc, 0, 0},
      {"uc-to-rc", IBV_QPT_UC, to_rc, 0, 0},
      {"uc-to-ud", IBV_QPT_UC, to_ud, 0, 0},
      {"rc-to-ud", IBV_QPT_RC, to_ud, 0, 0},
      {"uc-nobody", IBV_QPT_UC, uc_nobody, 0, 0},
      {"rc-nobody", IBV_QPT_RC, rc_nobody, 0, 0},
      {"uc-short", IBV_QPT_UC, uc_short, 0, 0},
      {"uc-no-receive", IBV_QPT_UC, uc_no_receive, 0, 0},
      {"uc-rkey", IBV_QPT_UC, uc_bad_rkey, 0, 0},
      {"uc-faults", IBV_QPT_UC, uc_faults, 0, 0},
      {"psn-behind", IBV_QPT_RC, psn_behind, 0, 1},
      {"psn-asked", IBV_QPT_RC, psn_never, 100, 50},
      {"psn-asked-far", IBV_QPT_RC, psn_never, 0x900000, 0x400000},
      {"psn-acknowledged", IBV_QPT_RC, psn_never, 0, 5000},
      {"atomic", IBV_QPT_RC, short_atomic, 0, 0},
      {"timeout", IBV_QPT_RC, no_timeout, 0, 0},
  };
  for (size_t i = 0; argc == 2 && i < sizeof losses / sizeof *losses; ++i) {
    if (strcmp(argv[1], losses[i].name) != 0) continue;
    qp_type = losses[i].type;
    sq_psn = losses[i].sq_psn;
    rq_psn = losses[i].rq_psn;
    timeout = losses[i].lose == no_timeout  ? 0
              : losses[i].lose == psn_never ? 12
              : losses[i].lose == to_ud     ? 8
                                            : 14;
    retry_cnt = losses[i].lose == psn_never || losses[i].lose == to_ud ? 2 : 7;
    open_all(64);
    connect_both();
    losses[i].lose();
    close_all();
    return 0;
  }
  return 2;
}
