// Four ways in which the target of a WRITE learns that data has arrived.
#include "common.h"

#define SIZE 4096
#define COUNTER SIZE  // offset of a counter behind the data
#define ACCESS (REMOTE_ACCESS | IBV_ACCESS_REMOTE_ATOMIC)

static struct end client, server;

// Fills the client's data with one value, and the server's with zeros.
static void prepare(char value) {
  memset(client.memory, value, SIZE);
  memset(server.memory, 0, SIZE);
}

static void write_data(enum ibv_wr_opcode opcode, unsigned flags) {
  check(post(client.qp, opcode, 0, piece(client.mr, 0, SIZE), server.mr, flags), "ibv_post_send of WRITE");
}

// Memory that the device changes: the compiler must read it each time.
static char last_byte(void) { return *(volatile char*)&server.memory[SIZE - 1]; }
static uint64_t counter(void) { return *(volatile uint64_t*)&server.memory[COUNTER]; }

static void empty_recv(void) { post_recv(server.qp, 1, piece(server.mr, 0, 0)); }

static void report(const char* way, int completions) {
  printf("%-22s data complete: %s, completions at the server: %d\n", way,
         memcmp(client.memory, server.memory, SIZE) == 0 ? "yes" : "no", completions);
}

int main(void) {
  struct device d = open_device();
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, ACCESS);
  connect_ends(&d, &client, &server);
  struct ibv_wc wc;

  // The server polls the last byte. No rule says that a device writes it last: it may be there before the others.
  prepare('a');
  write_data(IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED);
  while (last_byte() != 'a') continue;
  next_success(client.cq);
  report("poll the memory:", ibv_poll_cq(server.cq, 1, &wc));

  // A FETCH_ADD behind the WRITE. Once the counter has changed, the data of earlier requests is in place.
  prepare('b');
  write_data(IBV_WR_RDMA_WRITE, 0);
  struct ibv_sge old = piece(client.mr, COUNTER, 8);
  struct ibv_send_wr *bad, add = {.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD, .sg_list = &old, .num_sge = 1};
  add.send_flags = IBV_SEND_SIGNALED;
  add.wr.atomic.remote_addr = (uintptr_t)server.memory + COUNTER;
  add.wr.atomic.rkey = server.mr->rkey;
  add.wr.atomic.compare_add = 1;
  check(ibv_post_send(client.qp, &add, &bad), "ibv_post_send of FETCH_ADD");
  while (counter() != 1) continue;
  report("poll a counter:", ibv_poll_cq(server.cq, 1, &wc));
  next_success(client.cq);

  // A SEND behind the WRITE. It takes a RECV, whose completion tells the server.
  prepare('c');
  empty_recv();
  write_data(IBV_WR_RDMA_WRITE, 0);
  check(post(client.qp, IBV_WR_SEND, 0, piece(client.mr, 0, 0), NULL, IBV_SEND_SIGNALED),
        "ibv_post_send of SEND");
  next_success(server.cq);
  report("SEND afterward:", 1);
  next_success(client.cq);

  // A single request for both: the data goes to the address, and the immediate takes a RECV.
  prepare('d');
  empty_recv();
  write_data(IBV_WR_RDMA_WRITE_WITH_IMM, IBV_SEND_SIGNALED);
  next_success(server.cq);
  report("WRITE with immediate:", 1);
  next_success(client.cq);

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
