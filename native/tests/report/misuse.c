// A program that misuses verbs in the way that its argument names, and is correct otherwise.
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <sys/wait.h>
#include <time.h>

#include "failing_requests.h"
#include "pair.h"

// Actions of a correct program: events, refused queues, flushes that are not polled.
static void clean(void) {
  connect_both();
  exchange();
  CHECK(!ibv_req_notify_cq(cq_a, 0));
  CHECK(!post_write(IBV_SEND_SIGNALED));
  struct ibv_cq* cq;
  void* user;
  CHECK(!ibv_get_cq_event(channel, &cq, &user));
  ibv_ack_cq_events(cq, 1);
  CHECK(poll_one(cq_a) == IBV_WC_SUCCESS);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < kDepth; ++i) {
      while (post_write(i == kDepth - 1 ? IBV_SEND_SIGNALED : 0) != 0) {
      }
    }
    CHECK(poll_one(cq_a) == IBV_WC_SUCCESS);
  }
  CHECK(!post_recv(b, mr));
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
  CHECK(!ibv_modify_qp(b, &attr, IBV_QP_STATE));
}

__attribute__((noinline)) void make_leaks(void) {
  for (int i = 0; i < 3; ++i) CHECK(ibv_alloc_pd(context));
  CHECK(ibv_reg_mr(pd, buffer, 16, 0));
}

static void wrong_state(void) {
  CHECK(post_recv(a, mr) != 0);  // RESET
  to_init(a);
  CHECK(post_send((uintptr_t)buffer, 8, IBV_SEND_SIGNALED) != 0);
  CHECK(post_send((uintptr_t)buffer, 8, IBV_SEND_SIGNALED) != 0);
}

static void invalid(void) {
  connect_both();
  struct ibv_sge sges[3] = {
      {(uintptr_t)buffer, 8, mr->lkey}, {(uintptr_t)buffer, 8, mr->lkey}, {(uintptr_t)buffer, 8, mr->lkey}};
  struct ibv_send_wr *bad, wr = {.sg_list = sges, .num_sge = 3, .opcode = IBV_WR_SEND};
  CHECK(ibv_post_send(a, &wr, &bad) != 0);
}

static void sge_at_post(void) {
  connect_both();
  CHECK(!post_send((uintptr_t)buffer + kSize - 8, 64, IBV_SEND_SIGNALED));
  CHECK(poll_one(cq_a) == IBV_WC_LOC_PROT_ERR);
}

static void sge_at_execution(void) {
  static char other[64];
  connect_both();
  struct ibv_mr* gone = ibv_reg_mr(pd, other, sizeof other, IBV_ACCESS_LOCAL_WRITE);
  CHECK(gone && !post_recv(b, gone) && !ibv_dereg_mr(gone));
  CHECK(!post_send((uintptr_t)buffer, 64, IBV_SEND_SIGNALED));
  CHECK(poll_one(cq_a) == IBV_WC_REM_OP_ERR);
  CHECK(poll_one(cq_b) == IBV_WC_LOC_PROT_ERR);
}

static void unsignaled(void) {
  connect_both();
  for (int i = 0; i < kDepth; ++i) CHECK(!post_write(0));
  CHECK(post_write(0) == ENOMEM && post_write(IBV_SEND_SIGNALED) == ENOMEM);
}

// Requests that a full queue refuses, and that are not posted again.
static void forgotten(void) {
  connect_both();
  struct ibv_sge sge = {.addr = (uintptr_t)buffer, .length = 8, .lkey = mr->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 100, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = (uintptr_t)buffer + 64;
  wr.wr.rdma.rkey = mr->rkey;
  for (int i = 0; i < kDepth; ++i, ++wr.wr_id) CHECK(!ibv_post_send(a, &wr, &bad));
  CHECK(ibv_post_send(a, &wr, &bad) == ENOMEM);  // 108
  CHECK(poll_one(cq_a) == IBV_WC_SUCCESS);
  ++wr.wr_id;
  CHECK(!ibv_post_send(a, &wr, &bad));

  struct ibv_srq_init_attr init = {.attr = {.max_wr = 2, .max_sge = 1}};
  struct ibv_srq* srq = ibv_create_srq(pd, &init);
  CHECK(srq);
  struct ibv_recv_wr last = {.wr_id = 203, .sg_list = &sge, .num_sge = 1};
  struct ibv_recv_wr middle = {.wr_id = 202, .next = &last, .sg_list = &sge, .num_sge = 1};
  struct ibv_recv_wr *bad_recv, first = {.wr_id = 201, .next = &middle, .sg_list = &sge, .num_sge = 1};
  CHECK(ibv_post_srq_recv(srq, &first, &bad_recv) == ENOMEM && bad_recv == &last);
  CHECK(!ibv_destroy_srq(srq));
}

static void overrun(void) {
  connect_both();
  struct ibv_async_event event;
  for (int i = 0; i < 3; ++i) CHECK(!post_write(IBV_SEND_SIGNALED));
  do {
    CHECK(!ibv_get_async_event(context, &event));
    ibv_ack_async_event(&event);
  } while (event.event_type != IBV_EVENT_QP_FATAL);
  CHECK(poll_one(cq_a) == IBV_WC_SUCCESS);
}

static uint64_t counter(const char* name) {
  struct uroce_counter counters[128];
  uint32_t n = 128;
  CHECK(!uroce_query_counters(context, counters, &n));
  for (uint32_t i = 0; i < n; ++i) {
    if (strcmp(counters[i].name, name) == 0) return counters[i].value;
  }
  return 0;
}

// A send that finds no receive for long enough to be refused many times.
static void rnr(void) {
  connect_both();
  CHECK(!post_send((uintptr_t)buffer, 8, IBV_SEND_SIGNALED));
  struct ibv_wc wc;
  while (counter("rcvd_rnr_err") < 100) CHECK(ibv_poll_cq(cq_a, 1, &wc) == 0);
  CHECK(!post_recv(b, mr));
  CHECK(poll_one(cq_a) == IBV_WC_SUCCESS && poll_one(cq_b) == IBV_WC_SUCCESS);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Twice as many as make a finding within one second; a loaded machine takes longer, and then repeats them.
static void churn(void) {
  connect_both();
  double began;
  do {
    began = seconds();
    for (int i = 0; i < 2 * 64; ++i) {
      struct ibv_mr* brief = ibv_reg_mr(pd, buffer, kSize, IBV_ACCESS_LOCAL_WRITE);
      CHECK(brief);
      exchange();
      CHECK(!ibv_dereg_mr(brief));
    }
  } while (seconds() > began + 1);
}

static void unpolled(void) {
  connect_both();
  CHECK(!ibv_req_notify_cq(cq_a, 0));
  struct ibv_sge sge = {.addr = (uintptr_t)buffer, .length = 8, .lkey = mr->lkey};
  struct ibv_send_wr *bad, wr = {.wr_id = 77, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = 1;  // nowhere
  wr.wr.rdma.rkey = mr->rkey;
  CHECK(!ibv_post_send(a, &wr, &bad));
  struct ibv_cq* cq;
  void* user;
  CHECK(!ibv_get_cq_event(channel, &cq, &user));
  ibv_ack_cq_events(cq, 1);
}

// Ends with everything in place: what was not acknowledged could not be destroyed.
static void unacknowledged(void) {
  connect_both();
  CHECK(!ibv_req_notify_cq(cq_a, 0));
  CHECK(!post_write(IBV_SEND_SIGNALED));
  struct ibv_cq* cq;
  void* user;
  CHECK(!ibv_get_cq_event(channel, &cq, &user));
  exit(0);
}

static struct sockaddr_in here(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  inet_pton(AF_INET, getenv("UROCE_ADDR"), &address.sin_addr);
  return address;
}

static struct rdma_cm_event* next_cm_event(struct rdma_event_channel* from, enum rdma_cm_event_type wanted) {
  struct rdma_cm_event* event;
  CHECK(!rdma_get_cm_event(from, &event) && event->event == wanted);
  return event;
}

__attribute__((noinline)) void leave_ids(void) {
  struct rdma_event_channel* events = rdma_create_event_channel();
  struct rdma_cm_id *listener, *bound;
  struct sockaddr_in address = here();
  CHECK(events && !rdma_create_id(events, &listener, NULL, RDMA_PS_TCP));
  CHECK(!rdma_bind_addr(listener, (struct sockaddr*)&address) && !rdma_listen(listener, 1));
  CHECK(!rdma_create_id(events, &bound, NULL, RDMA_PS_UDP));
  CHECK(!rdma_bind_addr(bound, (struct sockaddr*)&address));
}

// An endpoint, whose ID, QP and CQs one call makes, and an ID with a QP whose CQs librdmacm makes.
__attribute__((noinline)) void leave_endpoints(void) {
  struct rdma_addrinfo hints = {.ai_port_space = RDMA_PS_TCP}, *info;
  const struct ibv_qp_init_attr wanted = {.cap = {4, 4, 1, 1, 0}, .qp_type = IBV_QPT_RC};
  struct ibv_qp_init_attr first = wanted, second = wanted;
  struct rdma_cm_id *endpoint, *id;
  struct sockaddr_in address = here();
  char text[INET_ADDRSTRLEN];
  CHECK(inet_ntop(AF_INET, &address.sin_addr, text, sizeof text));
  CHECK(!rdma_getaddrinfo(text, "7471", &hints, &info));
  CHECK(!rdma_create_ep(&endpoint, info, NULL, &first));
  rdma_freeaddrinfo(info);
  address.sin_port = htons(7471);
  CHECK(!rdma_create_id(NULL, &id, NULL, RDMA_PS_TCP));
  CHECK(!rdma_resolve_addr(id, NULL, (struct sockaddr*)&address, 1000));
  CHECK(!rdma_create_qp(id, NULL, &second));
}

// Unacknowledged events of a listener and of the ID that connects to it; the event that the address was
// resolved is acknowledged.
static void keep_cm_events(void) {
  struct rdma_event_channel *server = rdma_create_event_channel(), *client = rdma_create_event_channel();
  struct rdma_cm_id *listener, *id;
  struct sockaddr_in address = here();
  CHECK(!rdma_create_id(server, &listener, NULL, RDMA_PS_TCP));
  CHECK(!rdma_bind_addr(listener, (struct sockaddr*)&address) && !rdma_listen(listener, 1));
  address.sin_port = rdma_get_src_port(listener);
  CHECK(!rdma_create_id(client, &id, NULL, RDMA_PS_TCP));
  CHECK(!rdma_resolve_addr(id, NULL, (struct sockaddr*)&address, 1000));
  CHECK(!rdma_ack_cm_event(next_cm_event(client, RDMA_CM_EVENT_ADDR_RESOLVED)));
  CHECK(!rdma_resolve_route(id, 1000));
  next_cm_event(client, RDMA_CM_EVENT_ROUTE_RESOLVED);
  struct rdma_conn_param param = {.qp_num = a->qp_num};
  CHECK(!rdma_connect(id, &param));
  next_cm_event(server, RDMA_CM_EVENT_CONNECT_REQUEST);
}

// The child inherits the parent's objects and ends by exit(): they are not its to destroy.
static void forked(void) {
  const pid_t child = fork();
  if (child == 0) exit(0);
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

__attribute__((destructor)) static void late(void) {
  if (context && getenv("MISUSE_LATE")) close_all();
}

// A thread that outlives the first one, with the device that the first thread opened, or with one that it
// opens itself after the end of the first.
static void* last_thread(void* opens) {
  char state = 0;
  while (state != 'Z') {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", getpid());
    FILE* stat = fopen(path, "r");
    CHECK(stat && fscanf(stat, "%*d (misuse) %c", &state) == 1);
    fclose(stat);
  }
  if (opens) open_all(64), connect_both();
  exchange();
  close_all();
  return NULL;
}

static void end_by_last_thread(void* opens) {
  if (!opens) open_all(64), connect_both();
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, last_thread, opens) == 0);
  pthread_exit(NULL);
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*commit)(void);
    int cqe;
  } misuses[] = {
      {"clean", clean, 64},
      {"leak", make_leaks, 64},
      {"wrong-state", wrong_state, 64},
      {"invalid", invalid, 64},
      {"sge-post", sge_at_post, 64},
      {"sge-execution", sge_at_execution, 64},
      {"unsignaled", unsignaled, 64},
      {"forgotten", forgotten, 64},
      {"overrun", overrun, 1},
      {"rnr", rnr, 64},
      {"churn", churn, 64},
      {"unpolled", unpolled, 64},
      {"bad-rkey", bad_rkey, 64},
      {"unmapped", unmapped, 64},
      {"unmapped-receive", unmapped_receive, 64},
      {"past-end", past_end, 64},
      {"no-right", no_right, 64},
      {"qp-access", qp_access, 64},
      {"no-reads", no_reads, 64},
      {"uc-reads", uc_reads, 64},
      {"ud-reads", ud_reads, 64},
      {"windows", windows, 64},
      {"other-pd", other_pd, 64},
      {"deregistered", deregistered, 64},
      {"short-receive", short_receive, 64},
      {"no-receive", no_receive, 64},
      {"silent-peer", silent_peer, 64},
      {"unacknowledged", unacknowledged, 64},
      {"forked", forked, 64},
      {"cm-leak", leave_ids, 64},
      {"cm-endpoint", leave_endpoints, 64},
      {"cm-unacknowledged", keep_cm_events, 64},
  };
  if (argc != 2) return 2;
  if (strcmp(argv[1], "no-verbs") == 0) return 0;
  if (strcmp(argv[1], "last-thread") == 0) end_by_last_thread(NULL);
  if (strcmp(argv[1], "late-thread") == 0) end_by_last_thread(argv);
  for (size_t i = 0; i < sizeof misuses / sizeof *misuses; ++i) {
    if (strcmp(argv[1], misuses[i].name) != 0) continue;
    open_all(misuses[i].cqe);
    misuses[i].commit();
    if (misuses[i].commit == make_leaks) {
      CHECK(!ibv_destroy_qp(a) && !ibv_destroy_qp(b) && !ibv_destroy_cq(cq_a) && !ibv_destroy_cq(cq_b));
      CHECK(!ibv_destroy_comp_channel(channel) && !ibv_dereg_mr(mr) && !ibv_close_device(context));
    } else if (!getenv("MISUSE_LATE")) {
      close_all();
    }
    if (getenv("MISUSE_QUICK")) _exit(0);
    return 0;
  }
  return 2;
}
