// Private data, to be found in a capture: one text in the ConnectRequest, another in the ConnectReply.
// Both ends are in one process. To see the packets: tcpdump -i lo -X udp port 4791
#include <rdma/rdma_cma.h>

#include "common.h"

#define RESOLVE_MS 2000

// Waits for the next event, which must be this one. The caller acknowledges it.
static struct rdma_cm_event* expect(struct rdma_event_channel* channel, enum rdma_cm_event_type type) {
  struct rdma_cm_event* event;
  need(rdma_get_cm_event(channel, &event) == 0, "rdma_get_cm_event");
  if (event->event == type) return event;
  fprintf(stderr, "%s instead of %s\n", rdma_event_str(event->event), rdma_event_str(type));
  exit(1);
}

static void pass(struct rdma_event_channel* channel, enum rdma_cm_event_type type) {
  rdma_ack_cm_event(expect(channel, type));
}

// Queues of the connection manager's own making: rdma_create_qp creates both CQs.
static void create_queues(struct rdma_cm_id* id) {
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC};
  init.cap = (struct ibv_qp_cap){.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1};
  need(rdma_create_qp(id, NULL, &init) == 0, "rdma_create_qp");
}

static void tell(const char* who, const struct rdma_conn_param* param) {
  printf("the %s got %d bytes of private data: %s\n", who, param->private_data_len,
         (const char*)param->private_data);
}

int main(void) {
  struct device d = open_device();
  struct sockaddr_in address = {.sin_family = AF_INET};
  memcpy(&address.sin_addr, d.gid.raw + 12, 4);
  struct rdma_event_channel* at_server = rdma_create_event_channel();
  struct rdma_event_channel* at_client = rdma_create_event_channel();
  need(at_server && at_client, "rdma_create_event_channel");
  struct rdma_cm_id *listener, *client;
  need(rdma_create_id(at_server, &listener, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_bind_addr(listener, (struct sockaddr*)&address) == 0, "rdma_bind_addr");
  need(rdma_listen(listener, 1) == 0, "rdma_listen");
  address.sin_port = rdma_get_src_port(listener);
  // RDMA_PS_TCP is 0x0106.
  uint64_t service = (uint64_t)RDMA_PS_TCP << 16 | ntohs(address.sin_port);
  printf("service ID 0x%016llx, port %u\n", (unsigned long long)service, ntohs(address.sin_port));

  need(rdma_create_id(at_client, &client, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_resolve_addr(client, NULL, (struct sockaddr*)&address, RESOLVE_MS) == 0, "rdma_resolve_addr");
  pass(at_client, RDMA_CM_EVENT_ADDR_RESOLVED);
  need(rdma_resolve_route(client, RESOLVE_MS) == 0, "rdma_resolve_route");
  pass(at_client, RDMA_CM_EVENT_ROUTE_RESOLVED);
  create_queues(client);

  const char question[] = "find me in the ConnectRequest", answer[] = "find me in the ConnectReply";
  struct rdma_conn_param param = {.responder_resources = 1, .initiator_depth = 1, .retry_count = 7};
  param.private_data = question;
  param.private_data_len = sizeof question;
  need(rdma_connect(client, &param) == 0, "rdma_connect");

  struct rdma_cm_event* event = expect(at_server, RDMA_CM_EVENT_CONNECT_REQUEST);
  tell("server", &event->param.conn);
  // The request names the client's QP. Nothing else told the server.
  printf("the request names the client's QPN: %s\n",
         event->param.conn.qp_num == client->qp->qp_num ? "yes" : "no");
  struct rdma_cm_id* server = event->id;
  rdma_ack_cm_event(event);
  create_queues(server);
  param.private_data = answer;
  param.private_data_len = sizeof answer;
  need(rdma_accept(server, &param) == 0, "rdma_accept");
  event = expect(at_client, RDMA_CM_EVENT_ESTABLISHED);
  tell("client", &event->param.conn);
  rdma_ack_cm_event(event);
  pass(at_server, RDMA_CM_EVENT_ESTABLISHED);

  need(rdma_disconnect(client) == 0, "rdma_disconnect");
  pass(at_server, RDMA_CM_EVENT_DISCONNECTED);
  need(rdma_disconnect(server) == 0, "rdma_disconnect");
  pass(at_client, RDMA_CM_EVENT_DISCONNECTED);
  rdma_destroy_qp(client);
  rdma_destroy_qp(server);
  rdma_destroy_id(client);
  rdma_destroy_id(server);
  rdma_destroy_id(listener);
  rdma_destroy_event_channel(at_client);
  rdma_destroy_event_channel(at_server);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
