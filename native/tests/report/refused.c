// A program whose calls are refused in the way that its argument names, each because of one mistake.
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <sys/mman.h>

#include "pair.h"
#include "prober.h"

#define REFUSED(error, call) CHECK((call) == (error))
#define NULL_FOR(error, call) CHECK((call) == NULL && errno == (error))

// A single attribute of the step to RTR is wrong.
static void rtr(void) {
  to_init(a);
  struct ibv_qp_attr good = rtr_attr(a, b), attr;
#define TRY(change, mask)                             \
  do {                                                \
    attr = good;                                      \
    change;                                           \
    REFUSED(EINVAL, ibv_modify_qp(a, &attr, (mask))); \
  } while (0)
  TRY(attr.ah_attr.is_global = 0, kToRtr);
  TRY(attr.ah_attr.grh.sgid_index = 3, kToRtr);
  TRY(attr.ah_attr.grh.dgid.raw[0] = 0x20, kToRtr);
  TRY(memset(&attr.ah_attr.grh.dgid, 0, 16), kToRtr);
  TRY(attr.ah_attr.port_num = 0, kToRtr);
  TRY((void)0, kToRtr & ~IBV_QP_MIN_RNR_TIMER);
  TRY((void)0, kToRtr & ~IBV_QP_DEST_QPN);
  TRY((void)0, kToRtr | IBV_QP_TIMEOUT);
  TRY(attr.path_mtu = (enum ibv_mtu)1024, kToRtr);
  TRY(attr.qp_state = IBV_QPS_RTS, kToRtr);
  TRY(attr.max_dest_rd_atomic = 200, kToRtr);
  TRY(attr.min_rnr_timer = 32, kToRtr);
  TRY(attr.pkey_index = 1, kToRtr | IBV_QP_PKEY_INDEX);
  for (int i = 0; i < 1000; ++i) TRY(attr.dest_qp_num = 1 << 24, kToRtr);
}

static void queues(void) {
  struct ibv_qp_init_attr good = {.send_cq = cq_a,
                                  .recv_cq = cq_a,
                                  .cap = {4, 4, 1, 1, 0},
                                  .qp_type = IBV_QPT_RC},
                          init;
#define MAKE(error, change)                    \
  do {                                         \
    init = good;                               \
    change;                                    \
    NULL_FOR(error, ibv_create_qp(pd, &init)); \
  } while (0)
  MAKE(EINVAL, init.send_cq = NULL);
  MAKE(EINVAL, init.cap.max_send_wr = 1 << 20);
  MAKE(EINVAL, init.cap.max_recv_wr = 1 << 20);
  MAKE(EINVAL, init.cap.max_send_sge = 33);
  MAKE(EINVAL, init.cap.max_recv_sge = 33);
  MAKE(EINVAL, init.cap.max_inline_data = 1 << 20);
  MAKE(EOPNOTSUPP, init.qp_type = IBV_QPT_RAW_PACKET);
  NULL_FOR(EINVAL, ibv_create_cq(context, 0, NULL, NULL, 0));
  NULL_FOR(EINVAL, ibv_create_cq(context, 1 << 30, NULL, NULL, 0));
  NULL_FOR(EINVAL, ibv_create_cq(context, 8, NULL, NULL, 1));
  REFUSED(EINVAL, ibv_resize_cq(cq_a, 0));
  struct ibv_srq_init_attr srq = {.attr = {.max_wr = 0, .max_sge = 1}};
  NULL_FOR(EINVAL, ibv_create_srq(pd, &srq));
  srq.attr.max_wr = 4;
  struct ibv_srq* made = ibv_create_srq(pd, &srq);
  CHECK(made);
  struct ibv_srq_attr limit = {.srq_limit = 5};
  REFUSED(EINVAL, ibv_modify_srq(made, &limit, IBV_SRQ_LIMIT));
  struct ibv_sge sges[2] = {{(uintptr_t)buffer, 8, mr->lkey}, {(uintptr_t)buffer, 8, mr->lkey}};
  struct ibv_recv_wr *bad, wr = {.sg_list = sges, .num_sge = 2};
  REFUSED(EINVAL, ibv_post_srq_recv(made, &wr, &bad));
  init = good;
  init.srq = made;
  struct ibv_qp* shared = ibv_create_qp(pd, &init);
  CHECK(shared);
  REFUSED(EBUSY, ibv_destroy_srq(made));
  wr.num_sge = 1;
  for (int i = 0; i < 4; i++) CHECK(!ibv_post_srq_recv(made, &wr, &bad));
  REFUSED(ENOMEM, ibv_post_srq_recv(made, &wr, &bad));
  to_init(shared);
  wr.num_sge = 1;
  REFUSED(EINVAL, ibv_post_recv(shared, &wr, &bad));
  CHECK(!ibv_destroy_qp(shared) && !ibv_destroy_srq(made));
  union ibv_gid gid = {.raw = {0xff}};
  REFUSED(EINVAL, ibv_attach_mcast(a, &gid, 0));
}

static void memory(void) {
  NULL_FOR(EINVAL, ibv_reg_mr(pd, buffer, 64, IBV_ACCESS_REMOTE_WRITE));
  NULL_FOR(EINVAL, ibv_reg_mr(pd, buffer, 64, 1 << 15));
  NULL_FOR(EFAULT, ibv_reg_mr(pd, (void*)4096, 64, IBV_ACCESS_LOCAL_WRITE));
  void* constant = mmap(NULL, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  NULL_FOR(EFAULT, ibv_reg_mr(pd, constant, kSize, IBV_ACCESS_LOCAL_WRITE));
  struct ibv_ah_attr ah = to_ourselves();
  ah.is_global = 0;
  NULL_FOR(EINVAL, ibv_create_ah(pd, &ah));
  ah = to_ourselves();
  ah.grh.sgid_index = 7;
  NULL_FOR(EINVAL, ibv_create_ah(pd, &ah));
  union ibv_gid gid;
  CHECK(ibv_query_gid(context, 2, 0, &gid) == -1 && ibv_query_gid(context, 1, 5000, &gid) == -1);
  REFUSED(EBUSY, ibv_dealloc_pd(pd));
  struct ibv_pd* other = ibv_alloc_pd(context);
  struct ibv_parent_domain_init_attr attr = {.pd = other};
  struct ibv_pd* parent = ibv_alloc_parent_domain(context, &attr);
  CHECK(parent);
  attr.pd = parent;
  NULL_FOR(EINVAL, ibv_alloc_parent_domain(context, &attr));
  REFUSED(EBUSY, ibv_dealloc_pd(other));
  CHECK(!ibv_dealloc_pd(parent) && !ibv_dealloc_pd(other));
}

static void posts(void) {
  connect_both();
  struct ibv_sge sges[3] = {
      {(uintptr_t)buffer, 65, mr->lkey}, {(uintptr_t)buffer, 8, mr->lkey}, {(uintptr_t)buffer, 8, mr->lkey}};
  struct ibv_send_wr *bad, wr = {.sg_list = sges, .num_sge = 1, .opcode = IBV_WR_SEND};
  wr.send_flags = IBV_SEND_INLINE;
  REFUSED(EINVAL, ibv_post_send(a, &wr, &bad));
  wr.opcode = IBV_WR_RDMA_READ;
  REFUSED(EINVAL, ibv_post_send(a, &wr, &bad));
  wr.send_flags = 0;
  wr.num_sge = 3;
  REFUSED(EINVAL, ibv_post_send(a, &wr, &bad));
  wr.num_sge = 1;
  wr.opcode = IBV_WR_TSO;
  REFUSED(EOPNOTSUPP, ibv_post_send(a, &wr, &bad));
  wr.opcode = IBV_WR_RDMA_WRITE;
  sges[0].length = 0x80000001u;
  REFUSED(EINVAL, ibv_post_send(a, &wr, &bad));
  while (post_recv(a, mr) == 0) {
  }
  CHECK(post_recv(a, mr) == ENOMEM);
}

// Both the state and the call differ.
static void states(void) {
  CHECK(post_recv(a, mr) == EINVAL && post_write(0) == EINVAL);
  to_init(a);
  CHECK(post_write(0) == EINVAL && post_write(0) == EINVAL);
}

static void datagrams(void) {
  connect_both();
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_SEND};
  REFUSED(EINVAL, ibv_post_send(a, &wr, &bad));
}

static void connections(void) {
  struct rdma_event_channel* events = rdma_create_event_channel();
  struct rdma_cm_id* id;
  struct sockaddr_in address = {.sin_family = AF_INET};
  CHECK(events && !rdma_create_id(events, &id, NULL, RDMA_PS_TCP));
  struct rdma_conn_param param = {.responder_resources = 200};
  CHECK(rdma_connect(id, &param) == -1 && errno == EINVAL);
  CHECK(rdma_resolve_route(id, 1000) == -1 && errno == EINVAL);
  int reuse = 1;
  CHECK(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &reuse, 1) == -1 && errno == EINVAL);
  CHECK(rdma_set_option(id, RDMA_OPTION_ID, 99, &reuse, sizeof reuse) == -1 && errno == ENOSYS);
  CHECK(rdma_join_multicast(id, &(struct sockaddr){.sa_family = AF_UNIX}, NULL) == -1 && errno == EINVAL);
  CHECK(probe_infiniband(id) == -1 && errno == EINVAL);
  CHECK(rdma_bind_addr(id, &(struct sockaddr){.sa_family = AF_IB}) == -1 && errno == EINVAL);
  inet_pton(AF_INET, "192.0.2.1", &address.sin_addr);
  CHECK(rdma_bind_addr(id, (struct sockaddr*)&address) == -1 && errno == EADDRNOTAVAIL);
  inet_pton(AF_INET, getenv("UROCE_ADDR"), &address.sin_addr);
  address.sin_port = htons(20886);
  CHECK(!rdma_resolve_addr(id, NULL, (struct sockaddr*)&address, 1000));
  struct rdma_cm_event* event;
  CHECK(!rdma_get_cm_event(events, &event) && !rdma_ack_cm_event(event));
  CHECK(!rdma_resolve_route(id, 1000));
  CHECK(!rdma_get_cm_event(events, &event) && !rdma_ack_cm_event(event));
  struct ibv_qp_init_attr init = {.cap = {4, 4, 1, 1, 0}, .qp_type = IBV_QPT_UD};
  CHECK(rdma_create_qp(id, NULL, &init) == -1 && errno == EINVAL);
  param.qp_num = a->qp_num;
  CHECK(rdma_connect(id, &param) == -1 && errno == EINVAL);
  param.responder_resources = 1;
  CHECK(!rdma_connect(id, &param));
  CHECK(!rdma_get_cm_event(events, &event) && event->event == RDMA_CM_EVENT_REJECTED && event->status == 8);
  CHECK(!rdma_ack_cm_event(event) && !rdma_destroy_id(id));
  rdma_destroy_event_channel(events);
}

static void probed(void) {
  struct ibv_qp* qp = probe_inline(pd, cq_a, 1 << 20, 32);
  CHECK(qp && !ibv_destroy_qp(qp));
}

static void filled(void) {
  to_init(a);
  CHECK(fill_receives(a, mr) == kDepth);
}

static void gave_up(void) { CHECK(!probe_inline(pd, cq_a, 1 << 20, 2)); }

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*commit)(void);
    enum ibv_qp_type type;
  } refusals[] = {{"rtr", rtr, IBV_QPT_RC},
                  {"queues", queues, IBV_QPT_RC},
                  {"memory", memory, IBV_QPT_RC},
                  {"posts", posts, IBV_QPT_RC},
                  {"states", states, IBV_QPT_RC},
                  {"datagrams", datagrams, IBV_QPT_UD},
                  {"connections", connections, IBV_QPT_RC},
                  {"probed", probed, IBV_QPT_RC},
                  {"filled", filled, IBV_QPT_RC},
                  {"gave-up", gave_up, IBV_QPT_RC}};
  for (size_t i = 0; argc == 2 && i < sizeof refusals / sizeof *refusals; ++i) {
    if (strcmp(argv[1], refusals[i].name) != 0) continue;
    qp_type = refusals[i].type;
    open_all(64);
    refusals[i].commit();
    close_all();
    return 0;
  }
  return 2;
}
