/*
 * A program that has to be killed, or ends by a fault, as its argument names. Prints "ready" once it waits.
 *
 *   wrong-state     has posted to a queue pair in RESET; sleeps
 *   restored        like wrong-state, and has set SIGTERM to a handler and back to the default
 *   spin            like wrong-state, and polls without end, so the engine lock is nearly always held
 *   segv, overflow, abort  like wrong-state, and ends by it
 *   exec            like wrong-state, and becomes another program once its report has a draft
 *   late-arm        asks for the event of a completion that is there already, and waits for it
 *   solicited       asks for solicited completions only, and waits for one that is not solicited
 *   unpolled        never polls its completions
 *   unacknowledged  destroys a completion queue whose event it has not acknowledged
 *   no-receive      sends to a queue pair without receives, which rnr_retry 7 never gives up
 */
#include <signal.h>

#include "common.h"

static struct ibv_context* context;
static struct ibv_comp_channel* channel;
static struct ibv_cq *sends, *receives;
static struct ibv_qp *a, *b;
static struct ibv_mr* mr;
static char buffer[64];

static struct ibv_qp* make_qp(struct ibv_pd* pd) {
  struct ibv_qp_init_attr init = {
      .send_cq = sends,
      .recv_cq = receives,
      .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1},
      .qp_type = IBV_QPT_RC};
  struct ibv_qp* qp = ibv_create_qp(pd, &init);
  CHECK(qp != NULL);
  return qp;
}

static int post_send(int flags) {
  struct ibv_sge sge = {(uintptr_t)buffer, 8, mr->lkey};
  struct ibv_send_wr wr = {.wr_id = 5,
                           .sg_list = &sge,
                           .num_sge = 1,
                           .opcode = IBV_WR_SEND,
                           .send_flags = flags},
                     *bad;
  return ibv_post_send(a, &wr, &bad);
}

static void post_receive(void) {
  struct ibv_sge sge = {(uintptr_t)buffer + 8, 8, mr->lkey};
  struct ibv_recv_wr wr = {.wr_id = 6, .sg_list = &sge, .num_sge = 1}, *bad;
  CHECK(ibv_post_recv(b, &wr, &bad) == 0);
}

static void ready(void) { CHECK(write(1, "ready\n", 6) == 6); }

static void sleep_for_ever(void) {
  ready();
  for (;;) pause();
}

static void on_term(int number) { (void)number; }

/*
 * Sends a message. Its send completion shows that the completion of a queue that is not polled is there too.
 */
static void send_one(void) {
  CHECK(post_send(IBV_SEND_SIGNALED) == 0);
  struct ibv_wc wc;
  while (ibv_poll_cq(sends, 1, &wc) == 0) {
  }
  CHECK(wc.status == IBV_WC_SUCCESS);
}

static void wait_for_event(void) {
  struct ibv_cq* cq;
  void* unused;
  ready();
  CHECK(ibv_get_cq_event(channel, &cq, &unused) == 0);
}

static void talk(const char* how) {
  connect_to(a, b->qp_num);
  connect_to(b, a->qp_num);
  if (strcmp(how, "no-receive") == 0) {
    CHECK(post_send(IBV_SEND_SIGNALED) == 0);
    sleep_for_ever();
  }
  post_receive();
  if (strcmp(how, "solicited") == 0) CHECK(ibv_req_notify_cq(receives, 1) == 0);
  if (strcmp(how, "unacknowledged") == 0) CHECK(ibv_req_notify_cq(receives, 0) == 0);
  send_one();
  if (strcmp(how, "unpolled") == 0) sleep_for_ever();
  if (strcmp(how, "late-arm") == 0) CHECK(ibv_req_notify_cq(receives, 0) == 0);
  wait_for_event();
  CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
  ibv_destroy_cq(receives);
}

static void become_another(void) {
  char draft[4096];
  snprintf(draft, sizeof draft, "%s/%d", getenv("UROCE_REPORT_DRAFTS"), getpid());
  while (access(draft, F_OK) != 0) usleep(1000);
  CHECK(execl("/nonexistent", "nonexistent", NULL) == -1 && access(draft, F_OK) != 0);
  while (access(draft, F_OK) != 0) usleep(1000); /* the program goes on after the failed execl() */
  execl("/bin/echo", "echo", "another", NULL);
  _exit(1);
}

int main(int argc, char** argv) {
  CHECK(argc > 1);
  const char* how = argv[1];
  context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  channel = ibv_create_comp_channel(context);
  sends = ibv_create_cq(context, 8, NULL, NULL, 0);
  receives = ibv_create_cq(context, 8, NULL, channel, 0);
  mr = ibv_reg_mr(pd, buffer, sizeof buffer, IBV_ACCESS_LOCAL_WRITE);
  CHECK(pd && channel && sends && receives && mr);
  a = make_qp(pd);
  b = make_qp(pd);
  const char* talks[] = {"late-arm", "solicited", "unpolled", "unacknowledged", "no-receive"};
  for (size_t i = 0; i < sizeof talks / sizeof *talks; ++i) {
    if (strcmp(how, talks[i]) == 0) talk(how);
  }
  CHECK(post_send(IBV_SEND_SIGNALED) == EINVAL);
  if (strcmp(how, "restored") == 0) {
    CHECK(signal(SIGTERM, on_term) == SIG_DFL && signal(SIGTERM, SIG_DFL) == on_term);
    struct sigaction action;
    CHECK(sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler == SIG_DFL && action.sa_flags == 0);
  }
  if (strcmp(how, "overflow") == 0) overflow(how);
  if (strcmp(how, "segv") == 0) *(volatile int*)(uintptr_t)8 = 1;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "exec") == 0) become_another();
  if (strcmp(how, "spin") != 0) sleep_for_ever();
  ready();
  struct ibv_wc wc;
  while (ibv_poll_cq(sends, 1, &wc) == 0) {
  }
  return 0;
}
