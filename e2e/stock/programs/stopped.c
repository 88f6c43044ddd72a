/*
 * stopped: a peer of this process is stopped (SIGSTOP) during traffic in both directions, so that the ring to
 * it fills up. Every RC request to it ends with retry exceeded, also on queue pairs that found no room for a
 * single packet. UC and UD complete: their packets are lost and counted. This process sleeps meanwhile. Once
 * the peer continues, the ring carries packets again.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include "ends.h"

enum {
  kQps = 12,    /* queue pairs with requests to the peer */
  kIdle = kQps, /* a queue pair without requests, for the end */
  kListen,      /* queue pairs that only the peer writes to: their ACKs find no room */
  kAll = kListen + 4,
  kQkey = 0x11111111,
  kLook = 1000,      /* ms */
  kPatience = 30000, /* ms */
};

struct unreliable {
  struct ibv_cq* cq;
  struct ibv_qp *uc, *ud;
};

static struct ibv_qp* make_qp(struct ibv_pd* pd, struct ibv_cq* cq, enum ibv_qp_type type) {
  struct ibv_qp_init_attr attr = {
      .send_cq = cq, .recv_cq = cq, .cap = {.max_send_wr = kDepth, .max_send_sge = 1}, .qp_type = type};
  struct ibv_qp* qp = ibv_create_qp(pd, &attr);
  CHECK(qp != NULL);
  return qp;
}

static struct unreliable make_unreliable(struct ibv_pd* pd) {
  struct unreliable u = {.cq = ibv_create_cq(pd->context, 2 * kDepth, NULL, NULL, 0)};
  CHECK(u.cq != NULL);
  u.uc = make_qp(pd, u.cq, IBV_QPT_UC);
  u.ud = make_qp(pd, u.cq, IBV_QPT_UD);
  return u;
}

static struct ibv_ah_attr own_address(struct ibv_context* context) {
  struct ibv_ah_attr ah = {.is_global = 1, .port_num = 1, .grh = {.sgid_index = 1, .hop_limit = 8}};
  CHECK(ibv_query_gid(context, 1, 1, &ah.grh.dgid) == 0);
  return ah;
}

static void connect_unreliable(struct unreliable* u, uint32_t uc_peer) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = kQkey};
  const int common = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
  CHECK(ibv_modify_qp(u->uc, &attr, common | IBV_QP_ACCESS_FLAGS) == 0);
  CHECK(ibv_modify_qp(u->ud, &attr, common | IBV_QP_QKEY) == 0);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR,
                              .path_mtu = IBV_MTU_1024,
                              .dest_qp_num = uc_peer,
                              .ah_attr = own_address(u->uc->context)};
  CHECK(ibv_modify_qp(u->uc, &attr,
                      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN) == 0);
  CHECK(ibv_modify_qp(u->ud, &attr, IBV_QP_STATE) == 0);
  attr.qp_state = IBV_QPS_RTS;
  CHECK(ibv_modify_qp(u->uc, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0);
  CHECK(ibv_modify_qp(u->ud, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0);
}

/* Numbers and keys of the peer's queue pairs. */
struct peer {
  struct target rc[kAll];
  uint32_t uc, ud;
};

static void meet(int channel, struct ibv_pd* pd, struct end* ends, struct unreliable* u, struct peer* other) {
  struct peer mine;
  memset(&mine, 0, sizeof mine);
  for (int i = 0; i < kAll; ++i) {
    ends[i] = make_end(pd);
    mine.rc[i] = target_of(&ends[i]);
  }
  *u = make_unreliable(pd);
  mine.uc = u->uc->qp_num;
  mine.ud = u->ud->qp_num;
  write_all(channel, &mine, sizeof mine);
  read_all(channel, other, sizeof *other);
  for (int i = 0; i < kAll; ++i) connect_within(ends[i].qp, other->rc[i].qpn, i < kQps ? 10 : 14);
  connect_unreliable(u, other->uc);
  char connected = 0;
  write_all(channel, &connected, 1);
  read_all(channel, &connected, 1);
}

/* Writes until the test is over, so that the other side owes ACKs. */
static void peer(int channel) {
  struct ibv_pd* pd = ibv_alloc_pd(open_first());
  CHECK(pd != NULL);
  struct end ends[kAll];
  struct unreliable u;
  struct peer other;
  meet(channel, pd, ends, &u, &other);
  for (struct pollfd over = {.fd = channel, .events = POLLIN}; poll(&over, 1, 0) == 0;) {
    for (int i = kListen; i < kAll; ++i) {
      struct end* e = &ends[i];
      struct ibv_wc wc;
      while (e->posted - e->done < kDepth && post_write(e, other.rc[i]) == 0) ++e->posted;
      if (ibv_poll_cq(e->cq, 1, &wc) == 1) ++e->done;
    }
  }
  _exit(0);
}

static int post_send(struct ibv_qp* qp, struct end* from, uint32_t bytes, struct ibv_ah* ah, uint32_t qpn) {
  struct ibv_sge sge = {(uintptr_t)from->memory, bytes, from->mr->lkey};
  struct ibv_send_wr wr = {
      .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED};
  if (ah != NULL) {
    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = qpn;
    wr.wr.ud.remote_qkey = kQkey;
  }
  struct ibv_send_wr* bad;
  return ibv_post_send(qp, &wr, &bad);
}

static uint64_t cpu_ms(void) {
  struct rusage used;
  CHECK(getrusage(RUSAGE_SELF, &used) == 0);
  return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
         (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

/* Returns the first completion of a queue. Fails if none comes. */
static struct ibv_wc next(struct ibv_cq* cq, uint64_t until, const char* of, int number) {
  struct ibv_wc wc;
  while (ibv_poll_cq(cq, 1, &wc) != 1) {
    if (now_ms() > until) {
      fprintf(stderr, "%s %d: no completion\n", of, number);
      exit(1);
    }
    poll(NULL, 0, 1); /* the engine thread works, not this one */
  }
  return wc;
}

int main(void) {
  int channel[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    end_with_parent();
    close(channel[0]);
    peer(channel[1]);
  }
  close(channel[1]);
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  CHECK(pd != NULL);
  struct end ends[kAll];
  struct unreliable u;
  struct peer other;
  meet(channel[0], pd, ends, &u, &other);
  struct ibv_ah_attr address = own_address(context);
  struct ibv_ah* ah = ibv_create_ah(pd, &address);
  CHECK(ah != NULL);
  for (int i = 0; i <= kIdle; ++i) verified_round(&ends[i], other.rc[i], (uint32_t)i);

  CHECK(kill(child, SIGSTOP) == 0);
  CHECK(waitpid(child, NULL, WUNTRACED) == child);
  const uint64_t before = cpu_ms(), begin = now_ms();
  for (int i = 0; i < kQps; ++i) {
    for (int k = 0; k < kDepth; ++k) CHECK(post_write(&ends[i], other.rc[i]) == 0);
  }
  for (int k = 0; k < kDepth; ++k) {
    CHECK(post_send(u.uc, &ends[kIdle], kBytes, NULL, 0) == 0);
    CHECK(post_send(u.ud, &ends[kIdle], 1024, ah, other.ud) == 0);
  }
  const uint64_t until = now_ms() + kPatience;
  for (int i = 0; i < kQps; ++i) {
    const struct ibv_wc wc = next(ends[i].cq, until, "RC", i);
    if (wc.status != IBV_WC_RETRY_EXC_ERR) {
      fprintf(stderr, "RC %d: %s\n", i, ibv_wc_status_str(wc.status));
      return 1;
    }
  }
  int uc = 0, ud = 0;
  while (uc < kDepth || ud < kDepth) {
    const struct ibv_wc wc = next(u.cq, until, "unreliable", uc + ud);
    CHECK(wc.status == IBV_WC_SUCCESS);
    wc.qp_num == u.uc->qp_num ? ++uc : ++ud;
  }
  const uint64_t dropped = counter(context, "shm_dropped_pkts");

  poll(NULL, 0, kLook);
  const uint64_t used = cpu_ms() - before, passed = now_ms() - begin;

  CHECK(kill(child, SIGCONT) == 0);
  verified_round(&ends[kIdle], other.rc[kIdle], 99);
  printf("%d queue pairs ended with retry exceeded, %llu packets lost and counted, %s\n", kQps,
         (unsigned long long)dropped, used * 4 < passed ? "asleep meanwhile" : "busy meanwhile");
  fprintf(stderr, "%llu of %llu ms of CPU\n", (unsigned long long)used, (unsigned long long)passed);
  write_all(channel[0], "", 1);
  CHECK(waitpid(child, NULL, 0) == child);
  return 0;
}
