// A failure of the clinic: a WRITE with a wrong rkey. Its symptoms at both ends, and the state of the
// connection.
#include "common.h"

int main(void) {
  struct device d = open_device();
  static char client_memory[64], server_memory[64];
  struct ibv_mr* client_mr = register_memory(&d, client_memory, sizeof client_memory, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* server_mr = register_memory(&d, server_memory, sizeof server_memory, REMOTE_ACCESS);
  struct ibv_cq* cq = create_cq(&d, 16);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, cq, IBV_QPT_RC, 16);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  // The right address with a key that belongs to no region. Posting succeeds: only the server can check it.
  strcpy(client_memory, "intruder");
  struct ibv_mr wrong = *server_mr;
  wrong.rkey ^= 0xff;
  check(post(client, IBV_WR_RDMA_WRITE, 1, piece(client_mr, 0, 9), &wrong, IBV_SEND_SIGNALED),
        "ibv_post_send");

  // The client learns it from the completion. An unsuccessful request makes one even when it is unsignaled.
  struct ibv_wc wc = next_completion(cq);
  printf("client: status %d, %s\n", wc.status, ibv_wc_status_str(wc.status));
  printf("server's memory is unchanged: %s\n", server_memory[0] == '\0' ? "yes" : "no");

  // The server has no completion for it. Its device raises an event for its queue pair.
  struct ibv_async_event event;
  need(ibv_get_async_event(d.context, &event) == 0, "ibv_get_async_event");
  printf("server: %s, for its own QP: %s\n", ibv_event_type_str(event.event_type),
         event.element.qp == server ? "yes" : "no");
  ibv_ack_async_event(&event);

  // The connection is over. Later requests are flushed, even with the right key.
  check(post(client, IBV_WR_RDMA_WRITE, 2, piece(client_mr, 0, 9), server_mr, IBV_SEND_SIGNALED),
        "ibv_post_send");
  wc = next_completion(cq);
  printf("next request: status %d, %s\n", wc.status, ibv_wc_status_str(wc.status));

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
