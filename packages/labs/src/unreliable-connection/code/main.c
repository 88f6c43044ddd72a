// A message without a RECV: UC drops it and says nothing, RC sends it again until the RECV is there.
#include "common.h"

#define MARK 1024  // offset of the byte that a WRITE sets

// UC needs less than RC: without ACKs there are no timeouts, no retries, no READs and no atomics.
static void connect_uc(struct device* d, struct ibv_qp* qp, uint32_t dest_qpn) {
  struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = REMOTE_ACCESS};
  check(ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
        "RESET to INIT");
  struct ibv_qp_attr rtr = {
      .qp_state = IBV_QPS_RTR, .path_mtu = d->mtu, .dest_qp_num = dest_qpn, .rq_psn = PSN};
  rtr.ah_attr = way_to(d, d->gid);
  check(ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN),
        "INIT to RTR");
  struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .sq_psn = PSN};
  check(ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_SQ_PSN), "RTR to RTS");
}

// Sends message `number`, of one byte. Its byte in the client's memory stays as it is until the end.
static void send_number(struct end* client, int number) {
  client->memory[number] = (char)number;
  check(post(client->qp, IBV_WR_SEND, number, piece(client->mr, number, 1), NULL, IBV_SEND_SIGNALED),
        "ibv_post_send");
}

static int next_number(struct end* server) {
  next_success(server->cq);
  return server->memory[0];
}

// A QP executes requests in order. Once this WRITE has landed, the server's device has handled all before it.
static void write_mark(struct end* client, struct end* server) {
  struct ibv_mr mark = *server->mr;
  mark.addr = server->memory + MARK;
  client->memory[MARK] = 1;
  check(post(client->qp, IBV_WR_RDMA_WRITE, 0, piece(client->mr, MARK, 1), &mark, IBV_SEND_SIGNALED),
        "ibv_post_send");
  while (*(volatile char*)mark.addr == 0) continue;
  next_success(client->cq);
}

int main(void) {
  struct device d = open_device();
  static struct end client, server, rc_client, rc_server;
  open_end(&d, &client, IBV_QPT_UC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_UC, REMOTE_ACCESS);
  connect_uc(&d, client.qp, server.qp->qp_num);
  connect_uc(&d, server.qp, client.qp->qp_num);

  // Three messages, and no RECV for the second one. A request over UC completes when it has left.
  post_recv(server.qp, 1, piece(server.mr, 0, 1));
  for (int number = 1; number <= 2; number++) {
    send_number(&client, number);
    next_success(client.cq);
  }
  int first = next_number(&server);
  write_mark(&client, &server);
  post_recv(server.qp, 2, piece(server.mr, 0, 1));
  send_number(&client, 3);
  next_success(client.cq);
  printf("UC: 3 SENDs succeeded; the server got %d, %d\n", first, next_number(&server));

  // Now over RC: the second message waits for its RECV, and the client's completion waits with it.
  open_end(&d, &rc_client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &rc_server, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  connect_ends(&d, &rc_client, &rc_server);
  post_recv(rc_server.qp, 1, piece(rc_server.mr, 0, 1));
  for (int number = 1; number <= 2; number++) send_number(&rc_client, number);
  next_success(rc_client.cq);
  first = next_number(&rc_server);
  struct ibv_wc wc;
  int completions = ibv_poll_cq(rc_client.cq, 1, &wc);
  need(completions >= 0, "ibv_poll_cq");
  post_recv(rc_server.qp, 2, piece(rc_server.mr, 0, 1));
  next_success(rc_client.cq);
  printf("RC: completions of message 2 before its RECV: %d; the server got %d, %d\n", completions, first,
         next_number(&rc_server));

  close_end(&client);
  close_end(&server);
  close_end(&rc_client);
  close_end(&rc_server);
  close_device(&d);
  return 0;
}
