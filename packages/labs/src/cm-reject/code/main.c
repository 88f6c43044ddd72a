// A client that is turned down: by a program, by a full backlog, and because no program listens.
// Both ends are in one process.
#include <errno.h>
#include <rdma/rdma_cma.h>

#include "common.h"

#define RESOLVE_MS 2000

static struct rdma_event_channel *at_server, *at_client;

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

static struct rdma_cm_id* listen_on(struct sockaddr_in* address, int backlog) {
  struct rdma_cm_id* id;
  need(rdma_create_id(at_server, &id, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_bind_addr(id, (struct sockaddr*)address) == 0, "rdma_bind_addr");
  need(rdma_listen(id, backlog) == 0, "rdma_listen");
  return id;
}

// An id of its own for each attempt, with a QP. It has sent no request yet.
static struct rdma_cm_id* resolve(struct sockaddr_in* address) {
  struct rdma_cm_id* id;
  need(rdma_create_id(at_client, &id, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_resolve_addr(id, NULL, (struct sockaddr*)address, RESOLVE_MS) == 0, "rdma_resolve_addr");
  pass(at_client, RDMA_CM_EVENT_ADDR_RESOLVED);
  need(rdma_resolve_route(id, RESOLVE_MS) == 0, "rdma_resolve_route");
  pass(at_client, RDMA_CM_EVENT_ROUTE_RESOLVED);
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC};
  init.cap = (struct ibv_qp_cap){.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1};
  need(rdma_create_qp(id, NULL, &init) == 0, "rdma_create_qp");
  return id;
}

static struct rdma_conn_param param = {.responder_resources = 1, .initiator_depth = 1, .retry_count = 7};

static void print_rejection(const char* what) {
  struct rdma_cm_event* event = expect(at_client, RDMA_CM_EVENT_REJECTED);
  const char* text = event->param.conn.private_data;
  printf("%s: reason %d%s%s\n", what, event->status, text && text[0] ? ", " : "", text ? text : "");
  rdma_ack_cm_event(event);
}

static void destroy(struct rdma_cm_id* id) {
  rdma_destroy_qp(id);
  rdma_destroy_id(id);
}

int main(void) {
  struct device d = open_device();
  at_server = rdma_create_event_channel();
  at_client = rdma_create_event_channel();
  need(at_server && at_client, "rdma_create_event_channel");
  struct sockaddr_in address = {.sin_family = AF_INET};
  memcpy(&address.sin_addr, d.gid.raw + 12, 4);
  struct rdma_cm_id* listener = listen_on(&address, 1);
  address.sin_port = rdma_get_src_port(listener);

  // More private data than a request holds: no packet is sent.
  struct rdma_cm_id* first = resolve(&address);
  char much[57] = "too much";
  param.private_data = much;
  param.private_data_len = sizeof much;
  errno = 0;
  int refused = rdma_connect(first, &param);
  printf("57 bytes of private data: %s\n", refused != 0 && errno == EINVAL ? "EINVAL" : "accepted");
  param.private_data = NULL;
  param.private_data_len = 0;

  // The backlog is 1, and the program has not taken the first request when the second one comes.
  struct rdma_cm_id* second = resolve(&address);
  need(rdma_connect(first, &param) == 0, "rdma_connect");
  need(rdma_connect(second, &param) == 0, "rdma_connect");
  print_rejection("the backlog is full");
  destroy(second);

  struct rdma_cm_event* event = expect(at_server, RDMA_CM_EVENT_CONNECT_REQUEST);
  struct rdma_cm_id* request = event->id;
  rdma_ack_cm_event(event);
  const char why[] = "Server busy.";
  need(rdma_reject(request, why, sizeof why) == 0, "rdma_reject");
  print_rejection("the program rejects");
  rdma_destroy_id(request);
  destroy(first);

  rdma_destroy_id(listener);
  struct rdma_cm_id* third = resolve(&address);
  need(rdma_connect(third, &param) == 0, "rdma_connect");
  print_rejection("no listener");
  destroy(third);

  rdma_destroy_event_channel(at_client);
  rdma_destroy_event_channel(at_server);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
