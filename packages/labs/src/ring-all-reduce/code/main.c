// A ring all-reduce: every host ends up with the sum of the vectors of all hosts.
#include "common.h"

#define HOSTS 4
#define PART 2  // elements
#define SIZE (HOSTS * PART)

struct host {
  float vector[SIZE];            // the host's own, and the sum in the end
  float slots[HOSTS - 1][PART];  // room for parts that the host must add
  struct ibv_mr *vector_mr, *slots_mr;
  struct ibv_cq *sent, *arrived;
  struct ibv_qp *next, *previous;  // to its neighbors in the ring
};

static struct host hosts[HOSTS];

static int around(int number) { return (number + 2 * HOSTS) % HOSTS; }

// The immediate takes a RECV of the neighbor, whose completion says that the part is there.
static void send_part(struct host* from, struct host* to, int part, int slot) {
  struct ibv_sge sge = piece(from->vector_mr, part * PART * sizeof(float), PART * sizeof(float));
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .sg_list = &sge, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.imm_data = htonl(part);
  wr.wr.rdma.remote_addr = (uintptr_t)(slot < 0 ? &to->vector[part * PART] : to->slots[slot]);
  wr.wr.rdma.rkey = slot < 0 ? to->vector_mr->rkey : to->slots_mr->rkey;
  check(ibv_post_send(from->next, &wr, &bad), "ibv_post_send");
}

// A RECV without memory: a message with an immediate takes it.
static void expect_message(struct host* h) {
  struct ibv_recv_wr *bad, wr = {0};
  check(ibv_post_recv(h->previous, &wr, &bad), "ibv_post_recv");
}

// Every host sends one part. Then every host waits for the part of the host before it.
static void step(int first, int slot, int add) {
  for (int i = 0; i < HOSTS; i++) send_part(&hosts[i], &hosts[around(i + 1)], around(i + first), slot);
  for (int i = 0; i < HOSTS; i++) {
    struct host* h = &hosts[i];
    next_success(h->sent);
    int part = ntohl(next_success(h->arrived).imm_data);
    for (int j = 0; add && j < PART; j++) h->vector[part * PART + j] += h->slots[slot][j];
  }
}

int main(void) {
  struct device d = open_device();
  for (int i = 0; i < HOSTS; i++) {
    struct host* h = &hosts[i];
    for (int j = 0; j < SIZE; j++) h->vector[j] = (i + 1) * (j + 1);
    h->vector_mr = register_memory(&d, h->vector, sizeof h->vector, REMOTE_ACCESS);
    h->slots_mr = register_memory(&d, h->slots, sizeof h->slots, REMOTE_ACCESS);
    h->sent = create_cq(&d, 16);
    h->arrived = create_cq(&d, 16);
    h->next = create_qp(&d, h->sent, IBV_QPT_RC, 16);
    h->previous = create_qp(&d, h->arrived, IBV_QPT_RC, 16);
  }
  for (int i = 0; i < HOSTS; i++) connect_rc(&d, hosts[i].next, hosts[around(i + 1)].previous->qp_num);
  for (int i = 0; i < HOSTS; i++) {
    connect_rc(&d, hosts[i].previous, hosts[around(i - 1)].next->qp_num);
    for (int j = 0; j < 2 * (HOSTS - 1); j++) expect_message(&hosts[i]);
  }

  // Reduce-scatter: the neighbor adds. All-gather: it keeps the sum.
  for (int s = 0; s < HOSTS - 1; s++) step(-s, s, 1);
  for (int s = 0; s < HOSTS - 1; s++) step(1 - s, -1, 0);

  printf("%d messages of %zu bytes from each host\n", 2 * (HOSTS - 1), PART * sizeof(float));
  for (int i = 0; i < HOSTS; i++) {
    printf("host %d:", i);
    for (int j = 0; j < SIZE; j++) printf(" %g", hosts[i].vector[j]);
    printf("\n");
  }

  for (int i = 0; i < HOSTS; i++) {
    struct host* h = &hosts[i];
    check(ibv_destroy_qp(h->next), "ibv_destroy_qp");
    check(ibv_destroy_qp(h->previous), "ibv_destroy_qp");
    check(ibv_destroy_cq(h->sent), "ibv_destroy_cq");
    check(ibv_destroy_cq(h->arrived), "ibv_destroy_cq");
    check(ibv_dereg_mr(h->vector_mr), "ibv_dereg_mr");
    check(ibv_dereg_mr(h->slots_mr), "ibv_dereg_mr");
  }
  close_device(&d);
  return 0;
}
