// Three contracts with the device, each broken once: what arrives, and who learns of it.
#include "common.h"

static struct ibv_sge whole(const struct ibv_mr* mr) { return piece(mr, 0, mr->length); }

static void post_message(struct ibv_qp* qp, struct ibv_sge buffer) {
  check(post(qp, IBV_WR_SEND, 0, buffer, NULL, IBV_SEND_SIGNALED), "ibv_post_send");
}

static void go_to(struct ibv_qp* qp, enum ibv_qp_state state) {
  struct ibv_qp_attr attr = {.qp_state = state};
  check(ibv_modify_qp(qp, &attr, IBV_QP_STATE), "ibv_modify_qp");
}

int main(void) {
  struct device d = open_device();
  static char out[8], in[2][8];
  struct ibv_mr* out_mr = register_memory(&d, out, sizeof out, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* in_mr = register_memory(&d, in, sizeof in, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_cq* client_cq = create_cq(&d, 16);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, client_cq, IBV_QPT_RC, 16);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  // Memory: the buffer is the device's until the completion. This program writes into it earlier.
  // In SQD the device begins no request: here it stands for a device that is busy.
  for (int i = 0; i < 2; i++) post_recv(server, 0, piece(in_mr, i * sizeof in[0], sizeof in[0]));
  go_to(client, IBV_QPS_SQD);
  strcpy(out, "first");
  post_message(client, whole(out_mr));
  strcpy(out, "second");
  post_message(client, whole(out_mr));
  go_to(client, IBV_QPS_RTS);
  for (int i = 0; i < 2; i++) {
    next_success(client_cq);
    next_success(server_cq);
  }
  printf("memory: sent first, second; the server has %s, %s\n", in[0], in[1]);

  // Messages: each needs a RECV that is long enough. This one is a byte too short.
  post_recv(server, 0, piece(in_mr, 0, sizeof out - 1));
  post_message(client, whole(out_mr));
  enum ibv_wc_status at_client = next_completion(client_cq).status;
  printf("messages: status %d at the client, %d at the server\n", at_client,
         next_completion(server_cq).status);

  // Delivery: both QPs are in ERR now. The client's QP connects again, to a server that has left.
  go_to(client, IBV_QPS_RESET);
  go_to(server, IBV_QPS_RESET);
  connect_rc(&d, client, server->qp_num);
  for (int i = 0; i < 2; i++) post_message(client, whole(out_mr));
  int first = next_completion(client_cq).status;
  printf("delivery: two posts succeeded; status %d, then %d\n", first, next_completion(client_cq).status);

  // The program has read the statuses: it connects again and sends what failed.
  go_to(client, IBV_QPS_RESET);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);
  post_recv(server, 0, piece(in_mr, 0, sizeof in[0]));
  strcpy(out, "again");
  post_message(client, whole(out_mr));
  next_success(client_cq);
  next_success(server_cq);
  printf("delivery: connected again; the server has %s\n", in[0]);

  ibv_destroy_qp(client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(client_cq);
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(out_mr);
  ibv_dereg_mr(in_mr);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
