// A connection with rdma_cm: the server sends address and rkey as private data, and rejects a second request.
// Both ends are in one process. Each has its own event channel, as two programs would.
#include <endian.h>
#include <rdma/rdma_cma.h>

#include "common.h"

#define SIZE 4096
#define RESOLVE_MS 2000

// Private data of the server: big-endian, 12 bytes.
struct __attribute__((packed)) remote {
  uint64_t addr;
  uint32_t rkey;
};

struct side {
  struct rdma_cm_id* id;
  struct ibv_pd* pd;
  struct ibv_cq* cq;
};

// Waits for the next event, which must be this one. The caller acknowledges it.
static struct rdma_cm_event* expect(struct rdma_event_channel* channel, enum rdma_cm_event_type type) {
  struct rdma_cm_event* event;
  need(rdma_get_cm_event(channel, &event) == 0, "rdma_get_cm_event");
  printf("%s\n", rdma_event_str(event->event));
  if (event->event == type) return event;
  fprintf(stderr, "expected %s, status %d\n", rdma_event_str(type), event->status);
  exit(1);
}

static void pass(struct rdma_event_channel* channel, enum rdma_cm_event_type type) {
  rdma_ack_cm_event(expect(channel, type));
}

// The id has opened the device: PD and CQ come from its context. rdma_create_qp moves the QP to INIT.
static void create_queues(struct side* end) {
  end->pd = ibv_alloc_pd(end->id->verbs);
  need(end->pd != NULL, "ibv_alloc_pd");
  end->cq = ibv_create_cq(end->id->verbs, 16, NULL, NULL, 0);
  need(end->cq != NULL, "ibv_create_cq");
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC, .send_cq = end->cq, .recv_cq = end->cq};
  init.cap = (struct ibv_qp_cap){.max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1};
  need(rdma_create_qp(end->id, end->pd, &init) == 0, "rdma_create_qp");
}

static void resolve(struct rdma_event_channel* channel, struct side* end, struct sockaddr_in* to) {
  need(rdma_create_id(channel, &end->id, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_resolve_addr(end->id, NULL, (struct sockaddr*)to, RESOLVE_MS) == 0, "rdma_resolve_addr");
  pass(channel, RDMA_CM_EVENT_ADDR_RESOLVED);
  need(rdma_resolve_route(end->id, RESOLVE_MS) == 0, "rdma_resolve_route");
  pass(channel, RDMA_CM_EVENT_ROUTE_RESOLVED);
  create_queues(end);
}

static void destroy(struct side* end) {
  rdma_destroy_qp(end->id);
  ibv_destroy_cq(end->cq);
  ibv_dealloc_pd(end->pd);
  rdma_destroy_id(end->id);
}

int main(void) {
  struct device d = open_device();
  struct sockaddr_in address = {.sin_family = AF_INET};
  memcpy(&address.sin_addr, d.gid.raw + 12, 4);

  struct rdma_event_channel* at_server = rdma_create_event_channel();
  struct rdma_event_channel* at_client = rdma_create_event_channel();
  need(at_server && at_client, "rdma_create_event_channel");
  struct rdma_cm_id* listener;
  need(rdma_create_id(at_server, &listener, NULL, RDMA_PS_TCP) == 0, "rdma_create_id");
  need(rdma_bind_addr(listener, (struct sockaddr*)&address) == 0, "rdma_bind_addr");
  need(rdma_listen(listener, 2) == 0, "rdma_listen");
  // Port 0 means any free port.
  address.sin_port = rdma_get_src_port(listener);

  struct side client, server;
  resolve(at_client, &client, &address);
  struct rdma_conn_param request = {.responder_resources = 1, .initiator_depth = 1, .retry_count = 7};
  need(rdma_connect(client.id, &request) == 0, "rdma_connect");

  // The request comes with its own id; the listener continues to listen.
  struct rdma_cm_event* event = expect(at_server, RDMA_CM_EVENT_CONNECT_REQUEST);
  server.id = event->id;
  rdma_ack_cm_event(event);
  create_queues(&server);
  static char client_memory[2 * SIZE], server_memory[SIZE];
  struct ibv_mr* server_mr = ibv_reg_mr(server.pd, server_memory, SIZE, REMOTE_ACCESS);
  struct ibv_mr* client_mr =
      ibv_reg_mr(client.pd, client_memory, sizeof client_memory, IBV_ACCESS_LOCAL_WRITE);
  need(server_mr && client_mr, "ibv_reg_mr");
  struct remote mine = {htobe64((uintptr_t)server_memory), htobe32(server_mr->rkey)};
  struct rdma_conn_param answer = request;
  answer.private_data = &mine;
  answer.private_data_len = sizeof mine;
  need(rdma_accept(server.id, &answer) == 0, "rdma_accept");

  event = expect(at_client, RDMA_CM_EVENT_ESTABLISHED);
  struct remote told;
  need(event->param.conn.private_data_len >= sizeof told, "private data");
  memcpy(&told, event->param.conn.private_data, sizeof told);
  rdma_ack_cm_event(event);
  pass(at_server, RDMA_CM_EVENT_ESTABLISHED);

  // The client knows the server's memory only from the private data.
  struct ibv_mr remote = {.addr = (void*)(uintptr_t)be64toh(told.addr), .rkey = be32toh(told.rkey)};
  for (int i = 0; i < SIZE; i++) client_memory[i] = (char)(31 * i + 7);
  check(post(client.id->qp, IBV_WR_RDMA_WRITE, 1, piece(client_mr, 0, SIZE), &remote, IBV_SEND_SIGNALED),
        "ibv_post_send");
  next_success(client.cq);
  check(post(client.id->qp, IBV_WR_RDMA_READ, 2, piece(client_mr, SIZE, SIZE), &remote, IBV_SEND_SIGNALED),
        "ibv_post_send");
  next_success(client.cq);
  int same = memcmp(client_memory, server_memory, SIZE) == 0 &&
             memcmp(client_memory, client_memory + SIZE, SIZE) == 0;
  printf("written and read back: %s\n", same ? "yes" : "no");

  need(rdma_disconnect(client.id) == 0, "rdma_disconnect");
  pass(at_server, RDMA_CM_EVENT_DISCONNECTED);
  need(rdma_disconnect(server.id) == 0, "rdma_disconnect");
  pass(at_client, RDMA_CM_EVENT_DISCONNECTED);
  ibv_dereg_mr(client_mr);
  ibv_dereg_mr(server_mr);
  destroy(&client);
  destroy(&server);

  // The server rejects a second client. The private data says why.
  resolve(at_client, &client, &address);
  need(rdma_connect(client.id, &request) == 0, "rdma_connect");
  event = expect(at_server, RDMA_CM_EVENT_CONNECT_REQUEST);
  struct rdma_cm_id* refused = event->id;
  rdma_ack_cm_event(event);
  const char why[] = "Server busy.";
  need(rdma_reject(refused, why, sizeof why) == 0, "rdma_reject");
  event = expect(at_client, RDMA_CM_EVENT_REJECTED);
  printf("reason %d: %s\n", event->status, (const char*)event->param.conn.private_data);
  rdma_ack_cm_event(event);
  rdma_destroy_id(refused);
  destroy(&client);

  rdma_destroy_id(listener);
  rdma_destroy_event_channel(at_client);
  rdma_destroy_event_channel(at_server);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
