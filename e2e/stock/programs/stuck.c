/*
 * Gets stuck in the way that its argument names, says so on stdout, and stays so until a signal ends it. Two
 * queue pairs of one process are connected to each other, unless the case is about another process.
 */
#define _GNU_SOURCE
#include <signal.h>

#include "ends.h"

enum { kEntries = 8, kMessage = 64 };

static struct ibv_pd* pd;
static struct ibv_comp_channel* channel;
static struct ibv_cq *client_cq, *server_cq;
static struct ibv_qp *client, *server;
static struct ibv_mr* mr;
static uint8_t memory[4096];

static struct ibv_qp* make(struct ibv_cq* cq) {
  struct ibv_qp_init_attr attr = {.send_cq = cq,
                                  .recv_cq = cq,
                                  .cap = {.max_send_wr = kEntries,
                                          .max_recv_wr = kEntries,
                                          .max_send_sge = 1,
                                          .max_recv_sge = 1},
                                  .qp_type = IBV_QPT_RC};
  struct ibv_qp* qp = ibv_create_qp(pd, &attr);
  CHECK(qp != NULL);
  return qp;
}

/* The completion queue of the server has the channel. */
static void set_up(uint8_t timeout) {
  struct ibv_context* context = open_first();
  pd = ibv_alloc_pd(context);
  channel = ibv_create_comp_channel(context);
  client_cq = ibv_create_cq(context, 4 * kEntries, NULL, NULL, 0);
  server_cq = ibv_create_cq(context, 4 * kEntries, NULL, channel, 0);
  CHECK(pd != NULL && channel != NULL && client_cq != NULL && server_cq != NULL);
  mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(mr != NULL);
  client = make(client_cq);
  server = make(server_cq);
  connect_within(client, server->qp_num, timeout);
  connect_within(server, client->qp_num, timeout);
}

static void post_recv(void) {
  struct ibv_sge sge = {(uintptr_t)memory, kMessage, mr->lkey};
  struct ibv_recv_wr wr = {.wr_id = 900, .sg_list = &sge, .num_sge = 1}, *bad;
  CHECK(ibv_post_recv(server, &wr, &bad) == 0);
}

static int try_send(uint64_t wr_id, enum ibv_wr_opcode opcode, unsigned flags) {
  struct ibv_sge sge = {(uintptr_t)memory, kMessage, mr->lkey};
  struct ibv_send_wr wr = {
      .wr_id = wr_id, .sg_list = &sge, .num_sge = 1, .opcode = opcode, .send_flags = flags};
  wr.wr.rdma.remote_addr = (uintptr_t)memory + 2048;
  wr.wr.rdma.rkey = mr->rkey;
  struct ibv_send_wr* bad;
  return ibv_post_send(client, &wr, &bad);
}
static void post_send(uint64_t wr_id) { CHECK(try_send(wr_id, IBV_WR_SEND, IBV_SEND_SIGNALED) == 0); }
static void post_one(uint64_t wr_id) { CHECK(try_send(wr_id, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED) == 0); }

static enum ibv_wc_status next_of(struct ibv_cq* cq) {
  struct ibv_wc wc;
  int n;
  while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) {
  }
  CHECK(n == 1);
  return wc.status;
}

static void say_stuck(void) { CHECK(write(1, "stuck\n", 6) == 6); }
static void sleep_on(void) {
  say_stuck();
  for (;;) pause();
}
static void poll_on(struct ibv_cq* cq) {
  say_stuck();
  struct ibv_wc wc;
  for (;;) {
    CHECK(ibv_poll_cq(cq, 1, &wc) == 0);
    usleep(1000);
  }
}

/* Three receives, and a fourth message. */
static void no_receive(void) {
  set_up(14);
  for (int i = 0; i < 3; ++i) post_recv();
  for (uint64_t i = 0; i < 3; ++i) {
    post_send(i);
    CHECK(next_of(client_cq) == IBV_WC_SUCCESS && next_of(server_cq) == IBV_WC_SUCCESS);
  }
  post_send(3);
  poll_on(client_cq);
}

static void unpolled(void) {
  set_up(14);
  for (uint64_t i = 0; i < 3; ++i) post_one(i);
  sleep_on();
}

/* Asks for an event after the completion has come, and waits for it. */
static void armed_late(void) {
  set_up(14);
  post_recv();
  post_send(0);
  CHECK(next_of(client_cq) == IBV_WC_SUCCESS);
  CHECK(ibv_req_notify_cq(server_cq, 0) == 0);
  say_stuck();
  wait_for(channel);
}

/* Asks for solicited events, which the sender does not ask for. */
static void solicited(void) {
  set_up(14);
  CHECK(ibv_req_notify_cq(server_cq, 1) == 0);
  post_recv();
  post_send(0);
  CHECK(next_of(client_cq) == IBV_WC_SUCCESS);
  say_stuck();
  wait_for(channel);
}

/* The event of the completion is never taken. */
static void untaken(void) {
  set_up(14);
  CHECK(ibv_req_notify_cq(server_cq, 0) == 0);
  post_recv();
  post_send(0);
  CHECK(next_of(client_cq) == IBV_WC_SUCCESS);
  sleep_on();
}

/* Tries to post one more than the queue holds, and none was signaled. */
static void full(void) {
  set_up(14);
  for (uint64_t i = 0; i < kEntries; ++i) CHECK(try_send(i, IBV_WR_RDMA_WRITE, 0) == 0);
  say_stuck();
  while (try_send(kEntries, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED) != 0) usleep(1000);
}

/* The completions that would make room are not polled. */
static void full_unpolled(void) {
  set_up(14);
  for (uint64_t i = 0; i < kEntries; ++i) post_one(i);
  say_stuck();
  while (try_send(kEntries, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED) != 0) usleep(1000);
}

/* The peer is in ERR, and there is no timeout. */
static void no_timeout(void) {
  set_up(0);
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
  CHECK(ibv_modify_qp(server, &attr, IBV_QP_STATE) == 0);
  post_one(5);
  poll_on(client_cq);
}

/* The request has failed, and the program goes on as if nothing had happened. */
static void in_error(void) {
  set_up(14);
  mr->rkey += 0x100;
  post_one(6);
  CHECK(next_of(client_cq) == IBV_WC_REM_ACCESS_ERR);
  poll_on(client_cq);
}

/* The event is taken and not acknowledged. */
static void unacknowledged(void) {
  set_up(14);
  CHECK(ibv_req_notify_cq(server_cq, 0) == 0);
  post_recv();
  post_send(0);
  struct ibv_cq* cq;
  void* unused;
  CHECK(ibv_get_cq_event(channel, &cq, &unused) == 0);
  CHECK(next_of(client_cq) == IBV_WC_SUCCESS && next_of(server_cq) == IBV_WC_SUCCESS);
  CHECK(ibv_destroy_qp(server) == 0);
  say_stuck();
  ibv_destroy_cq(server_cq);
}

/* The receives of a server whose clients have nothing to say. */
static void receive(void) {
  set_up(14);
  post_recv();
  poll_on(server_cq);
}

struct hello {
  uint32_t qpn, rkey;
  uint64_t address;
};

/* Another process has the peer, and is stopped or gone before the request. */
static void other_process(int gone) {
  int to_child[2], to_parent[2];
  CHECK(pipe(to_child) == 0 && pipe(to_parent) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) end_with_parent();
  struct ibv_context* context = open_first();
  pd = ibv_alloc_pd(context);
  CHECK(pd != NULL);
  client_cq = ibv_create_cq(context, kEntries, NULL, NULL, 0);
  mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(client_cq != NULL && mr != NULL);
  client = make(client_cq);
  struct hello mine = {client->qp_num, mr->rkey, (uintptr_t)memory}, theirs;
  write_all(child == 0 ? to_parent[1] : to_child[1], &mine, sizeof mine);
  read_all(child == 0 ? to_child[0] : to_parent[0], &theirs, sizeof theirs);
  connect_within(client, theirs.qpn, 0);
  char ready = 1;
  if (child == 0) {
    write_all(to_parent[1], &ready, 1);
    for (;;) pause();
  }
  read_all(to_parent[0], &ready, 1);
  mr->rkey = theirs.rkey;
  /* The peer has answered before: it has the time to tell of itself. */
  for (const uint64_t end = now_ms() + 500; now_ms() < end;) {
    post_one(7);
    CHECK(next_of(client_cq) == IBV_WC_SUCCESS);
  }
  CHECK(kill(child, gone ? SIGKILL : SIGSTOP) == 0);
  CHECK(waitpid(child, NULL, gone ? 0 : WUNTRACED) == child);
  post_one(7);
  poll_on(client_cq);
}
static void stopped_peer(void) { other_process(0); }
static void gone_peer(void) { other_process(1); }

static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    {"no-receive", no_receive},       {"unpolled", unpolled},
    {"armed-late", armed_late},       {"solicited", solicited},
    {"untaken", untaken},             {"full", full},
    {"full-unpolled", full_unpolled}, {"no-timeout", no_timeout},
    {"in-error", in_error},           {"unacknowledged", unacknowledged},
    {"receive", receive},             {"stopped-peer", stopped_peer},
    {"gone-peer", gone_peer},
};

int main(int argc, char** argv) {
  CHECK(argc == 2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (strcmp(argv[1], cases[i].name) == 0) cases[i].run();
  return 2;
}
