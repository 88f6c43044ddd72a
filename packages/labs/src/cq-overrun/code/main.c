// More signaled requests than the completion queue holds, and no poll: this breaks queue and connection.
#include "common.h"

int main(void) {
  struct device d = open_device();
  static char client_memory[64], server_memory[64];
  struct ibv_mr* client_mr = register_memory(&d, client_memory, sizeof client_memory, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* server_mr = register_memory(&d, server_memory, sizeof server_memory, REMOTE_ACCESS);
  // The send queue has more room than the completion queue: that is the mistake.
  struct ibv_cq* cq = create_cq(&d, 4);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, cq, IBV_QPT_RC, 64);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  // The device may create more entries than requested; cq->cqe says how many.
  int requests = cq->cqe + 1;
  for (int i = 1; i <= requests; i++)
    check(post(client, IBV_WR_RDMA_WRITE, i, piece(client_mr, 0, 8), server_mr, IBV_SEND_SIGNALED),
          "ibv_post_send");

  // The device reports the overrun with asynchronous events: one for the queue, one for the QP that used it.
  int seen_cq = 0, seen_qp = 0;
  while (!seen_cq || !seen_qp) {
    struct ibv_async_event event;
    need(ibv_get_async_event(d.context, &event) == 0, "ibv_get_async_event");
    seen_cq |= event.event_type == IBV_EVENT_CQ_ERR && event.element.cq == cq;
    seen_qp |= event.event_type == IBV_EVENT_QP_FATAL && event.element.qp == client;
    printf("event: %s\n", ibv_event_type_str(event.event_type));
    // An object cannot be destroyed while one of its events is not acknowledged.
    ibv_ack_async_event(&event);
  }
  struct ibv_qp_attr attr;
  struct ibv_qp_init_attr init;
  check(ibv_query_qp(client, &attr, IBV_QP_STATE, &init), "ibv_query_qp");
  printf("the QP is in ERR: %s\n", attr.qp_state == IBV_QPS_ERR ? "yes" : "no");

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
