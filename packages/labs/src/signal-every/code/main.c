// Many WRITEs through a short send queue, with one completion for every EVERY of them.
#include "common.h"

#define DEPTH 64
#define EVERY 16
#define WRITES 1024

int main(void) {
  struct device d = open_device();
  static char client_memory[64], server_memory[64];
  struct ibv_mr* client_mr = register_memory(&d, client_memory, sizeof client_memory, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* server_mr = register_memory(&d, server_memory, sizeof server_memory, REMOTE_ACCESS);
  struct ibv_cq* cq = create_cq(&d, DEPTH);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, cq, IBV_QPT_RC, DEPTH);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  int posted = 0, finished = 0, completions = 0;
  while (finished < WRITES) {
    // The program counts the slots itself. A full send queue would refuse the request with ENOMEM.
    while (posted < WRITES && posted - finished < DEPTH) {
      posted++;
      // The wr_id of a signaled request says how many requests it stands for.
      unsigned flags = posted % EVERY == 0 ? IBV_SEND_SIGNALED : 0;
      check(post(client, IBV_WR_RDMA_WRITE, posted, piece(client_mr, 0, 8), server_mr, flags),
            "ibv_post_send");
    }
    // Requests of a send queue complete in order, so this one and all before it are done.
    struct ibv_wc wc = next_success(cq);
    completions++;
    finished = (int)wc.wr_id;
  }
  printf("%d WRITEs, one in every %d signaled: %d completions\n", WRITES, EVERY, completions);

  ibv_destroy_qp(client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(cq);
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(client_mr);
  ibv_dereg_mr(server_mr);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
