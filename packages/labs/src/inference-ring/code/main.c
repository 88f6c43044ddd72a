// A client WRITEs batches of requests into a ring of four slots, first with credits, then without.
#include "common.h"

#define SLOTS 4
#define BATCH 2

struct request {
  uint64_t sequence;
  int features[6];
};

static void post_empty_recv(struct end* e) {
  struct ibv_recv_wr *bad, recv = {0};
  check(ibv_post_recv(e->qp, &recv, &bad), "ibv_post_recv");
}

static struct request* ring_of(struct end* e) { return (struct request*)e->memory; }

// Requests count from 1. Their WRITEs have no completion. The notification has no bytes, and comes after them.
static void write_batch(struct end* client, struct end* server, uint64_t first, uint32_t id) {
  for (uint64_t s = first; s < first + BATCH; s++) {
    size_t slot = (s - 1) % SLOTS, at = slot * sizeof(struct request);
    ring_of(client)[slot] = (struct request){.sequence = s, .features = {(int)s, 10 * (int)s}};
    struct ibv_sge local = piece(client->mr, at, sizeof(struct request));
    struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_RDMA_WRITE, .sg_list = &local, .num_sge = 1};
    wr.wr.rdma.remote_addr = (uintptr_t)server->memory + at;
    wr.wr.rdma.rkey = server->mr->rkey;
    check(ibv_post_send(client->qp, &wr, &bad), "ibv_post_send");
  }
  struct ibv_send_wr *bad, notice = {.opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .imm_data = htonl(id)};
  notice.send_flags = IBV_SEND_SIGNALED;
  notice.wr.rdma.remote_addr = (uintptr_t)server->memory;
  notice.wr.rdma.rkey = server->mr->rkey;
  check(ibv_post_send(client->qp, &notice, &bad), "ibv_post_send");
  next_success(client->cq);
}

// The server takes a batch, and says by an empty SEND that its slots are free again.
static void serve(struct end* server, struct end* client, uint64_t first) {
  struct ibv_wc wc = next_success(server->cq);
  printf("batch %u, %u bytes in the notification:", ntohl(wc.imm_data), wc.byte_len);
  for (uint64_t s = first; s < first + BATCH; s++) {
    struct request* r = &ring_of(server)[(s - 1) % SLOTS];
    if (r->sequence == s)
      printf(" %d", r->features[0] + r->features[1]);
    else
      printf(" lost(found %d)", (int)r->sequence);
  }
  printf("\n");
  post_empty_recv(client);
  // Not signaled: the CQ may hold the next notification already.
  struct ibv_send_wr *bad, credit = {.opcode = IBV_WR_SEND};
  check(ibv_post_send(server->qp, &credit, &bad), "ibv_post_send");
  next_success(client->cq);
}

int main(void) {
  struct device d = open_device();
  static struct end client, server;
  open_end(&d, &client, IBV_QPT_RC, REMOTE_ACCESS);
  open_end(&d, &server, IBV_QPT_RC, REMOTE_ACCESS);
  connect_ends(&d, &client, &server);

  printf("with credits\n");
  for (uint32_t id = 1; id <= 3; id++) {
    post_empty_recv(&server);
    write_batch(&client, &server, 1 + (id - 1) * BATCH, id);
    serve(&server, &client, 1 + (id - 1) * BATCH);
  }
  printf("without credits\n");
  for (uint32_t id = 1; id <= 3; id++) {
    post_empty_recv(&server);
    write_batch(&client, &server, 1 + (id - 1) * BATCH, id);
  }
  for (uint32_t id = 1; id <= 3; id++) serve(&server, &client, 1 + (id - 1) * BATCH);

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
