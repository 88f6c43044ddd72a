/*
 * Two devices, one on each end, exchange messages in every way that verbs has. Every byte is checked.
 *
 *   interop OPTIONS            the responder: waits for the other
 *   interop OPTIONS ADDRESS    the requester
 *
 *   -p PORT  of the TCP connection by which the two agree     -o OPERATION  see `operations`
 *   -m BYTES path MTU                                         -c rc|uc|ud
 *   -s BYTES only this size                                   -r COUNT      rounds over the sizes
 *   -q       the responder receives from a shared queue       -g INDEX      GID
 *   -e N     wc status of a receiver that gets a message too long for it, -w N of its sender
 *
 * Prints "OPERATION: N messages, B bytes right" and ends with 0, or prints the error and ends with 1.
 */
#include <arpa/inet.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <time.h>

#include "../../stock/programs/common.h"

enum { kMax = 1 << 20, kGuard = 64, kGrh = 40, kQkey = 0x1234567, kPatience = 20 };

static struct {
  int port, mtu, size, rounds, shared, gid, receiver_told, sender_told;
  const char *operation, *transport, *server;
} options = {.port = 18515, .mtu = 1024, .size = -1, .rounds = 1, .gid = 1, .receiver_told = IBV_WC_LOC_LEN_ERR, .sender_told = IBV_WC_REM_INV_REQ_ERR, .operation = "send", .transport = "rc"};

struct side {
  uint32_t qpn, psn, rkey, pad;
  uint64_t address;
  uint8_t gid[16];
};

static int control;
static struct side mine, theirs;
static struct ibv_qp* qp;
static struct ibv_cq* cq;
static struct ibv_srq* srq;
static struct ibv_mr* mr;
static struct ibv_ah* ah;
static uint8_t* memory; /* kMax bytes between two guards, behind room for a GRH */
static long messages, bytes;

static uint8_t* data(void) { return memory + kGuard; }
static int is_requester(void) { return options.server != NULL; }
static int is_ud(void) { return strcmp(options.transport, "ud") == 0; }

static void exchange(const void* out, void* in, size_t size) {
  CHECK(write(control, out, size) == (ssize_t)size);
  CHECK(recv(control, in, size, MSG_WAITALL) == (ssize_t)size);
}

/* Waits until both ends have come here. */
static void meet(void) {
  uint8_t word = 1;
  exchange(&word, &word, 1);
  CHECK(word == 1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct ibv_wc completion(void) {
  struct ibv_wc wc;
  const double end = now() + kPatience;
  int n;
  while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) CHECK(now() < end && "a completion came");
  CHECK(n == 1);
  return wc;
}

static void expect_wc(enum ibv_wc_status status, const char* what) {
  const struct ibv_wc wc = completion();
  if (wc.status == status) return;
  fprintf(stderr, "%s: status %d (%s), not %d (%s)\n", what, wc.status, ibv_wc_status_str(wc.status), status,
          ibv_wc_status_str(status));
  exit(1);
}

static uint8_t pattern(int seed, int i) { return (uint8_t)(seed * 31 + i * 7 + (i >> 8) * 13); }

static void fill(int seed, int size) {
  for (int i = 0; i < size; ++i) data()[i] = pattern(seed, i);
}

static void blank(void) { memset(memory, 0xee, kMax + 2 * kGuard); }

static void inspect(const uint8_t* at, int seed, int size, const char* what) {
  for (int i = 0; i < size; ++i) {
    if (at[i] == pattern(seed, i)) continue;
    fprintf(stderr, "%s of %d bytes: byte %d is %02x, not %02x\n", what, size, i, at[i], pattern(seed, i));
    exit(1);
  }
  for (int i = 0; i < kGuard; ++i) CHECK(at[size + i] == 0xee && "nothing behind the message is touched");
  messages += 1;
  bytes += size;
}

/*
 * Waits for the bytes of a WRITE. Nothing tells the target of a WRITE over UC that it has arrived; the
 * requester's completion only says that it was sent.
 */
static void await_bytes(const volatile uint8_t* at, int seed, int size) {
  const double end = now() + kPatience;
  for (int i = 0; i < size && now() < end;) {
    if (at[i] == pattern(seed, i)) {
      ++i;
    } else {
      sched_yield();
    }
  }
}

static void receive(int size) {
  struct ibv_sge sge = {(uintptr_t)data(), (uint32_t)size, mr->lkey};
  struct ibv_recv_wr wr = {.wr_id = 7, .sg_list = &sge, .num_sge = 1}, *bad;
  CHECK((srq ? ibv_post_srq_recv(srq, &wr, &bad) : ibv_post_recv(qp, &wr, &bad)) == 0);
}

static void request(enum ibv_wr_opcode opcode, int size, uint64_t offset, uint32_t rkey, uint32_t number) {
  struct ibv_sge sge = {(uintptr_t)data(), (uint32_t)size, mr->lkey};
  struct ibv_send_wr wr = {.wr_id = 9,
                           .sg_list = &sge,
                           .num_sge = size > 0,
                           .opcode = opcode,
                           .send_flags = IBV_SEND_SIGNALED,
                           .imm_data = htonl(0xabc00000 + number)};
  struct ibv_send_wr* bad;
  wr.wr.rdma.remote_addr = theirs.address + offset;
  wr.wr.rdma.rkey = rkey;
  if (is_ud()) {
    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = theirs.qpn;
    wr.wr.ud.remote_qkey = kQkey;
  }
  CHECK(ibv_post_send(qp, &wr, &bad) == 0);
}

/* A SEND or WRITE, with or without immediate data. */
static void move(enum ibv_wr_opcode opcode, int size, int seed) {
  const int imm = opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  const int write = opcode == IBV_WR_RDMA_WRITE || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  const int head = is_ud() ? kGrh : 0;
  if (is_requester()) {
    fill(seed, size);
    meet();
    request(opcode, size, 0, theirs.rkey, (uint32_t)seed);
    expect_wc(IBV_WC_SUCCESS, options.operation);
    messages += 1;
    bytes += size;
    meet();
    return;
  }
  blank();
  if (!write || imm) receive(write ? 0 : size + head);
  meet();
  if (!write || imm) {
    const struct ibv_wc wc = completion();
    CHECK(wc.status == IBV_WC_SUCCESS && wc.wr_id == 7);
    CHECK(wc.opcode == (write ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV));
    CHECK(wc.byte_len == (uint32_t)(size + head));
    CHECK(((wc.wc_flags & IBV_WC_WITH_IMM) != 0) == imm);
    CHECK(!imm || wc.imm_data == htonl(0xabc00000 + (uint32_t)seed));
    CHECK(!is_ud() || (wc.src_qp == theirs.qpn && (wc.wc_flags & IBV_WC_GRH)));
    CHECK(!is_ud() || memcmp(data() + 32, theirs.gid + 12, 4) == 0); /* source address of the IPv4 header */
  }
  meet();
  await_bytes(data() + head, seed, size);
  inspect(data() + head, seed, size, options.operation);
}

static void op_send(int size, int seed) { move(IBV_WR_SEND, size, seed); }
static void op_send_imm(int size, int seed) { move(IBV_WR_SEND_WITH_IMM, size, seed); }
static void op_write(int size, int seed) { move(IBV_WR_RDMA_WRITE, size, seed); }
static void op_write_imm(int size, int seed) { move(IBV_WR_RDMA_WRITE_WITH_IMM, size, seed); }

static void op_read(int size, int seed) {
  if (is_requester()) {
    blank();
    meet();
    request(IBV_WR_RDMA_READ, size, 0, theirs.rkey, 0);
    expect_wc(IBV_WC_SUCCESS, "read");
    inspect(data(), seed, size, "read");
    meet();
  } else {
    fill(seed, size);
    meet();
    meet();
  }
}

static void atomic(enum ibv_wr_opcode opcode, uint64_t compare, uint64_t operand, uint64_t before) {
  struct ibv_sge sge = {(uintptr_t)data(), 8, mr->lkey};
  struct ibv_send_wr wr = {
      .wr_id = 9, .sg_list = &sge, .num_sge = 1, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED};
  struct ibv_send_wr* bad;
  wr.wr.atomic.remote_addr = theirs.address;
  wr.wr.atomic.rkey = theirs.rkey;
  wr.wr.atomic.compare_add = compare;
  wr.wr.atomic.swap = operand;
  CHECK(ibv_post_send(qp, &wr, &bad) == 0);
  expect_wc(IBV_WC_SUCCESS, "atomic");
  uint64_t value;
  memcpy(&value, data(), sizeof value);
  CHECK(value == before && "the value before the operation");
  messages += 1;
  bytes += 8;
}

/* Swap, fail to swap, add, add over the end. */
static void op_atomic(int size, int seed) {
  (void)size;
  const uint64_t first = 0x1122334455667700ull + (uint64_t)seed, second = 0xfffffffffffffff0ull;
  if (is_requester()) {
    meet();
    atomic(IBV_WR_ATOMIC_CMP_AND_SWP, first, second, first);
    atomic(IBV_WR_ATOMIC_CMP_AND_SWP, first, 5, second);
    atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, 0x20, 0, second);
    atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 0, 0x10);
    meet();
    return;
  }
  memcpy(data(), &first, sizeof first);
  meet();
  meet();
  uint64_t value;
  memcpy(&value, data(), sizeof value);
  CHECK(value == 0x11);
  messages += 4;
  bytes += 32;
}

/* Posts the receive after the sender has got several RNR NAKs. */
static void op_rnr(int size, int seed) {
  if (is_requester()) {
    fill(seed, size);
    meet();
    request(IBV_WR_SEND, size, 0, 0, 0);
    expect_wc(IBV_WC_SUCCESS, "rnr");
    messages += 1;
    bytes += size;
    meet();
    return;
  }
  blank();
  meet();
  usleep(30000);
  receive(size);
  expect_wc(IBV_WC_SUCCESS, "rnr");
  meet();
  inspect(data(), seed, size, "rnr");
}

/* Failures: each ends the queue pair, so each is a run of its own. */

static void fails(enum ibv_wr_opcode opcode, int size, uint64_t offset, uint32_t rkey, enum ibv_wc_status status) {
  meet();
  if (is_requester()) {
    request(opcode, size, offset, rkey, 0);
    expect_wc(status, options.operation);
    struct ibv_qp_attr attr;
    struct ibv_qp_init_attr init;
    CHECK(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init) == 0 && attr.qp_state == IBV_QPS_ERR);
    request(opcode, size, offset, rkey, 0);
    expect_wc(IBV_WC_WR_FLUSH_ERR, "what comes after a failure");
    messages += 1;
  }
  meet();
}

static void op_bad_rkey(int size, int seed) {
  (void)seed;
  fails(IBV_WR_RDMA_WRITE, size, 0, theirs.rkey ^ 0x5500, IBV_WC_REM_ACCESS_ERR);
}
static void op_bad_range(int size, int seed) {
  (void)seed;
  fails(IBV_WR_RDMA_READ, size, kMax + kGuard, theirs.rkey, IBV_WC_REM_ACCESS_ERR);
}
static void op_too_long(int size, int seed) {
  (void)seed;
  if (!is_requester()) receive(size - 1);
  fails(IBV_WR_SEND, size, 0, 0, (enum ibv_wc_status)options.sender_told);
  if (!is_requester()) expect_wc((enum ibv_wc_status)options.receiver_told, "a message longer than its receive");
}
static void op_no_receive(int size, int seed) {
  (void)seed;
  fails(IBV_WR_SEND, size, 0, 0, IBV_WC_RNR_RETRY_EXC_ERR);
}
static void op_nobody(int size, int seed) {
  (void)seed;
  if (!is_requester()) {
    CHECK(ibv_destroy_qp(qp) == 0);
    qp = NULL;
  }
  fails(IBV_WR_SEND, size, 0, 0, IBV_WC_RETRY_EXC_ERR);
}

static const struct operation {
  const char* name;
  void (*run)(int size, int seed);
  int once;      /* the queue pair is no more afterwards */
  int rnr_retry; /* 7: forever */
  int retry;     /* 7: forever to rxe (comp.retry_cnt in rxe_comp.c) */
} operations[] = {{"send", op_send, 0, 7, 7},
                  {"send_imm", op_send_imm, 0, 7, 7},
                  {"write", op_write, 0, 7, 7},
                  {"write_imm", op_write_imm, 0, 7, 7},
                  {"read", op_read, 0, 7, 7},
                  {"atomic", op_atomic, 0, 7, 7},
                  {"rnr", op_rnr, 0, 7, 7},
                  {"bad_rkey", op_bad_rkey, 1, 7, 7},
                  {"bad_range", op_bad_range, 1, 7, 7},
                  {"too_long", op_too_long, 1, 7, 7},
                  {"no_receive", op_no_receive, 1, 1, 7},
                  {"nobody", op_nobody, 1, 7, 2}};

static const struct operation* find_operation(void) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i)
    if (strcmp(operations[i].name, options.operation) == 0) return &operations[i];
  fprintf(stderr, "there is no operation %s\n", options.operation);
  exit(2);
}

static void open_control(void) {
  const int one = 1;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(fd >= 0);
  if (is_requester()) {
    CHECK(inet_pton(AF_INET, options.server, &at.sin_addr) == 1);
    CHECK(connect(fd, (struct sockaddr*)&at, sizeof at) == 0);
    control = fd;
  } else {
    CHECK(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0);
    CHECK(bind(fd, (struct sockaddr*)&at, sizeof at) == 0 && listen(fd, 1) == 0);
    printf("listening\n");
    fflush(stdout);
    control = accept(fd, NULL, NULL);
    CHECK(control >= 0);
  }
  CHECK(setsockopt(control, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0);
}

static enum ibv_qp_type type_of(const char* name) {
  return strcmp(name, "rc") == 0 ? IBV_QPT_RC : strcmp(name, "uc") == 0 ? IBV_QPT_UC : IBV_QPT_UD;
}

static enum ibv_mtu mtu_of(int size) {
  enum ibv_mtu mtu = IBV_MTU_256;
  for (; size > 256; size /= 2) mtu += 1;
  return mtu;
}

static void go_to_rts(const struct operation* operation) {
  const enum ibv_qp_type type = type_of(options.transport);
  struct ibv_qp_attr attr = {
      .qp_state = IBV_QPS_INIT,
      .port_num = 1,
      .qkey = kQkey,
      .qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
                         (type == IBV_QPT_RC ? IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC : 0)};
  CHECK(ibv_modify_qp(qp, &attr,
                      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                          (type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS)) == 0);
  struct ibv_ah_attr to = {
      .is_global = 1, .port_num = 1, .grh = {.sgid_index = (uint8_t)options.gid, .hop_limit = 8}};
  memcpy(&to.grh.dgid, theirs.gid, 16);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR,
                              .path_mtu = mtu_of(options.mtu),
                              .dest_qp_num = theirs.qpn,
                              .rq_psn = theirs.psn,
                              .max_dest_rd_atomic = 4,
                              .min_rnr_timer = 12,
                              .ah_attr = to};
  const int connected = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
  const int reliable = IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  CHECK(ibv_modify_qp(qp, &attr,
                      IBV_QP_STATE | (type == IBV_QPT_UD ? 0 : connected) |
                          (type == IBV_QPT_RC ? reliable : 0)) == 0);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS,
                              .timeout = 14,
                              .retry_cnt = (uint8_t)operation->retry,
                              .rnr_retry = (uint8_t)operation->rnr_retry,
                              .sq_psn = mine.psn,
                              .max_rd_atomic = 4};
  const int retries = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  CHECK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | (type == IBV_QPT_RC ? retries : 0)) == 0);
  if (type == IBV_QPT_UD) {
    ah = ibv_create_ah(qp->pd, &to);
    CHECK(ah != NULL);
  }
}

static void open_device(const struct operation* operation) {
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  cq = ibv_create_cq(context, 64, NULL, NULL, 0);
  CHECK(pd != NULL && cq != NULL);
  memory = aligned_alloc(4096, kMax + 4096);
  CHECK(memory != NULL);
  blank();
  mr = ibv_reg_mr(pd, memory, kMax + 2 * kGuard,
                  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                      IBV_ACCESS_REMOTE_ATOMIC);
  CHECK(mr != NULL);
  if (options.shared && !is_requester()) {
    struct ibv_srq_init_attr attr = {.attr = {.max_wr = 16, .max_sge = 1}};
    srq = ibv_create_srq(pd, &attr);
    CHECK(srq != NULL);
  }
  struct ibv_qp_init_attr attr = {
      .send_cq = cq,
      .recv_cq = cq,
      .srq = srq,
      .cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1},
      .qp_type = type_of(options.transport)};
  qp = ibv_create_qp(pd, &attr);
  CHECK(qp != NULL);
  /* Close to the end of the PSNs, so that they wrap. */
  mine = (struct side){
      .qpn = qp->qp_num, .psn = 0xfffff0, .rkey = mr->rkey, .address = (uintptr_t)data()};
  union ibv_gid gid;
  CHECK(ibv_query_gid(context, 1, options.gid, &gid) == 0);
  memcpy(mine.gid, &gid, 16);
  exchange(&mine, &theirs, sizeof mine);
  go_to_rts(operation);
  meet();
}

static void run(const struct operation* operation) {
  static const int lengths[] = {0, 1, 3, 4, 8, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 65536, 100001, kMax};
  if (operation->once || operation->run == op_atomic || operation->run == op_rnr || options.size >= 0) {
    for (int round = 0; round < (operation->once ? 1 : options.rounds); ++round)
      operation->run(options.size >= 0 ? options.size : 5000, round + 1);
    return;
  }
  /* UC: a longer burst may overrun a receive buffer, and a lost message is not retransmitted. */
  const int longest = is_ud() ? options.mtu : strcmp(options.transport, "uc") == 0 ? 16 * options.mtu : kMax;
  for (int round = 0; round < options.rounds; ++round)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
      if (lengths[i] <= longest) operation->run(lengths[i], round * 20 + (int)i + 1);
}

int main(int argc, char** argv) {
  for (int option; (option = getopt(argc, argv, "p:o:m:c:s:r:qg:e:w:")) != -1;) {
    switch (option) {
      case 'p': options.port = atoi(optarg); break;
      case 'o': options.operation = optarg; break;
      case 'm': options.mtu = atoi(optarg); break;
      case 'c': options.transport = optarg; break;
      case 's': options.size = atoi(optarg); break;
      case 'r': options.rounds = atoi(optarg); break;
      case 'q': options.shared = 1; break;
      case 'g': options.gid = atoi(optarg); break;
      case 'e': options.receiver_told = atoi(optarg); break;
      case 'w': options.sender_told = atoi(optarg); break;
      default: return 2;
    }
  }
  if (optind < argc) options.server = argv[optind];
  const struct operation* operation = find_operation();
  open_control();
  open_device(operation);
  run(operation);
  printf("%s: %ld messages, %ld bytes right\n", options.operation, messages, bytes);
  return 0;
}
