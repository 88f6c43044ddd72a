// A WRITE into the memory of the other end, and a READ that brings it back.
#include "common.h"

#define SIZE 10000

int main(void) {
  struct device d = open_device();

  // Registered memory: the device may use it, and the keys name it. Only the server lets its peer in.
  static char client_memory[2 * SIZE], server_memory[SIZE];
  struct ibv_mr* client_mr = register_memory(&d, client_memory, sizeof client_memory, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* server_mr = register_memory(&d, server_memory, sizeof server_memory, REMOTE_ACCESS);

  // Each end has a queue pair to post to, and a completion queue that reports finished work.
  struct ibv_cq* client_cq = create_cq(&d, 16);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, client_cq, IBV_QPT_RC, 16);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  for (int i = 0; i < SIZE; i++) client_memory[i] = (char)(31 * i + 7);

  // The WRITE names the local bytes by lkey and the remote bytes by address and rkey.
  check(post(client, IBV_WR_RDMA_WRITE, 1, piece(client_mr, 0, SIZE), server_mr, IBV_SEND_SIGNALED),
        "ibv_post_send");
  // IBV_SEND_SIGNALED asked for this completion: the server's device has acknowledged all packets.
  struct ibv_wc written = next_success(client_cq);
  printf("WRITE completed: wr_id %d\n", (int)written.wr_id);
  printf("server has the bytes: %s\n", memcmp(client_memory, server_memory, SIZE) == 0 ? "yes" : "no");

  // The READ places its data in the second half of the client's buffer.
  check(post(client, IBV_WR_RDMA_READ, 2, piece(client_mr, SIZE, SIZE), server_mr, IBV_SEND_SIGNALED),
        "ibv_post_send");
  struct ibv_wc read = next_success(client_cq);
  printf("READ completed: wr_id %d, %u bytes\n", (int)read.wr_id, read.byte_len);
  printf("client reads the same: %s\n",
         memcmp(client_memory, client_memory + SIZE, SIZE) == 0 ? "yes" : "no");

  // The server's program was involved in neither: its completion queue is empty.
  struct ibv_wc wc;
  printf("completions at the server: %d\n", ibv_poll_cq(server_cq, 1, &wc));

  // Destroy each object before the objects that it was created from.
  ibv_destroy_qp(client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(client_cq);
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(client_mr);
  ibv_dereg_mr(server_mr);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
