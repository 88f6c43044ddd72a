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
#include <getopt.h>
#include <sched.h>

#include "ends.h"

static long messages, bytes;

static uint8_t pattern(int seed, int i) { return (uint8_t)(seed * 31 + i * 7 + (i >> 8) * 13); }

static void fill(int seed, int size) {
  for (int i = 0; i < size; ++i) data()[i] = pattern(seed, i);
}

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

static const struct operation operations[] = {{"send", op_send, 0, 7, 7},
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
