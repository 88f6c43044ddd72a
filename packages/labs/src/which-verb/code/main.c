// Each verb once: the place of its data, and the completions at the server.
#include "common.h"

#define OUT 0  // data that an end sends
#define IN 64  // data that arrive
// Atomics have a right of their own.
#define ACCESS (REMOTE_ACCESS | IBV_ACCESS_REMOTE_ATOMIC)

static void open_side(struct device* d, struct end* e, const char* text) {
  strcpy(e->memory + OUT, text);
  open_end(d, e, IBV_QPT_RC, ACCESS);
}

// Makes a request of the client. `local` and `remote` are offsets of `length` bytes; a SEND has no `remote`.
static void request(struct end* client, struct end* server, enum ibv_wr_opcode opcode, size_t local,
                    uint32_t length, size_t remote) {
  struct ibv_sge sge = piece(client->mr, local, length);
  struct ibv_send_wr *bad, wr = {.opcode = opcode, .sg_list = &sge, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  uint64_t addr = (uintptr_t)server->memory + remote;
  if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    wr.wr.atomic.remote_addr = addr;
    wr.wr.atomic.rkey = server->mr->rkey;
    wr.wr.atomic.compare_add = 1;
  } else if (opcode != IBV_WR_SEND) {
    wr.wr.rdma.remote_addr = addr;
    wr.wr.rdma.rkey = server->mr->rkey;
  }
  wr.imm_data = htonl(17);
  check(ibv_post_send(client->qp, &wr, &bad), "ibv_post_send");
  next_success(client->cq);
}

// The server's RECV. A SEND puts its data where the RECV says; an immediate needs no buffer.
static void receive(struct end* server, size_t offset, uint32_t length) {
  struct ibv_sge sge = piece(server->mr, offset, length);
  struct ibv_recv_wr *bad, wr = {.sg_list = &sge, .num_sge = length > 0};
  check(ibv_post_recv(server->qp, &wr, &bad), "ibv_post_recv");
}

// Completions at the server. The client's completion came after the ACK, so those of a RECV are there already.
static int told(struct end* server, uint32_t* tag) {
  struct ibv_wc wc = {0};
  int n = ibv_poll_cq(server->cq, 1, &wc);
  need(n >= 0 && wc.status == IBV_WC_SUCCESS, "ibv_poll_cq");
  *tag = wc.wc_flags & IBV_WC_WITH_IMM ? ntohl(wc.imm_data) : 0;
  return n;
}

int main(void) {
  struct device d = open_device();
  static struct end client, server;
  open_side(&d, &client, "from the client");
  open_side(&d, &server, "from the server");
  connect_ends(&d, &client, &server);
  uint32_t tag;

  receive(&server, IN, 64);
  request(&client, &server, IBV_WR_SEND, OUT, 16, 0);
  int n = told(&server, &tag);
  printf("SEND: server has \"%s\", completions there: %d\n", server.memory + IN, n);

  memset(server.memory + IN, 0, 64);
  request(&client, &server, IBV_WR_RDMA_WRITE, OUT, 16, IN);
  n = told(&server, &tag);
  printf("WRITE: server has \"%s\", completions there: %d\n", server.memory + IN, n);

  memset(server.memory + IN, 0, 64);
  receive(&server, 0, 0);
  request(&client, &server, IBV_WR_RDMA_WRITE_WITH_IMM, OUT, 16, IN);
  n = told(&server, &tag);
  printf("WRITE_WITH_IMM: server has \"%s\", completions there: %d, tag %u\n", server.memory + IN, n, tag);

  request(&client, &server, IBV_WR_RDMA_READ, IN, 16, OUT);
  n = told(&server, &tag);
  printf("READ: client has \"%s\", completions at the server: %d\n", client.memory + IN, n);

  uint64_t counter = 41, old;
  memcpy(server.memory + IN, &counter, 8);
  request(&client, &server, IBV_WR_ATOMIC_FETCH_AND_ADD, IN, 8, IN);
  n = told(&server, &tag);
  memcpy(&counter, server.memory + IN, 8);
  memcpy(&old, client.memory + IN, 8);
  printf("FETCH_ADD: server has %d, client got %d, completions at the server: %d\n", (int)counter, (int)old,
         n);

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
