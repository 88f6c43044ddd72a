// A reader caches rows of a remote table. A trainer changes one and invalidates it by an immediate.
#include "common.h"

#define ROWS 8
#define SLOTS 2

struct row {
  uint32_t id, version;
};

// A connection with its two ends, each with a CQ of its own.
struct wire {
  struct ibv_cq *near_cq, *far_cq;
  struct ibv_qp *near, *far;
};

static struct row table[ROWS];
static struct row cache[SLOTS];
static int used[SLOTS];  // when; 0 means that the slot is empty
static int now, hits, reads;

static struct wire open_wire(struct device* d) {
  struct wire w = {.near_cq = create_cq(d, 16), .far_cq = create_cq(d, 16)};
  w.near = create_qp(d, w.near_cq, IBV_QPT_RC, 16);
  w.far = create_qp(d, w.far_cq, IBV_QPT_RC, 16);
  connect_rc(d, w.near, w.far->qp_num);
  connect_rc(d, w.far, w.near->qp_num);
  return w;
}

static void close_wire(struct wire* w) {
  check(ibv_destroy_qp(w->near), "ibv_destroy_qp");
  check(ibv_destroy_qp(w->far), "ibv_destroy_qp");
  check(ibv_destroy_cq(w->near_cq), "ibv_destroy_cq");
  check(ibv_destroy_cq(w->far_cq), "ibv_destroy_cq");
}

// Reads or writes one row of the table.
static void transfer(struct wire* w, enum ibv_wr_opcode opcode, struct ibv_sge local, struct ibv_mr* table_mr,
                     uint32_t id) {
  struct ibv_send_wr *bad, wr = {.opcode = opcode, .sg_list = &local, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = (uintptr_t)&table[id];
  wr.wr.rdma.rkey = table_mr->rkey;
  check(ibv_post_send(w->near, &wr, &bad), "ibv_post_send");
  next_success(w->near_cq);
}

// A hit costs no packet. A miss READs the row into the least recently used slot.
static uint32_t lookup(struct wire* w, struct ibv_mr* cache_mr, struct ibv_mr* table_mr, uint32_t id) {
  int slot = 0;
  now++;
  for (int i = 0; i < SLOTS; i++) {
    if (used[i] && cache[i].id == id) {
      used[i] = now;
      hits++;
      return cache[i].version;
    }
    if (used[i] < used[slot]) slot = i;
  }
  transfer(w, IBV_WR_RDMA_READ, piece(cache_mr, slot * sizeof(struct row), sizeof(struct row)), table_mr, id);
  reads++;
  used[slot] = now;
  return cache[slot].version;
}

static void post_empty_recv(struct ibv_qp* qp) {
  struct ibv_recv_wr *bad, recv = {0};
  check(ibv_post_recv(qp, &recv, &bad), "ibv_post_recv");
}

// Sends a packet that carries nothing but the id.
static void tell(struct ibv_qp* qp, struct ibv_cq* cq, enum ibv_wr_opcode opcode, uint32_t id) {
  struct ibv_send_wr *bad, wr = {.opcode = opcode, .send_flags = IBV_SEND_SIGNALED, .imm_data = htonl(id)};
  check(ibv_post_send(qp, &wr, &bad), "ibv_post_send");
  next_success(cq);
}

int main(void) {
  struct device d = open_device();
  struct row change = {.id = 3, .version = 1};
  struct ibv_mr* table_mr = register_memory(&d, table, sizeof table, REMOTE_ACCESS);
  struct ibv_mr* cache_mr = register_memory(&d, cache, sizeof cache, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* change_mr = register_memory(&d, &change, sizeof change, IBV_ACCESS_LOCAL_WRITE);
  struct wire reader = open_wire(&d), trainer = open_wire(&d), between = open_wire(&d);
  for (uint32_t i = 0; i < ROWS; i++) table[i].id = i;
  post_empty_recv(between.far);   // the reader's end, for an invalidation
  post_empty_recv(between.near);  // the trainer's end, for the answer

  const uint32_t ids[] = {3, 1, 3, 3, 5, 3, 1, 3};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) lookup(&reader, cache_mr, table_mr, ids[i]);
  printf("%d hits, %d READs\n", hits, reads);

  transfer(&trainer, IBV_WR_RDMA_WRITE, piece(change_mr, 0, sizeof change), table_mr, change.id);
  tell(between.near, between.near_cq, IBV_WR_RDMA_WRITE_WITH_IMM, change.id);
  printf("the trainer's requests have completed: the reader uses version %u\n",
         lookup(&reader, cache_mr, table_mr, 3));

  // The reader takes the notification, drops the row and answers.
  uint32_t id = ntohl(next_success(between.far_cq).imm_data);
  for (int i = 0; i < SLOTS; i++)
    if (cache[i].id == id) used[i] = 0;
  tell(between.far, between.far_cq, IBV_WR_SEND_WITH_IMM, id);
  printf("the reader has answered for row %u: it uses version %u\n", ntohl(next_success(between.near_cq).imm_data),
         lookup(&reader, cache_mr, table_mr, 3));

  close_wire(&reader);
  close_wire(&trainer);
  close_wire(&between);
  check(ibv_dereg_mr(table_mr), "ibv_dereg_mr");
  check(ibv_dereg_mr(cache_mr), "ibv_dereg_mr");
  check(ibv_dereg_mr(change_mr), "ibv_dereg_mr");
  close_device(&d);
  return 0;
}
