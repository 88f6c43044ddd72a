// Requests posted as a list: the cost of a call, and the requests that are sent when the list fails.
#include <errno.h>

#include "clock.h"
#include "common.h"

#define LIST 16
#define WRITES 4096

static struct end client, server;

// A list of WRITEs of 8 bytes with the wr_ids 1, 2, 3, … The last one is signaled.
static void make_list(struct ibv_send_wr* list, struct ibv_sge* data, int length) {
  *data = piece(client.mr, 0, 8);
  for (int i = 0; i < length; i++) {
    int last = i == length - 1;
    list[i] =
        (struct ibv_send_wr){.wr_id = i + 1, .opcode = IBV_WR_RDMA_WRITE, .sg_list = data, .num_sge = 1};
    list[i].next = last ? NULL : &list[i + 1];
    list[i].send_flags = last ? IBV_SEND_SIGNALED : 0;
    list[i].wr.rdma.remote_addr = (uintptr_t)server.memory;
    list[i].wr.rdma.rkey = server.mr->rkey;
  }
}

// CPU time of this thread in ibv_post_send, per WRITE.
static double post_cost_us(struct ibv_send_wr* list, int length) {
  struct ibv_send_wr* bad;
  double spent = 0;
  for (int sent = 0; sent < WRITES; sent += length) {
    double start = clock_us(CLOCK_THREAD_CPUTIME_ID);
    int error = ibv_post_send(client.qp, list, &bad);
    spent += clock_us(CLOCK_THREAD_CPUTIME_ID) - start;
    check(error, "ibv_post_send");
    next_success(client.cq);
  }
  return spent / WRITES;
}

int main(void) {
  struct device d = open_device();
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, REMOTE_ACCESS);
  connect_ends(&d, &client, &server);
  struct ibv_send_wr list[LIST], *bad;
  struct ibv_sge data;

  for (int length = 1; length <= LIST; length *= 4) {
    make_list(list, &data, length);
    printf("%2d WRITEs per ibv_post_send: %5.2f us of CPU time per WRITE\n", length,
           post_cost_us(list, length));
  }

  // More pieces than the queue pair allows: an invalid request in the middle of a list.
  make_list(list, &data, 4);
  for (int i = 0; i < 4; i++) list[i].send_flags = IBV_SEND_SIGNALED;
  list[2].num_sge = 1000;
  int error = ibv_post_send(client.qp, list, &bad);
  if (error == 0) fail("The device accepted a request with more pieces than it allows.");
  printf("a list of 4 whose third is invalid: %s, bad_wr is number %d\n",
         error == EINVAL ? "EINVAL" : strerror(error), (int)bad->wr_id);
  // The requests before bad_wr are on their way. A program that posts the whole list again sends them twice.
  for (int i = 0; i < 2; i++) printf("completed: number %d\n", (int)next_success(client.cq).wr_id);
  // The program corrects the request and posts the rest.
  list[2].num_sge = 1;
  check(ibv_post_send(client.qp, bad, &bad), "ibv_post_send");
  for (int i = 0; i < 2; i++) printf("completed: number %d\n", (int)next_success(client.cq).wr_id);

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
