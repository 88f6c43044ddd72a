/*
 * rules CASE: guarantees that programs rely on at the edges of verbs, between two queue pairs of one process.
 * Each case checks a rule of the standard or of the man pages.
 */
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "common.h"

enum { kDepth = 16, kInline = 64, kBytes = 4096, kWaitMs = 10000 };

struct side {
  struct ibv_comp_channel* channel;
  struct ibv_cq* cq;
  struct ibv_qp* qp;
  struct ibv_mr* mr;
  uint8_t* memory;
  uint32_t most_sends, most_inline;
};

static struct ibv_context* context;

static struct side make_side(struct ibv_pd* pd) {
  struct side s = {.channel = ibv_create_comp_channel(context), .memory = calloc(1, kBytes)};
  CHECK(s.channel != NULL && s.memory != NULL);
  s.cq = ibv_create_cq(context, 4 * kDepth, NULL, s.channel, 0);
  CHECK(s.cq != NULL);
  struct ibv_qp_init_attr attr = {
      .send_cq = s.cq, .recv_cq = s.cq, .cap = {kDepth, kDepth, 2, 2, kInline}, .qp_type = IBV_QPT_RC};
  s.qp = ibv_create_qp(pd, &attr);
  s.mr = ibv_reg_mr(pd, s.memory, kBytes,
                    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
  CHECK(s.qp != NULL && s.mr != NULL);
  s.most_sends = attr.cap.max_send_wr;
  s.most_inline = attr.cap.max_inline_data;
  return s;
}

static struct side here, there;

static int receive(uint32_t length) {
  struct ibv_sge sge = {(uintptr_t)there.memory, length, there.mr->lkey};
  struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
  return ibv_post_recv(there.qp, &wr, &bad);
}

/* A request to the front of the memory there. */
static struct ibv_send_wr request(enum ibv_wr_opcode opcode, struct ibv_sge* sge) {
  return (struct ibv_send_wr){.sg_list = sge,
                              .num_sge = 1,
                              .opcode = opcode,
                              .send_flags = IBV_SEND_SIGNALED,
                              .wr.rdma = {(uintptr_t)there.memory, there.mr->rkey}};
}

static struct ibv_sge mine(uint32_t length) {
  return (struct ibv_sge){(uintptr_t)here.memory, length, here.mr->lkey};
}

static int post(struct ibv_send_wr wr) {
  struct ibv_send_wr* bad;
  return ibv_post_send(here.qp, &wr, &bad);
}

static enum ibv_wc_status complete(struct side* s) {
  struct ibv_wc wc;
  int n;
  while ((n = ibv_poll_cq(s->cq, 1, &wc)) == 0) continue;
  CHECK(n == 1);
  return wc.status;
}

static int woken(struct side* s, int ms) {
  struct pollfd fd = {s->channel->fd, POLLIN, 0};
  return poll(&fd, 1, ms);
}

static enum ibv_qp_state state(struct side* s) {
  struct ibv_qp_attr attr;
  struct ibv_qp_init_attr init;
  CHECK(ibv_query_qp(s->qp, &attr, IBV_QP_STATE, &init) == 0);
  return attr.qp_state;
}

/*
 * The post copies inline data, from any memory. More data than the queue pair takes and an inline READ are
 * refused.
 */
static void inline_data(void) {
  uint8_t unregistered[kBytes];
  memset(unregistered, 'q', sizeof unregistered);
  struct ibv_sge sge = {(uintptr_t)unregistered, here.most_inline + 1, 0};
  struct ibv_send_wr wr = request(IBV_WR_SEND, &sge);
  wr.send_flags |= IBV_SEND_INLINE;
  CHECK(post(wr) == EINVAL);
  CHECK(receive(kBytes) == 0);
  sge.length = here.most_inline;
  CHECK(post(wr) == 0);
  memset(unregistered, 0, sizeof unregistered);
  CHECK(complete(&here) == IBV_WC_SUCCESS && complete(&there) == IBV_WC_SUCCESS);
  for (uint32_t i = 0; i < here.most_inline; ++i) CHECK(there.memory[i] == 'q');
  struct ibv_sge registered = mine(8);
  struct ibv_send_wr read = request(IBV_WR_RDMA_READ, &registered);
  read.send_flags |= IBV_SEND_INLINE;
  CHECK(post(read) == EINVAL);
}

/* A queue that is armed for solicited completions sleeps through others, but an error wakes it. */
static void solicited(void) {
  CHECK(receive(kBytes) == 0 && receive(4) == 0);
  CHECK(ibv_req_notify_cq(there.cq, 1) == 0);
  struct ibv_sge sge = mine(8);
  CHECK(post(request(IBV_WR_SEND, &sge)) == 0);
  CHECK(complete(&here) == IBV_WC_SUCCESS);
  CHECK(woken(&there, 0) == 0);
  sge.length = 64;
  CHECK(post(request(IBV_WR_SEND, &sge)) == 0);
  CHECK(woken(&there, kWaitMs) == 1);
  CHECK(complete(&there) == IBV_WC_SUCCESS && complete(&there) == IBV_WC_LOC_LEN_ERR);
  CHECK(complete(&here) == IBV_WC_REM_INV_REQ_ERR);
  struct ibv_async_event event;
  CHECK(ibv_get_async_event(context, &event) == 0);
  CHECK(event.event_type == IBV_EVENT_QP_REQ_ERR && event.element.qp == there.qp);
  ibv_ack_async_event(&event);
}

/*
 * A request is outstanding until its completion is polled, so a queue pair never overruns a CQ that holds its
 * requests.
 */
static void full(void) {
  struct ibv_sge sge = mine(64);
  uint32_t posted = 0;
  int refusal;
  while ((refusal = post(request(IBV_WR_RDMA_WRITE, &sge))) == 0) ++posted;
  CHECK(refusal == ENOMEM && posted == here.most_sends);
  for (uint32_t i = 0; i < posted; ++i) CHECK(complete(&here) == IBV_WC_SUCCESS);
  CHECK(state(&here) == IBV_QPS_RTS);
  CHECK(post(request(IBV_WR_RDMA_WRITE, &sge)) == 0 && complete(&here) == IBV_WC_SUCCESS);
}

/*
 * A message without bytes needs no rights. The port bounds a message, and 1 byte beyond a region is too many.
 */
static void lengths(void) {
  struct ibv_sge sge = mine(0);
  struct ibv_send_wr nothing = request(IBV_WR_RDMA_WRITE, &sge);
  nothing.wr.rdma.remote_addr = 0x10;
  nothing.wr.rdma.rkey ^= 0xff00;
  CHECK(post(nothing) == 0 && complete(&here) == IBV_WC_SUCCESS);
  struct ibv_port_attr port;
  CHECK(ibv_query_port(context, 1, &port) == 0);
  sge.length = port.max_msg_sz + 1;
  CHECK(post(request(IBV_WR_RDMA_WRITE, &sge)) == EINVAL);
  CHECK(state(&here) == IBV_QPS_RTS);
  sge = (struct ibv_sge){(uintptr_t)here.memory + 1, kBytes, here.mr->lkey};
  CHECK(post(request(IBV_WR_RDMA_WRITE, &sge)) == 0 && complete(&here) == IBV_WC_LOC_PROT_ERR);
}

/*
 * A completion that was there before the queue was armed raises no event: a program has to poll after it
 * arms.
 */
static void arming(void) {
  CHECK(receive(kBytes) == 0);
  struct ibv_sge sge = mine(8);
  CHECK(post(request(IBV_WR_SEND, &sge)) == 0);
  CHECK(complete(&here) == IBV_WC_SUCCESS);
  CHECK(ibv_req_notify_cq(there.cq, 0) == 0);
  CHECK(woken(&there, 200) == 0);
  CHECK(complete(&there) == IBV_WC_SUCCESS);
}

/* rnr_retry 7 waits forever for a receive. */
static void late_receive(void) {
  struct ibv_sge sge = mine(8);
  CHECK(post(request(IBV_WR_SEND, &sge)) == 0);
  struct ibv_wc wc;
  CHECK(woken(&here, 500) == 0 && ibv_poll_cq(here.cq, 1, &wc) == 0 && state(&here) == IBV_QPS_RTS);
  CHECK(receive(kBytes) == 0);
  CHECK(complete(&here) == IBV_WC_SUCCESS && complete(&there) == IBV_WC_SUCCESS);
}

/* Returns the number of page faults of the process so far. */
static long faults(void) {
  struct rusage usage;
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  return usage.ru_minflt + usage.ru_majflt;
}

/*
 * Fresh memory has its pages once it is registered, with a fault each (two beyond the limit on locked
 * memory), and keeps them.
 */
static void registering(void) {
  enum { kPages = 1024, kFew = 64 };
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = kPages * page;
  uint8_t* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  madvise(memory, size, MADV_NOHUGEPAGE);
  for (int round = 0; round < 2; ++round) {
    const long before = faults();
    struct ibv_mr* mr = ibv_reg_mr(here.qp->pd, memory, size, IBV_ACCESS_LOCAL_WRITE);
    CHECK(mr != NULL);
    const long registered = faults() - before;
    CHECK(registered <= (round == 0 ? 2 * kPages : 0) + kFew);
    struct ibv_sge sge = {(uintptr_t)memory + size - 8, 8, mr->lkey};
    CHECK(post(request(IBV_WR_RDMA_READ, &sge)) == 0 && complete(&here) == IBV_WC_SUCCESS);
    for (size_t at = 0; at < size; at += page) memory[at] = 1;
    CHECK(faults() - before <= registered + kFew);
    CHECK(ibv_dereg_mr(mr) == 0);
  }
  CHECK(munmap(memory, size) == 0);
}

static const struct {
  const char* name;
  void (*check)(void);
} kCases[] = {{"inline", inline_data},     {"solicited", solicited}, {"full", full},
              {"lengths", lengths},        {"arming", arming},       {"late-receive", late_receive},
              {"registering", registering}};

int main(int argc, char** argv) {
  CHECK(argc == 2);
  context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  CHECK(pd != NULL);
  here = make_side(pd);
  there = make_side(pd);
  connect_to(here.qp, there.qp->qp_num);
  connect_to(there.qp, here.qp->qp_num);
  for (size_t i = 0; i < sizeof kCases / sizeof *kCases; ++i) {
    if (strcmp(argv[1], kCases[i].name) != 0) continue;
    kCases[i].check();
    return 0;
  }
  fprintf(stderr, "no case %s\n", argv[1]);
  return 2;
}
