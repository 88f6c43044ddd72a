// Makes and ends connections by rdma_cm, one at a time and then several at once. Both ends are in one process
// and take their events from one channel.
#include <rdma/rdma_cma.h>
#include <time.h>

#include "common.h"

#define RESOLVE_MS 2000
#define CONNECTIONS 64

static struct rdma_event_channel* channel;
static struct sockaddr_in address = {.sin_family = AF_INET};
static int started, established, ended;
// Marks the ids of the client.
static char client;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void start(void) {
  struct rdma_cm_id* id;
  if (started == CONNECTIONS) return;
  started++;
  need(rdma_create_id(channel, &id, &client, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_resolve_addr(id, NULL, (struct sockaddr*)&address, RESOLVE_MS) == 0, "rdma_resolve_addr");
}

static void add_qp(struct rdma_cm_id* id) {
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC};
  init.cap = (struct ibv_qp_cap){.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1};
  need(rdma_create_qp(id, NULL, &init) == 0, "rdma_create_qp");
}

static void destroy(struct rdma_cm_id* id) {
  rdma_destroy_qp(id);
  need(rdma_destroy_id(id) == 0, "rdma_destroy_id");
}

// The id's next step after an event.
static void go_on(enum rdma_cm_event_type type, struct rdma_cm_id* id, int is_client) {
  struct rdma_conn_param param = {.responder_resources = 1, .initiator_depth = 1, .retry_count = 7};
  switch (type) {
    case RDMA_CM_EVENT_ADDR_RESOLVED:
      need(rdma_resolve_route(id, RESOLVE_MS) == 0, "rdma_resolve_route");
      break;
    case RDMA_CM_EVENT_ROUTE_RESOLVED:
      add_qp(id);
      need(rdma_connect(id, &param) == 0, "rdma_connect");
      break;
    case RDMA_CM_EVENT_CONNECT_REQUEST:
      id->context = NULL;
      add_qp(id);
      need(rdma_accept(id, &param) == 0, "rdma_accept");
      break;
    case RDMA_CM_EVENT_ESTABLISHED:
      if (!is_client) break;
      established++;
      need(rdma_disconnect(id) == 0, "rdma_disconnect");
      break;
    case RDMA_CM_EVENT_DISCONNECTED:
      // The server answers the client's disconnect with its own.
      if (!is_client) rdma_disconnect(id);
      destroy(id);
      if (!is_client) break;
      ended++;
      start();
      break;
    case RDMA_CM_EVENT_TIMEWAIT_EXIT:
      break;
    default:
      fail(rdma_event_str(type));
  }
}

static void storm(int at_once) {
  started = established = ended = 0;
  double began = seconds();
  for (int i = 0; i < at_once; i++) start();
  while (ended < CONNECTIONS) {
    struct rdma_cm_event* event;
    need(rdma_get_cm_event(channel, &event) == 0, "rdma_get_cm_event");
    enum rdma_cm_event_type type = event->event;
    struct rdma_cm_id* id = event->id;
    int is_client = type != RDMA_CM_EVENT_CONNECT_REQUEST && id->context == &client;
    // rdma_destroy_id waits for this.
    rdma_ack_cm_event(event);
    go_on(type, id, is_client);
  }
  printf("%d at once: %d established, %d ended, %.1f per second\n", at_once, established, ended,
         CONNECTIONS / (seconds() - began));
}

int main(void) {
  struct device d = open_device();
  channel = rdma_create_event_channel();
  need(channel != NULL, "rdma_create_event_channel");
  memcpy(&address.sin_addr, d.gid.raw + 12, 4);
  struct rdma_cm_id* listener;
  need(rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_bind_addr(listener, (struct sockaddr*)&address) == 0, "rdma_bind_addr");
  need(rdma_listen(listener, CONNECTIONS) == 0, "rdma_listen");
  address.sin_port = rdma_get_src_port(listener);
  storm(1);
  storm(16);
  rdma_destroy_id(listener);
  rdma_destroy_event_channel(channel);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
