// Two clients send to one pool of RECVs. An event says when the pool runs low.
#include "common.h"

#define CLIENTS 2
#define BUFFER 16
#define RECVS 4
#define LIMIT 2

static struct ibv_srq* create_srq(struct device* d) {
  struct ibv_srq_init_attr init = {.attr = {.max_wr = RECVS, .max_sge = 1}};
  struct ibv_srq* srq = ibv_create_srq(d->pd, &init);
  need(srq != NULL, "ibv_create_srq");
  return srq;
}

// A queue pair without a receive queue of its own.
static struct ibv_qp* create_qp_of(struct device* d, struct ibv_srq* srq, struct ibv_cq* cq) {
  struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq, .srq = srq};
  init.cap = (struct ibv_qp_cap){.max_send_wr = 16, .max_send_sge = 1};
  struct ibv_qp* qp = ibv_create_qp(d->pd, &init);
  need(qp != NULL, "ibv_create_qp");
  return qp;
}

static void send_text(struct end* client, const char* text) {
  strcpy(client->memory, text);
  check(post(client->qp, IBV_WR_SEND, 0, piece(client->mr, 0, strlen(text)), NULL, IBV_SEND_SIGNALED),
        "ibv_post_send");
  next_success(client->cq);
}

static uint32_t limit_of(struct ibv_srq* srq) {
  struct ibv_srq_attr attr;
  check(ibv_query_srq(srq, &attr), "ibv_query_srq");
  return attr.srq_limit;
}

int main(void) {
  struct device d = open_device();
  static char pool[RECVS][BUFFER];
  struct ibv_mr* pool_mr = register_memory(&d, pool, sizeof pool, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_srq* srq = create_srq(&d);
  struct ibv_cq* cq = create_cq(&d, 16);
  static struct end clients[CLIENTS];
  struct ibv_qp* servers[CLIENTS];
  for (int i = 0; i < CLIENTS; i++) {
    open_end(&d, &clients[i], IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
    servers[i] = create_qp_of(&d, srq, cq);
    connect_rc(&d, clients[i].qp, servers[i]->qp_num);
    connect_rc(&d, servers[i], clients[i].qp->qp_num);
  }
  for (int id = 0; id < RECVS; id++) {
    struct ibv_sge buffer = piece(pool_mr, id * BUFFER, BUFFER);
    struct ibv_recv_wr *bad, wr = {.wr_id = id, .sg_list = &buffer, .num_sge = 1};
    check(ibv_post_srq_recv(srq, &wr, &bad), "ibv_post_srq_recv");
  }
  // The device raises an event, once, when fewer RECVs than this are left. It then sets the limit to 0.
  struct ibv_srq_attr low = {.srq_limit = LIMIT};
  check(ibv_modify_srq(srq, &low, IBV_SRQ_LIMIT), "ibv_modify_srq");

  send_text(&clients[0], "one");
  send_text(&clients[1], "two");
  printf("%d RECVs left, the limit is %u\n", RECVS - 2, limit_of(srq));
  send_text(&clients[0], "three");
  struct ibv_async_event event;
  need(ibv_get_async_event(d.context, &event) == 0, "ibv_get_async_event");
  printf("%d RECV left, limit reached: %s\n", RECVS - 3,
         event.event_type == IBV_EVENT_SRQ_LIMIT_REACHED && event.element.srq == srq ? "yes" : "no");
  ibv_ack_async_event(&event);
  printf("the limit is %u\n", limit_of(srq));

  // wr_id names the RECV, and so the buffer. qp_num names the queue pair, and so the client.
  for (int i = 0; i < 3; i++) {
    struct ibv_wc wc = next_success(cq);
    printf("RECV %d: \"%.*s\" of client %d\n", (int)wc.wr_id, (int)wc.byte_len, pool[wc.wr_id],
           wc.qp_num == servers[0]->qp_num ? 1 : 2);
  }

  for (int i = 0; i < CLIENTS; i++) {
    close_end(&clients[i]);
    check(ibv_destroy_qp(servers[i]), "ibv_destroy_qp");
  }
  check(ibv_destroy_srq(srq), "ibv_destroy_srq");
  check(ibv_destroy_cq(cq), "ibv_destroy_cq");
  check(ibv_dereg_mr(pool_mr), "ibv_dereg_mr");
  close_device(&d);
  return 0;
}
