/*
 * Two processes answer each other, and count the answers that arrive before the completion of their request.
 * A NIC acknowledges a request before the peer's program can see it, so programs expect none.
 *
 * Arguments: bytes of a message, `send` or `write` (with immediate data), `poll` or `events`, number of CQs
 * (1, or 2: one per direction), number of queue pairs (1, or 2: one per direction), rounds. Each process
 * prints a line.
 */
#include "common.h"

enum { kMost = 1 << 20, kReceives = 16 };

struct address {
  uint32_t qpn[2];
  uint32_t rkey;
  uint64_t at;
};

struct options {
  uint32_t size, cqs, qps, rounds;
  int write, events;
};

struct side {
  struct ibv_cq *send_cq, *recv_cq;
  struct ibv_comp_channel* channel;
  struct ibv_qp *out, *in;
  struct ibv_mr* mr;
  struct address peer;
  uint32_t sent, completed;
};

static uint8_t memory[2][kMost];

static struct ibv_qp* make_qp(struct ibv_pd* pd, const struct side* s) {
  struct ibv_qp_init_attr attr = {.send_cq = s->send_cq,
                                  .recv_cq = s->recv_cq,
                                  .cap = {kReceives, kReceives, 1, 1, 0},
                                  .qp_type = IBV_QPT_RC,
                                  .sq_sig_all = 1};
  struct ibv_qp* qp = ibv_create_qp(pd, &attr);
  CHECK(qp != NULL);
  return qp;
}

static void post_receive(struct side* s) {
  struct ibv_sge sge = {(uintptr_t)memory[1], kMost, s->mr->lkey};
  struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
  CHECK(ibv_post_recv(s->in, &wr, &bad) == 0);
}

static void post(struct side* s, const struct options* o) {
  struct ibv_sge sge = {(uintptr_t)memory[0], o->size, s->mr->lkey};
  struct ibv_send_wr wr = {.sg_list = &sge,
                           .num_sge = 1,
                           .opcode = o->write ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_SEND,
                           .wr.rdma = {.remote_addr = s->peer.at, .rkey = s->peer.rkey}};
  struct ibv_send_wr* bad;
  CHECK(ibv_post_send(s->out, &wr, &bad) == 0);
  ++s->sent;
}

/* Takes a completion. Returns true if it is that of a receive. */
static int took_receive(struct side* s, struct ibv_cq* cq, int* any) {
  struct ibv_wc wc;
  *any = ibv_poll_cq(cq, 1, &wc);
  CHECK(*any >= 0);
  if (*any == 0) return 0;
  CHECK(wc.status == IBV_WC_SUCCESS);
  if ((wc.opcode & IBV_WC_RECV) != 0) return 1;
  ++s->completed;
  return 0;
}

static void await_receive(struct side* s, const struct options* o) {
  for (;;) {
    int any;
    if (took_receive(s, s->recv_cq, &any)) return;
    if (any == 0 && o->events) wait_for(s->channel);
  }
}

/* Takes the send completions that are there. */
static void settle(struct side* s) {
  int any = s->send_cq != s->recv_cq;
  while (any) took_receive(s, s->send_cq, &any);
}

static void run(int fd, int first, const struct options* o) {
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  struct side s = {.channel = ibv_create_comp_channel(context)};
  s.recv_cq = ibv_create_cq(context, 64, NULL, s.channel, 0);
  s.send_cq = o->cqs == 2 ? ibv_create_cq(context, 64, NULL, NULL, 0) : s.recv_cq;
  s.mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(s.mr != NULL);
  struct ibv_qp* qps[2] = {make_qp(pd, &s), NULL};
  qps[1] = o->qps == 2 ? make_qp(pd, &s) : qps[0];
  s.out = qps[first];
  s.in = qps[!first];
  const struct address mine = {{qps[0]->qp_num, qps[1]->qp_num}, s.mr->rkey, (uintptr_t)memory[1]};
  CHECK(write(fd, &mine, sizeof mine) == sizeof mine);
  CHECK(recv(fd, &s.peer, sizeof s.peer, MSG_WAITALL) == sizeof s.peer);
  for (uint32_t i = 0; i < o->qps; ++i) connect_to(qps[i], s.peer.qpn[i]);
  for (int i = 0; i < kReceives; ++i) post_receive(&s);
  CHECK(ibv_req_notify_cq(s.recv_cq, 0) == 0);
  char ready = 0;
  CHECK(write(fd, &ready, 1) == 1 && read(fd, &ready, 1) == 1);

  uint32_t late = 0;
  if (first) post(&s, o);
  for (uint32_t got = 0; got < o->rounds; ++got) {
    await_receive(&s, o);
    settle(&s);
    if (s.completed < s.sent) ++late;
    post_receive(&s);
    if (!first || got + 1 < o->rounds) post(&s, o);
  }
  printf("%u of %u\n", late, o->rounds);
  fflush(stdout);
  for (int any; s.completed < s.sent;) took_receive(&s, s.send_cq, &any);
  CHECK(write(fd, &ready, 1) == 1 && read(fd, &ready, 1) == 1);
}

int main(int argc, char** argv) {
  CHECK(argc == 7);
  const struct options o = {.size = (uint32_t)atoi(argv[1]),
                            .write = strcmp(argv[2], "write") == 0,
                            .events = strcmp(argv[3], "events") == 0,
                            .cqs = (uint32_t)atoi(argv[4]),
                            .qps = (uint32_t)atoi(argv[5]),
                            .rounds = (uint32_t)atoi(argv[6])};
  int fds[2], status;
  CHECK(o.size <= kMost && socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  run(fds[child == 0], child == 0, &o);
  if (child == 0) return 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
