// Requests of misuse.c that complete in error, because the device or the other side refuses them.
#pragma once

#include "pair.h"
#include "tests/map_apart.h"

// An RDMA request of 64 bytes that the other side refuses.
__attribute__((noinline)) void post_refused(enum ibv_wr_opcode opcode, void* addr, uint32_t rkey,
                                            enum ibv_wc_status status) {
  struct ibv_sge sge = {.addr = (uintptr_t)buffer, .length = 64, .lkey = mr->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 4711, .sg_list = &sge, .num_sge = 1, .opcode = opcode};
  wr.wr.rdma.remote_addr = (uintptr_t)addr;
  wr.wr.rdma.rkey = rkey;
  CHECK(!post_write(0));  // so that the place is not the first
  CHECK(!ibv_post_send(a, &wr, &bad));
  CHECK(poll_one(cq_a) == status);
}

static void bad_rkey(void) {
  connect_both();
  post_refused(IBV_WR_RDMA_WRITE, buffer, mr->rkey + 1, IBV_WC_REM_ACCESS_ERR);
}

// Registers memory and unmaps it.
static struct ibv_mr* lose_memory(void) {
  void* at = map_apart(kSize, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  CHECK(at != MAP_FAILED);
  struct ibv_mr* lost = ibv_reg_mr(pd, at, kSize, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(lost && !munmap(at, kSize));
  return lost;
}

static void unmapped(void) {
  connect_both();
  struct ibv_mr* lost = lose_memory();
  post_refused(IBV_WR_RDMA_WRITE, lost->addr, lost->rkey, IBV_WC_REM_OP_ERR);
  CHECK(!ibv_dereg_mr(lost));
}

static void unmapped_receive(void) {
  connect_both();
  struct ibv_mr* lost = lose_memory();
  CHECK(!post_recv(b, lost));
  CHECK(!post_send((uintptr_t)buffer, 64, IBV_SEND_SIGNALED));
  CHECK(poll_one(cq_a) == IBV_WC_REM_OP_ERR);
  CHECK(poll_one(cq_b) == IBV_WC_LOC_PROT_ERR);
  CHECK(!ibv_dereg_mr(lost));
}

static void past_end(void) {
  connect_both();
  post_refused(IBV_WR_RDMA_WRITE, buffer + kSize - 48, mr->rkey, IBV_WC_REM_ACCESS_ERR);
}

static void no_right(void) {
  access_of_qps |= IBV_ACCESS_REMOTE_READ;
  connect_both();
  post_refused(IBV_WR_RDMA_READ, buffer, mr->rkey, IBV_WC_REM_ACCESS_ERR);
}

static void qp_access(void) {
  connect_both();
  post_refused(IBV_WR_RDMA_READ, buffer, mr->rkey, IBV_WC_REM_INV_REQ_ERR);
}

static void no_reads(void) {
  max_rd_atomic = 0;
  connect_both();
  post_refused(IBV_WR_RDMA_READ, buffer, mr->rkey, IBV_WC_LOC_QP_OP_ERR);
}

// Refused because of the QP's type, for any max_rd_atomic.
static void reads_of(enum ibv_qp_type type) {
  CHECK(!ibv_destroy_qp(a) && !ibv_destroy_qp(b));
  qp_type = type;
  CHECK((a = make_qp(cq_a)) && (b = make_qp(cq_b)));
  connect_both();
  post_refused(IBV_WR_RDMA_READ, buffer, mr->rkey, IBV_WC_LOC_QP_OP_ERR);
}
static void uc_reads(void) { reads_of(IBV_QPT_UC); }
static void ud_reads(void) { reads_of(IBV_QPT_UD); }

static void post_alone(struct ibv_send_wr wr, enum ibv_wc_status status) {
  struct ibv_send_wr* bad;
  wr.send_flags = IBV_SEND_SIGNALED;
  CHECK(!ibv_post_send(a, &wr, &bad) && poll_one(cq_a) == status);
}

static void connect_again(void) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
  CHECK(!ibv_modify_qp(a, &attr, IBV_QP_STATE) && !ibv_modify_qp(b, &attr, IBV_QP_STATE));
  connect_both();
}

// Windows that are not bound, and keys that are not invalidated.
static void windows(void) {
  const int rights = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_MW_BIND;
  struct ibv_mr* bindable = ibv_reg_mr(pd, buffer, kSize, rights);
  struct ibv_mw* window = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
  CHECK(bindable && window);
  struct ibv_send_wr bind = {.opcode = IBV_WR_BIND_MW,
                             .bind_mw = {.mw = window,
                                         .rkey = ibv_inc_rkey(window->rkey),
                                         .bind_info = {mr, (uintptr_t)buffer, 64, IBV_ACCESS_REMOTE_WRITE}}};
  connect_both();
  post_alone(bind, IBV_WC_MW_BIND_ERR);
  connect_again();
  bind.bind_mw.bind_info =
      (struct ibv_mw_bind_info){bindable, (uintptr_t)buffer, kSize + 1, IBV_ACCESS_REMOTE_READ};
  post_alone(bind, IBV_WC_MW_BIND_ERR);
  connect_again();
  post_alone((struct ibv_send_wr){.opcode = IBV_WR_LOCAL_INV, .invalidate_rkey = mr->rkey},
             IBV_WC_MW_BIND_ERR);
  timeout = 8, retry_cnt = 0;
  connect_again();
  CHECK(!post_recv(b, mr));
  post_alone((struct ibv_send_wr){.opcode = IBV_WR_SEND_WITH_INV, .invalidate_rkey = 0x4711},
             IBV_WC_RETRY_EXC_ERR);
  CHECK(poll_one(cq_b) == IBV_WC_REM_INV_REQ_ERR);
  CHECK(!ibv_dealloc_mw(window) && !ibv_dereg_mr(bindable));
}

static void other_pd(void) {
  connect_both();
  struct ibv_pd* other = ibv_alloc_pd(context);
  struct ibv_mr* there = ibv_reg_mr(other, buffer, kSize, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(there);
  post_refused(IBV_WR_RDMA_WRITE, buffer, there->rkey, IBV_WC_REM_ACCESS_ERR);
  CHECK(!ibv_dereg_mr(there) && !ibv_dealloc_pd(other));
}

static void deregistered(void) {
  connect_both();
  struct ibv_mr* brief = ibv_reg_mr(pd, buffer, kSize, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  const uint32_t rkey = brief->rkey;
  CHECK(!ibv_dereg_mr(brief));
  post_refused(IBV_WR_RDMA_WRITE, buffer, rkey, IBV_WC_REM_ACCESS_ERR);
}

static void short_receive(void) {
  connect_both();
  CHECK(!post_recv(b, mr) && !post_send((uintptr_t)buffer, 65, IBV_SEND_SIGNALED));
  CHECK(poll_one(cq_a) == IBV_WC_REM_INV_REQ_ERR && poll_one(cq_b) == IBV_WC_LOC_LEN_ERR);
}

static void no_receive(void) {
  rnr_retry = 2;
  connect_both();
  CHECK(!post_send((uintptr_t)buffer, 8, IBV_SEND_SIGNALED));
  CHECK(poll_one(cq_a) == IBV_WC_RNR_RETRY_EXC_ERR);
}

// The other QP does not receive yet.
static void silent_peer(void) {
  to_init(a), to_init(b);
  to_rts(a, b);
  CHECK(!post_write(IBV_SEND_SIGNALED));
  CHECK(poll_one(cq_a) == IBV_WC_RETRY_EXC_ERR);
}
