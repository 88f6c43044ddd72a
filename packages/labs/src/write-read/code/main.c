// WRITEs in a row with a completion for one in four, and a READ after them that sees the last one.
#include "common.h"

#define WRITES 16
#define SIGNAL_EVERY 4

int main(void) {
  struct device d = open_device();
  // The values to write, the word that the READ fetches, and the server's word.
  static uint64_t values[WRITES], back, word;
  struct ibv_mr* values_mr = register_memory(&d, values, sizeof values, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* back_mr = register_memory(&d, &back, sizeof back, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* word_mr = register_memory(&d, &word, sizeof word, REMOTE_ACCESS);

  struct ibv_cq* client_cq = create_cq(&d, 16);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, client_cq, IBV_QPT_RC, WRITES + 1);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 1);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  // A list of requests, posted with one call. All write to the same word.
  struct ibv_sge sges[WRITES];
  struct ibv_send_wr wrs[WRITES], *bad;
  memset(wrs, 0, sizeof wrs);
  for (int i = 0; i < WRITES; i++) {
    values[i] = i + 1;
    sges[i] = piece(values_mr, i * sizeof values[0], sizeof values[0]);
    wrs[i].wr_id = i + 1;
    wrs[i].next = i + 1 < WRITES ? &wrs[i + 1] : NULL;
    wrs[i].opcode = IBV_WR_RDMA_WRITE;
    wrs[i].sg_list = &sges[i];
    wrs[i].num_sge = 1;
    wrs[i].wr.rdma.remote_addr = (uintptr_t)word_mr->addr;
    wrs[i].wr.rdma.rkey = word_mr->rkey;
    // The completion of a signaled one stands for all before it.
    wrs[i].send_flags = (i + 1) % SIGNAL_EVERY == 0 ? IBV_SEND_SIGNALED : 0;
  }
  check(ibv_post_send(client, wrs, &bad), "ibv_post_send");
  // The READ is posted before any WRITE has completed. Requests of one QP execute in order at the server.
  check(post(client, IBV_WR_RDMA_READ, 100, piece(back_mr, 0, sizeof back), word_mr, IBV_SEND_SIGNALED),
        "ibv_post_send");

  printf("%d WRITEs and a READ, completions: wr_id", WRITES);
  for (int i = 0; i < WRITES / SIGNAL_EVERY + 1; i++) printf(" %d", (int)next_success(client_cq).wr_id);
  printf("\n");
  printf("the READ saw the value of WRITE %d\n", (int)back);
  struct ibv_wc wc;
  printf("completions at the server: %d\n", ibv_poll_cq(server_cq, 1, &wc));

  ibv_destroy_qp(client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(client_cq);
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(values_mr);
  ibv_dereg_mr(back_mr);
  ibv_dereg_mr(word_mr);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
