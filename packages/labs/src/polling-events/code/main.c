// A program that sleeps until a completion comes, and two ways to wait for an event that never comes.
#include <poll.h>

#include "common.h"

// Long enough for an event to arrive, ms.
#define SILENT_MS 100

struct ends {
  struct ibv_qp* client;
  struct ibv_cq* client_cq;
  struct ibv_comp_channel* channel;
  struct ibv_cq* server_cq;
};

// Sends a message without data. It has arrived when this returns.
static void send_message(struct ends* e) {
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED};
  check(ibv_post_send(e->client, &wr, &bad), "ibv_post_send");
  next_success(e->client_cq);
}

static void arm(struct ends* e) { check(ibv_req_notify_cq(e->server_cq, 0), "ibv_req_notify_cq"); }

// Sleeps in the kernel until the CQ raises an event, which does not say how many completions there are.
static void take_event(struct ends* e) {
  struct ibv_cq* cq;
  void* context;
  need(ibv_get_cq_event(e->channel, &cq, &context) == 0, "ibv_get_cq_event");
  // ibv_destroy_cq waits until all events are acknowledged.
  ibv_ack_cq_events(cq, 1);
}

static int raises_event(struct ends* e) {
  struct pollfd fd = {.fd = e->channel->fd, .events = POLLIN};
  if (poll(&fd, 1, SILENT_MS) == 0) return 0;
  take_event(e);
  return 1;
}

// Number of the message that a poll finds; 0 for none.
static int poll_once(struct ends* e) {
  struct ibv_wc wc;
  int n = ibv_poll_cq(e->server_cq, 1, &wc);
  need(n >= 0, "ibv_poll_cq");
  return n == 0 ? 0 : (int)wc.wr_id;
}

// The right order: poll, arm, poll once more, and only then sleep.
static int sleep_for_message(struct ends* e) {
  for (;;) {
    int message = poll_once(e);
    if (message) return message;
    arm(e);
    message = poll_once(e);
    if (message) return message;
    take_event(e);
  }
}

int main(void) {
  struct device d = open_device();
  struct ends e = {.client_cq = create_cq(&d, 16)};
  e.channel = ibv_create_comp_channel(d.context);
  need(e.channel != NULL, "ibv_create_comp_channel");
  e.server_cq = ibv_create_cq(d.context, 16, NULL, e.channel, 0);
  need(e.server_cq != NULL, "ibv_create_cq");
  e.client = create_qp(&d, e.client_cq, IBV_QPT_RC, 16);
  struct ibv_qp* server = create_qp(&d, e.server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, e.client, server->qp_num);
  connect_rc(&d, server, e.client->qp_num);
  for (int i = 1; i <= 4; i++) {
    struct ibv_recv_wr *bad, recv = {.wr_id = i};
    check(ibv_post_recv(server, &recv, &bad), "ibv_post_recv");
  }

  // An armed CQ raises one event.
  arm(&e);
  send_message(&e);
  int events = raises_event(&e);
  printf("armed: %d event, message %d\n", events, poll_once(&e));

  // After the event it is no longer armed. This program forgets to arm it again.
  send_message(&e);
  events = raises_event(&e);
  printf("not armed again: %d events, message %d is in the CQ\n", events, poll_once(&e));

  // The CQ is empty, a message comes, and only then the program arms.
  printf("the CQ is empty: %s\n", poll_once(&e) == 0 ? "yes" : "no");
  send_message(&e);
  arm(&e);
  events = raises_event(&e);
  printf("armed too late: %d events, a poll finds message %d\n", events, poll_once(&e));

  send_message(&e);
  printf("in the right order: message %d\n", sleep_for_message(&e));

  ibv_destroy_qp(e.client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(e.client_cq);
  ibv_destroy_cq(e.server_cq);
  ibv_destroy_comp_channel(e.channel);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
