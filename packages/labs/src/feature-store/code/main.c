// A writer adds rows of two groups to a remote store. A reader looks after every WRITE.
#include "common.h"

#include <stddef.h>

#define EPOCHS 2
#define GROUPS 2

struct row {
  uint64_t group[GROUPS];  // each holds the epoch that wrote it
};

struct store {
  uint64_t watermark;
  struct row rows[EPOCHS + 1];  // epochs count from 1
};

static struct store store, written, seen;

struct peer {
  struct ibv_mr* mr;
  struct ibv_cq* cq;
  struct ibv_qp *qp, *far;
};

static struct peer open_peer(struct device* d, struct store* memory) {
  struct peer p = {.cq = create_cq(d, 16)};
  p.mr = register_memory(d, memory, sizeof *memory, IBV_ACCESS_LOCAL_WRITE);
  p.qp = create_qp(d, p.cq, IBV_QPT_RC, 16);
  p.far = create_qp(d, p.cq, IBV_QPT_RC, 16);
  connect_rc(d, p.qp, p.far->qp_num);
  connect_rc(d, p.far, p.qp->qp_num);
  return p;
}

static void close_peer(struct peer* p) {
  check(ibv_destroy_qp(p->qp), "ibv_destroy_qp");
  check(ibv_destroy_qp(p->far), "ibv_destroy_qp");
  check(ibv_destroy_cq(p->cq), "ibv_destroy_cq");
  check(ibv_dereg_mr(p->mr), "ibv_dereg_mr");
}

// Moves bytes between this place in the peer's memory and the same place in the store.
static void transfer(struct peer* p, enum ibv_wr_opcode opcode, struct ibv_mr* store_mr, size_t at,
                     size_t length) {
  struct ibv_sge local = piece(p->mr, at, length);
  struct ibv_send_wr *bad, wr = {.opcode = opcode, .sg_list = &local, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = (uintptr_t)store_mr->addr + at;
  wr.wr.rdma.rkey = store_mr->rkey;
  check(ibv_post_send(p->qp, &wr, &bad), "ibv_post_send");
  next_success(p->cq);
}

// Reads the row that the watermark names. Returns 1 if it is not complete: torn, or not there at all.
static int takes_incomplete(struct peer* reader, struct ibv_mr* store_mr) {
  transfer(reader, IBV_WR_RDMA_READ, store_mr, offsetof(struct store, watermark), sizeof seen.watermark);
  uint64_t epoch = seen.watermark;
  if (epoch == 0) return 0;
  transfer(reader, IBV_WR_RDMA_READ, store_mr, offsetof(struct store, rows[epoch]), sizeof(struct row));
  int there = 0;
  for (int g = 0; g < GROUPS; g++) there += seen.rows[epoch].group[g] == epoch;
  return there < GROUPS;
}

static int publish(struct peer* writer, struct peer* reader, struct ibv_mr* store_mr, int watermark_first) {
  int incomplete = 0;
  memset(&store, 0, sizeof store);
  for (uint64_t epoch = 1; epoch <= EPOCHS; epoch++) {
    written.watermark = epoch;
    for (int step = 0; step <= GROUPS; step++) {
      int group = watermark_first ? step - 1 : step;
      if (group < 0 || group == GROUPS) {
        transfer(writer, IBV_WR_RDMA_WRITE, store_mr, offsetof(struct store, watermark), sizeof(uint64_t));
      } else {
        written.rows[epoch].group[group] = epoch;
        transfer(writer, IBV_WR_RDMA_WRITE, store_mr, offsetof(struct store, rows[epoch].group[group]),
                 sizeof(uint64_t));
      }
      incomplete += takes_incomplete(reader, store_mr);
    }
  }
  return incomplete;
}

int main(void) {
  struct device d = open_device();
  struct ibv_mr* store_mr = register_memory(&d, &store, sizeof store, REMOTE_ACCESS);
  struct peer writer = open_peer(&d, &written), reader = open_peer(&d, &seen);
  printf("row, then watermark: %d rows taken that were not complete\n",
         publish(&writer, &reader, store_mr, 0));
  printf("watermark, then row: %d rows taken that were not complete\n",
         publish(&writer, &reader, store_mr, 1));
  close_peer(&writer);
  close_peer(&reader);
  check(ibv_dereg_mr(store_mr), "ibv_dereg_mr");
  close_device(&d);
  return 0;
}
