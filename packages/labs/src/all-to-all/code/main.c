// Bruck's algorithm: hosts exchange a block with each other in log2 of them messages.
#include "common.h"

#define HOSTS 4
#define BLOCK 16
#define HALF (HOSTS / 2)
#define ROUNDS 2  // log2 of HOSTS

// A host's memory: its blocks by their destination, then room for what comes in each round.
struct host {
  char memory[HOSTS + ROUNDS * HALF][BLOCK];
  struct ibv_mr* mr;
  struct ibv_cq* cq;
  struct ibv_qp* qps[HOSTS];
  int place[HOSTS];  // place of the block that must still move, or has moved, this many hosts on
};

static struct ibv_qp* create_gathering_qp(struct device* d, struct ibv_cq* cq) {
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq};
  init.cap = (struct ibv_qp_cap){
      .max_send_wr = 4, .max_recv_wr = 1, .max_send_sge = HALF, .max_recv_sge = 1};
  struct ibv_qp* qp = ibv_create_qp(d->pd, &init);
  need(qp != NULL, "ibv_create_qp");
  return qp;
}

// Gathers blocks from several places into one message. They arrive in one piece.
static void send_round(struct host* from, struct host* to, struct ibv_qp* qp, int round) {
  struct ibv_sge list[HALF];
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_RDMA_WRITE, .sg_list = list};
  for (int slot = 0; slot < HOSTS; slot++)
    if (slot & (1 << round)) list[wr.num_sge++] = piece(from->mr, from->place[slot] * BLOCK, BLOCK);
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = (uintptr_t)to->memory[HOSTS + round * HALF];
  wr.wr.rdma.rkey = to->mr->rkey;
  check(ibv_post_send(qp, &wr, &bad), "ibv_post_send");
  next_success(from->cq);
}

int main(void) {
  struct device d = open_device();
  static struct host hosts[HOSTS];
  for (int i = 0; i < HOSTS; i++) {
    hosts[i].mr = register_memory(&d, hosts[i].memory, sizeof hosts[i].memory, REMOTE_ACCESS);
    hosts[i].cq = create_cq(&d, 16);
    for (int j = 0; j < HOSTS; j++) {
      snprintf(hosts[i].memory[j], BLOCK, "%d to %d", i, j);
      hosts[i].place[j] = (i + j) % HOSTS;
      if (j != i) hosts[i].qps[j] = create_gathering_qp(&d, hosts[i].cq);
    }
  }
  for (int i = 0; i < HOSTS; i++)
    for (int j = 0; j < HOSTS; j++)
      if (j != i) connect_rc(&d, hosts[i].qps[j], hosts[j].qps[i]->qp_num);

  for (int round = 0; round < ROUNDS; round++) {
    int step = 1 << round;
    printf("round %d: each host sends %d blocks, %d on\n", round, HALF, step);
    for (int i = 0; i < HOSTS; i++) {
      int to = (i + step) % HOSTS;
      send_round(&hosts[i], &hosts[to], hosts[i].qps[to], round);
    }
    // Every host has sent what it had in these slots, and got as many blocks for them.
    for (int i = 0; i < HOSTS; i++)
      for (int slot = 0, next = HOSTS + round * HALF; slot < HOSTS; slot++)
        if (slot & step) hosts[i].place[slot] = next++;
  }

  for (int i = 0; i < HOSTS; i++) {
    printf("host %d got", i);
    for (int from = 0; from < HOSTS; from++) {
      int slot = (i - from + HOSTS) % HOSTS;
      if (from != i) printf(" \"%s\"", hosts[i].memory[hosts[i].place[slot]]);
    }
    printf("\n");
  }

  for (int i = 0; i < HOSTS; i++) {
    for (int j = 0; j < HOSTS; j++)
      if (j != i) check(ibv_destroy_qp(hosts[i].qps[j]), "ibv_destroy_qp");
    check(ibv_destroy_cq(hosts[i].cq), "ibv_destroy_cq");
    check(ibv_dereg_mr(hosts[i].mr), "ibv_dereg_mr");
  }
  close_device(&d);
  return 0;
}
