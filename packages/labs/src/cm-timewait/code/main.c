// A connection ends: DISCONNECTED and TIMEWAIT_EXIT at both ends, and what can connect in between.
// Both ends are in one process.
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <time.h>

#include "common.h"

#define RESOLVE_MS 2000

static struct rdma_event_channel *at_server, *at_client;
static struct sockaddr_in address = {.sin_family = AF_INET};
static struct rdma_conn_param param = {.responder_resources = 1, .initiator_depth = 1, .retry_count = 7};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Waits for the next event, which must be this one. Returns its id.
static struct rdma_cm_id* expect(struct rdma_event_channel* channel, enum rdma_cm_event_type type) {
  struct rdma_cm_event* event;
  need(rdma_get_cm_event(channel, &event) == 0, "rdma_get_cm_event");
  if (event->event != type) fail(rdma_event_str(event->event));
  struct rdma_cm_id* id = event->id;
  rdma_ack_cm_event(event);
  return id;
}

static void add_qp(struct rdma_cm_id* id) {
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC};
  init.cap = (struct ibv_qp_cap){.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1};
  need(rdma_create_qp(id, NULL, &init) == 0, "rdma_create_qp");
}

// Connects a new id with a new QP. Sets the id of the other end.
static struct rdma_cm_id* connect_new(struct rdma_cm_id** peer) {
  struct rdma_cm_id* id;
  need(rdma_create_id(at_client, &id, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_resolve_addr(id, NULL, (struct sockaddr*)&address, RESOLVE_MS) == 0, "rdma_resolve_addr");
  expect(at_client, RDMA_CM_EVENT_ADDR_RESOLVED);
  need(rdma_resolve_route(id, RESOLVE_MS) == 0, "rdma_resolve_route");
  expect(at_client, RDMA_CM_EVENT_ROUTE_RESOLVED);
  add_qp(id);
  need(rdma_connect(id, &param) == 0, "rdma_connect");
  *peer = expect(at_server, RDMA_CM_EVENT_CONNECT_REQUEST);
  add_qp(*peer);
  need(rdma_accept(*peer, &param) == 0, "rdma_accept");
  expect(at_client, RDMA_CM_EVENT_ESTABLISHED);
  expect(at_server, RDMA_CM_EVENT_ESTABLISHED);
  return id;
}

static void disconnect(struct rdma_cm_id* id, struct rdma_cm_id* peer) {
  need(rdma_disconnect(id) == 0, "rdma_disconnect");
  expect(at_server, RDMA_CM_EVENT_DISCONNECTED);
  // Without this answer, the client waits and repeats its request.
  need(rdma_disconnect(peer) == 0, "rdma_disconnect");
  expect(at_client, RDMA_CM_EVENT_DISCONNECTED);
}

static void destroy(struct rdma_cm_id* id) {
  rdma_destroy_qp(id);
  need(rdma_destroy_id(id) == 0, "rdma_destroy_id");
}

int main(void) {
  struct device d = open_device();
  at_server = rdma_create_event_channel();
  at_client = rdma_create_event_channel();
  need(at_server && at_client, "rdma_create_event_channel");
  memcpy(&address.sin_addr, d.gid.raw + 12, 4);
  struct rdma_cm_id* listener;
  need(rdma_create_id(at_server, &listener, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_bind_addr(listener, (struct sockaddr*)&address) == 0, "rdma_bind_addr");
  need(rdma_listen(listener, 1) == 0, "rdma_listen");
  address.sin_port = rdma_get_src_port(listener);

  struct rdma_cm_id *peer, *next_peer;
  struct rdma_cm_id* id = connect_new(&peer);
  disconnect(id, peer);
  double ended = seconds();
  printf("DISCONNECTED at both ends\n");

  errno = 0;
  int refused = rdma_connect(id, &param);
  printf("the same id: %s\n", refused != 0 && errno == EINVAL ? "EINVAL" : "accepted");
  struct rdma_cm_id* next = connect_new(&next_peer);
  printf("a new id and QP: ESTABLISHED, another QPN: %s\n",
         next->qp->qp_num != id->qp->qp_num ? "yes" : "no");

  need(expect(at_client, RDMA_CM_EVENT_TIMEWAIT_EXIT) == id, "TIMEWAIT_EXIT");
  need(expect(at_server, RDMA_CM_EVENT_TIMEWAIT_EXIT) == peer, "TIMEWAIT_EXIT");
  printf("TIMEWAIT_EXIT at both ends after %.2f s\n", seconds() - ended);

  disconnect(next, next_peer);
  destroy(next);
  destroy(next_peer);
  destroy(id);
  destroy(peer);
  rdma_destroy_id(listener);
  rdma_destroy_event_channel(at_client);
  rdma_destroy_event_channel(at_server);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
