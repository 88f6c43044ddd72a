/*
 * Remote procedure calls as in storage protocols. Each call binds a type 2 window over the buffer for its
 * answer and sends the key. The server WRITEs the answer there, and its reply, a SEND with invalidate, takes
 * the window away. The server takes requests of all its clients from one shared queue, and refills it when an
 * event says that it is low. All processes sleep on events. The clients are processes of their own.
 */
#include "common.h"

enum { kClients = 3, kCalls = 400, kAnswer = 3000, kReceives = 12, kLow = 4 };

struct request {
  uint64_t address;
  uint32_t rkey;
  uint32_t number;
};

static void exchange(int fd, const void* mine, void* theirs, size_t size) {
  CHECK(write(fd, mine, size) == (ssize_t)size);
  CHECK(recv(fd, theirs, size, MSG_WAITALL) == (ssize_t)size);
}

static uint8_t answer_byte(uint32_t number, uint32_t i) { return (uint8_t)(number * 7 + i * 13); }

static int client(int fd) {
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  struct ibv_comp_channel* channel = ibv_create_comp_channel(context);
  struct ibv_cq_init_attr_ex cq_attr = {
      .cqe = 16, .channel = channel, .wc_flags = IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM};
  struct ibv_cq_ex* cq = ibv_create_cq_ex(context, &cq_attr);
  CHECK(pd != NULL && channel != NULL && cq != NULL);
  struct ibv_qp_init_attr_ex qp_attr = {.send_cq = ibv_cq_ex_to_cq(cq),
                                        .recv_cq = ibv_cq_ex_to_cq(cq),
                                        .cap = {.max_send_wr = 8,
                                                .max_recv_wr = 2,
                                                .max_send_sge = 1,
                                                .max_recv_sge = 1,
                                                .max_inline_data = 64},
                                        .qp_type = IBV_QPT_RC,
                                        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
                                        .pd = pd,
                                        .send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_BIND_MW};
  struct ibv_qp* qp = ibv_create_qp_ex(context, &qp_attr);
  CHECK(qp != NULL);
  struct ibv_qp_ex* ex = ibv_qp_to_qp_ex(qp);
  uint32_t peer;
  exchange(fd, &qp->qp_num, &peer, sizeof peer);
  connect_to(qp, peer);
  uint8_t* buffer = calloc(2, kAnswer);
  struct ibv_mr* mr = ibv_reg_mr(pd, buffer, 2 * kAnswer, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
  struct ibv_mw* mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
  CHECK(mr != NULL && mw != NULL);
  CHECK(ibv_req_notify_cq(ibv_cq_ex_to_cq(cq), 0) == 0);
  uint8_t ready;
  exchange(fd, "r", &ready, 1);
  for (uint32_t number = 0; number < kCalls; ++number) {
    memset(buffer, 0, kAnswer);
    struct ibv_recv_wr recv = {.wr_id = 1}, *bad_recv;
    CHECK(ibv_post_recv(qp, &recv, &bad_recv) == 0);
    struct ibv_mw_bind_info info = {
        .mr = mr, .addr = (uintptr_t)buffer, .length = kAnswer, .mw_access_flags = IBV_ACCESS_REMOTE_WRITE};
    mw->rkey = ibv_inc_rkey(mw->rkey);
    struct request request = {(uintptr_t)buffer, mw->rkey, number};
    ibv_wr_start(ex);
    ex->wr_flags = 0;
    ibv_wr_bind_mw(ex, mw, mw->rkey, &info);
    ex->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_send(ex);
    ibv_wr_set_inline_data(ex, &request, sizeof request);
    CHECK(ibv_wr_complete(ex) == 0);
    for (int sent = 0, replied = 0; !sent || !replied;) {
      struct ibv_poll_cq_attr none = {0};
      int status = ibv_start_poll(cq, &none);
      if (status == ENOENT) {
        wait_for(channel);
        continue;
      }
      CHECK(status == 0);
      do {
        CHECK(cq->status == IBV_WC_SUCCESS);
        if (ibv_wc_read_opcode(cq) == IBV_WC_SEND) {
          sent = 1;
          continue;
        }
        CHECK(ibv_wc_read_opcode(cq) == IBV_WC_RECV && ibv_wc_read_wc_flags(cq) == IBV_WC_WITH_INV);
        CHECK(ibv_wc_read_invalidated_rkey(cq) == mw->rkey);
        replied = 1;
      } while (ibv_next_poll(cq) == 0);
      ibv_end_poll(cq);
    }
    for (uint32_t i = 0; i < kAnswer; ++i) CHECK(buffer[i] == answer_byte(number, i));
    CHECK(buffer[kAnswer] == 0);
  }
  exchange(fd, "d", &ready, 1);
  CHECK(ibv_destroy_qp(qp) == 0 && ibv_dealloc_mw(mw) == 0 && ibv_dereg_mr(mr) == 0);
  CHECK(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)) == 0 && ibv_destroy_comp_channel(channel) == 0);
  CHECK(ibv_dealloc_pd(pd) == 0 && ibv_close_device(context) == 0);
  free(buffer);
  return 0;
}

struct server {
  struct ibv_srq* srq;
  struct ibv_mr* mr;
  struct request* requests;
  unsigned posted, refills;
};

static void post(struct server* s, uint64_t slot) {
  struct ibv_sge sge = {(uintptr_t)&s->requests[slot], sizeof *s->requests, s->mr->lkey};
  struct ibv_recv_wr wr = {.wr_id = slot, .sg_list = &sge, .num_sge = 1}, *bad;
  CHECK(ibv_post_srq_recv(s->srq, &wr, &bad) == 0);
}

int main(void) {
  CHECK(ibv_fork_init() == 0);
  int fds[kClients];
  pid_t pids[kClients];
  for (int i = 0; i < kClients; ++i) {
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pids[i] = fork();
    CHECK(pids[i] >= 0);
    if (pids[i] == 0) return client(pair[1]);
    fds[i] = pair[0];
  }
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  struct ibv_comp_channel* channel = ibv_create_comp_channel(context);
  struct ibv_cq* cq = ibv_create_cq(context, 64, NULL, channel, 0);
  struct ibv_srq_init_attr srq_attr = {.attr = {.max_wr = kReceives, .max_sge = 1}};
  struct server s = {.srq = ibv_create_srq(pd, &srq_attr), .requests = calloc(kReceives, sizeof *s.requests)};
  uint8_t* answers = malloc(kReceives * kAnswer);
  s.mr = ibv_reg_mr(pd, s.requests, kReceives * sizeof *s.requests, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* answers_mr = ibv_reg_mr(pd, answers, kReceives * kAnswer, 0);
  CHECK(cq != NULL && s.srq != NULL && s.mr != NULL && answers_mr != NULL);
  for (uint64_t i = 0; i < kReceives; ++i) post(&s, i);
  struct ibv_srq_attr low = {.srq_limit = kLow};
  CHECK(ibv_modify_srq(s.srq, &low, IBV_SRQ_LIMIT) == 0);
  CHECK(ibv_req_notify_cq(cq, 0) == 0);
  struct ibv_qp* qps[kClients];
  for (int i = 0; i < kClients; ++i) {
    struct ibv_qp_init_attr attr = {.send_cq = cq,
                                    .recv_cq = cq,
                                    .srq = s.srq,
                                    .cap = {.max_send_wr = 8, .max_send_sge = 1},
                                    .qp_type = IBV_QPT_RC};
    qps[i] = ibv_create_qp(pd, &attr);
    CHECK(qps[i] != NULL);
    uint32_t peer;
    exchange(fds[i], &qps[i]->qp_num, &peer, sizeof peer);
    connect_to(qps[i], peer);
  }
  uint8_t ready;
  for (int i = 0; i < kClients; ++i) exchange(fds[i], "r", &ready, 1);
  uint64_t used[kReceives];
  unsigned free_slots = 0;
  for (int answered = 0; answered < kClients * kCalls;) {
    struct ibv_wc wc;
    int n = ibv_poll_cq(cq, 1, &wc);
    CHECK(n >= 0);
    if (n == 0) {
      /*
       * An event says that the queue is low: refill it. An empty queue without that event would leave clients
       * to their RNR timers.
       */
      if (free_slots > kReceives - kLow) {
        struct ibv_async_event event;
        CHECK(ibv_get_async_event(context, &event) == 0);
        CHECK(event.event_type == IBV_EVENT_SRQ_LIMIT_REACHED && event.element.srq == s.srq);
        ibv_ack_async_event(&event);
        while (free_slots > 0) post(&s, used[--free_slots]);
        CHECK(ibv_modify_srq(s.srq, &low, IBV_SRQ_LIMIT) == 0);
        ++s.refills;
      } else {
        wait_for(channel);
      }
      continue;
    }
    CHECK(wc.status == IBV_WC_SUCCESS);
    if (wc.opcode == IBV_WC_SEND) { /* the answer is sent, so its receive may be used again */
      used[free_slots++] = wc.wr_id;
      ++answered;
      continue;
    }
    CHECK(wc.opcode == IBV_WC_RECV && wc.byte_len == sizeof(struct request));
    struct request* request = &s.requests[wc.wr_id];
    uint8_t* answer = answers + wc.wr_id * kAnswer;
    for (uint32_t i = 0; i < kAnswer; ++i) answer[i] = answer_byte(request->number, i);
    struct ibv_sge sge = {(uintptr_t)answer, kAnswer, answers_mr->lkey};
    struct ibv_send_wr reply = {.wr_id = wc.wr_id,
                                .opcode = IBV_WR_SEND_WITH_INV,
                                .send_flags = IBV_SEND_SIGNALED,
                                .invalidate_rkey = request->rkey};
    struct ibv_send_wr write = {.next = &reply, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE};
    write.wr.rdma.remote_addr = request->address;
    write.wr.rdma.rkey = request->rkey;
    struct ibv_send_wr* bad;
    int k = 0;
    while (qps[k]->qp_num != wc.qp_num) ++k;
    CHECK(ibv_post_send(qps[k], &write, &bad) == 0);
  }
  for (int i = 0; i < kClients; ++i) {
    int status;
    exchange(fds[i], "d", &ready, 1);
    CHECK(waitpid(pids[i], &status, 0) == pids[i] && status == 0);
    CHECK(ibv_destroy_qp(qps[i]) == 0);
  }
  CHECK(ibv_destroy_srq(s.srq) == 0 && ibv_dereg_mr(s.mr) == 0 && ibv_dereg_mr(answers_mr) == 0);
  CHECK(ibv_destroy_cq(cq) == 0 && ibv_destroy_comp_channel(channel) == 0);
  CHECK(ibv_dealloc_pd(pd) == 0 && ibv_close_device(context) == 0);
  CHECK(s.refills > 0);
  printf("%d calls of %d clients answered\n", kClients * kCalls, kClients);
  return 0;
}
