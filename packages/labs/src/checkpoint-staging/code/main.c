// A trainer writes a checkpoint of two shards to a store, and dies after every step. A restorer verifies the
// store.
#include <stddef.h>

#include "common.h"

#define SHARDS 2

struct slot {
  uint64_t epoch, sums[SHARDS];  // the manifest
  char shard[SHARDS][64];
};

struct store {
  uint64_t record;  // epoch of the last committed checkpoint
  struct slot slots[2];
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

// FNV-1a. Real checkpoints take a cryptographic hash or a CRC.
static uint64_t sum_of(const char* bytes, size_t length) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++) sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return sum;
}

static void prepare(uint64_t epoch) {
  struct slot* slot = &written.slots[epoch % 2];
  slot->epoch = epoch;
  for (int i = 0; i < SHARDS; i++) {
    snprintf(slot->shard[i], sizeof slot->shard[i], "shard %d of epoch %d", i, (int)epoch);
    slot->sums[i] = sum_of(slot->shard[i], sizeof slot->shard[i]);
  }
  written.record = epoch;
}

// Returns the epoch of the record if the checkpoint passes, or 0.
static uint64_t restore(struct peer* restorer, struct ibv_mr* store_mr) {
  transfer(restorer, IBV_WR_RDMA_READ, store_mr, offsetof(struct store, record), sizeof(uint64_t));
  struct slot* slot = &seen.slots[seen.record % 2];
  transfer(restorer, IBV_WR_RDMA_READ, store_mr, (char*)slot - (char*)&seen, sizeof *slot);
  int good = slot->epoch == seen.record;
  for (int i = 0; i < SHARDS; i++) good &= slot->sums[i] == sum_of(slot->shard[i], sizeof slot->shard[i]);
  return good ? seen.record : 0;
}

static void checkpoint(struct peer* trainer, struct peer* restorer, struct ibv_mr* store_mr, uint64_t epoch,
                       int record_first) {
  prepare(epoch);
  struct slot* slot = &written.slots[epoch % 2];
  size_t record = offsetof(struct store, record), manifest = (char*)slot - (char*)&written;
  for (int step = 0; step < SHARDS + 2; step++) {
    int data = record_first ? step - 1 : step;
    if (data < 0 || data > SHARDS)
      transfer(trainer, IBV_WR_RDMA_WRITE, store_mr, record, sizeof(uint64_t));
    else if (data < SHARDS)
      transfer(trainer, IBV_WR_RDMA_WRITE, store_mr, manifest + offsetof(struct slot, shard[data]),
               sizeof slot->shard[data]);
    else
      transfer(trainer, IBV_WR_RDMA_WRITE, store_mr, manifest, offsetof(struct slot, shard));
    if (!restorer) continue;
    uint64_t found = restore(restorer, store_mr);
    printf(found ? " %d" : " torn", (int)found);
  }
}

int main(void) {
  struct device d = open_device();
  struct ibv_mr* store_mr = register_memory(&d, &store, sizeof store, REMOTE_ACCESS);
  struct peer trainer = open_peer(&d, &written), restorer = open_peer(&d, &seen);
  checkpoint(&trainer, NULL, store_mr, 1, 0);
  printf("data, then record:");
  checkpoint(&trainer, &restorer, store_mr, 2, 0);
  printf("\nrecord, then data:");
  checkpoint(&trainer, &restorer, store_mr, 3, 1);
  printf("\n");
  close_peer(&trainer);
  close_peer(&restorer);
  check(ibv_dereg_mr(store_mr), "ibv_dereg_mr");
  close_device(&d);
  return 0;
}
