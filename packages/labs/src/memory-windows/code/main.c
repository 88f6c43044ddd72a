// Memory windows: a peer may write to 8 of 64 bytes, and only until the server revokes the right.
#include "common.h"

#define SIZE 64
#define OFFSET 16
#define LENGTH 8

static struct ibv_mw* allocate_window(struct device* d, enum ibv_mw_type type) {
  struct ibv_mw* mw = ibv_alloc_mw(d->pd, type);
  need(mw != NULL, "ibv_alloc_mw");
  return mw;
}

static struct ibv_mw_bind_info part_of(struct ibv_mr* mr) {
  return (struct ibv_mw_bind_info){.mr = mr,
                                   .addr = (uintptr_t)mr->addr + OFFSET,
                                   .length = LENGTH,
                                   .mw_access_flags = IBV_ACCESS_REMOTE_WRITE};
}

// Type 2: the bind is a work request. The program chooses the lowest byte of the new rkey.
static uint32_t bind_type_2(struct ibv_qp* qp, struct ibv_mw* mw, struct ibv_mr* mr, uint32_t old_rkey) {
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED};
  wr.bind_mw.mw = mw;
  wr.bind_mw.rkey = ibv_inc_rkey(old_rkey);
  wr.bind_mw.bind_info = part_of(mr);
  check(ibv_post_send(qp, &wr, &bad), "ibv_post_send of the bind");
  next_success(qp->send_cq);
  return wr.bind_mw.rkey;
}

// Type 1: the bind is a call, which posts for you and leaves the new rkey in the window.
static uint32_t bind_type_1(struct ibv_qp* qp, struct ibv_mw* mw, struct ibv_mr* mr) {
  struct ibv_mw_bind bind = {.send_flags = IBV_SEND_SIGNALED, .bind_info = part_of(mr)};
  check(ibv_bind_mw(qp, mw, &bind), "ibv_bind_mw");
  next_success(qp->send_cq);
  return mw->rkey;
}

static void invalidate(struct ibv_qp* qp, uint32_t rkey) {
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_LOCAL_INV, .send_flags = IBV_SEND_SIGNALED};
  wr.invalidate_rkey = rkey;
  check(ibv_post_send(qp, &wr, &bad), "ibv_post_send of LOCAL_INV");
  next_success(qp->send_cq);
}

// Status of a WRITE to the start of the window.
static int write_to(struct ibv_qp* qp, struct ibv_mr* local, struct ibv_mr* remote, uint32_t rkey,
                    uint32_t length) {
  struct ibv_sge sge = piece(local, 0, length);
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = (uintptr_t)remote->addr + OFFSET;
  wr.wr.rdma.rkey = rkey;
  check(ibv_post_send(qp, &wr, &bad), "ibv_post_send");
  return next_completion(qp->send_cq).status;
}

// A refused access leaves both QPs in ERR.
static void connect_again(struct device* d, struct ibv_qp* a, struct ibv_qp* b) {
  struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};
  check(ibv_modify_qp(a, &reset, IBV_QP_STATE), "to RESET");
  check(ibv_modify_qp(b, &reset, IBV_QP_STATE), "to RESET");
  connect_rc(d, a, b->qp_num);
  connect_rc(d, b, a->qp_num);
}

int main(void) {
  struct device d = open_device();
  static char client_memory[SIZE] = "granted", server_memory[SIZE];
  struct ibv_mr* client_mr = register_memory(&d, client_memory, SIZE, IBV_ACCESS_LOCAL_WRITE);
  // No peer may access the region itself. MW_BIND lets windows be bound to it.
  struct ibv_mr* server_mr =
      register_memory(&d, server_memory, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
  struct ibv_cq* client_cq = create_cq(&d, 16);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, client_cq, IBV_QPT_RC, 16);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  struct ibv_mw* window = allocate_window(&d, IBV_MW_TYPE_2);
  uint32_t first = bind_type_2(server, window, server_mr, window->rkey);
  int status = write_to(client, client_mr, server_mr, first, LENGTH);
  printf("type 2, inside: status %d, the server has %s\n", status, server_memory + OFFSET);

  // Revoked and granted again, with another rkey. The old one grants nothing.
  invalidate(server, first);
  uint32_t second = bind_type_2(server, window, server_mr, first);
  printf("bound again: another rkey %s, status %d\n", second != first ? "yes" : "no",
         write_to(client, client_mr, server_mr, second, LENGTH));
  printf("the rkey from before LOCAL_INV: status %d\n",
         write_to(client, client_mr, server_mr, first, LENGTH));

  connect_again(&d, client, server);
  struct ibv_mw* other = allocate_window(&d, IBV_MW_TYPE_1);
  uint32_t rkey = bind_type_1(server, other, server_mr);
  printf("type 1, inside: status %d\n", write_to(client, client_mr, server_mr, rkey, LENGTH));
  printf("1 byte past its end: status %d\n", write_to(client, client_mr, server_mr, rkey, LENGTH + 1));

  ibv_dealloc_mw(window);
  ibv_dealloc_mw(other);
  ibv_destroy_qp(client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(client_cq);
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(client_mr);
  ibv_dereg_mr(server_mr);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
