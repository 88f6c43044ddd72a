// A cache of memory regions: a buffer stays registered until the cache needs room for another one.
#include "common.h"

#define BUFFERS 4
#define CAPACITY 3
#define MESSAGES 12
#define SIZE 8192

struct entry {
  struct ibv_mr* mr;  // NULL: the entry is free
  int last_used;
};

static struct entry cache[CAPACITY];
static int registrations, hits;

// Returns a region for the buffer. On a miss it deregisters the entry that was used least recently.
static struct ibv_mr* region_for(struct device* d, void* buffer, int now) {
  struct entry* oldest = &cache[0];
  for (struct entry* e = cache; e < cache + CAPACITY; e++) {
    if (e->mr && e->mr->addr == buffer) {
      hits++;
      e->last_used = now;
      return e->mr;
    }
    if (!e->mr || (oldest->mr && e->last_used < oldest->last_used)) oldest = e;
  }
  // No request uses the region anymore: each message completed before the next one was posted.
  if (oldest->mr) check(ibv_dereg_mr(oldest->mr), "ibv_dereg_mr");
  registrations++;
  *oldest = (struct entry){register_memory(d, buffer, SIZE, IBV_ACCESS_LOCAL_WRITE), now};
  return oldest->mr;
}

int main(void) {
  struct device d = open_device();
  static char buffers[BUFFERS][SIZE], server_memory[SIZE];
  struct ibv_mr* server_mr = register_memory(&d, server_memory, SIZE, REMOTE_ACCESS);
  struct ibv_cq* cq = create_cq(&d, 16);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, cq, IBV_QPT_RC, 16);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  // With `active` buffers in turn: three fit into the cache, four make every message a miss.
  for (int active = CAPACITY; active <= BUFFERS; active++) {
    registrations = hits = 0;
    for (int i = 0; i < MESSAGES; i++) {
      struct ibv_mr* mr = region_for(&d, buffers[i % active], i);
      check(post(client, IBV_WR_RDMA_WRITE, i, piece(mr, 0, SIZE), server_mr, IBV_SEND_SIGNALED),
            "ibv_post_send");
      next_success(cq);
    }
    printf("%d buffers, room for %d: %d registrations, %d hits\n", active, CAPACITY, registrations, hits);
    for (struct entry* e = cache; e < cache + CAPACITY; e++) {
      if (e->mr) ibv_dereg_mr(e->mr);
      *e = (struct entry){0};
    }
  }

  ibv_destroy_qp(client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(cq);
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(server_mr);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
