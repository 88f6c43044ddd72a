// A message sent eagerly, through a bounce buffer, and by rendezvous: RTS, CTS, and a WRITE with immediate 1.
#include "common.h"

#define READY 1
#define EAGER_LIMIT 64

// Offsets of the parts of each end's memory.
enum { OUT = 0, IN = 64, BOUNCE = 128, OWN = 4096 };

struct control {
  uint64_t addr;
  uint32_t length, rkey;
};

static void send_bytes(struct end* from, size_t at, uint32_t length) {
  check(post(from->qp, IBV_WR_SEND, 0, piece(from->mr, at, length), NULL, IBV_SEND_SIGNALED),
        "ibv_post_send");
  next_success(from->cq);
}

// Tells the peer where our own buffer is, and returns what the peer decodes.
static struct control tell(struct end* from, struct end* to, uint32_t length) {
  struct control out = {(uintptr_t)from->memory + OWN, length, from->mr->rkey}, in;
  memcpy(from->memory + OUT, &out, sizeof out);
  post_recv(to->qp, 0, piece(to->mr, IN, sizeof in));
  send_bytes(from, OUT, sizeof out);
  next_success(to->cq);
  memcpy(&in, to->memory + IN, sizeof in);
  return in;
}

static void eager(struct end* sender, struct end* receiver, uint32_t length) {
  post_recv(receiver->qp, 0, piece(receiver->mr, BOUNCE, EAGER_LIMIT));
  memcpy(sender->memory + BOUNCE, sender->memory + OWN, length);
  send_bytes(sender, BOUNCE, length);
  struct ibv_wc wc = next_success(receiver->cq);
  memcpy(receiver->memory + OWN, receiver->memory + BOUNCE, wc.byte_len);
  printf("eager: %u bytes, 2 copies, \"%s\"\n", wc.byte_len, receiver->memory + OWN);
}

static void rendezvous(struct end* sender, struct end* receiver, uint32_t length) {
  struct control rts = tell(sender, receiver, length);
  printf("RTS: %u bytes wait\n", rts.length);
  // The RECV of the notification needs no buffer.
  struct ibv_recv_wr *bad_recv, recv = {0};
  check(ibv_post_recv(receiver->qp, &recv, &bad_recv), "ibv_post_recv");
  struct control cts = tell(receiver, sender, rts.length);
  printf("CTS: %u bytes may come\n", cts.length);
  struct ibv_sge own = piece(sender->mr, OWN, cts.length);
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .sg_list = &own, .num_sge = 1};
  wr.imm_data = htonl(READY);
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = cts.addr;
  wr.wr.rdma.rkey = cts.rkey;
  check(ibv_post_send(sender->qp, &wr, &bad), "ibv_post_send");
  next_success(sender->cq);
  struct ibv_wc wc = next_success(receiver->cq);
  printf("immediate %u: %u bytes, no copy, \"%s\"\n", ntohl(wc.imm_data), wc.byte_len,
         receiver->memory + OWN);
}

int main(void) {
  struct device d = open_device();
  static struct end sender, receiver;
  open_end(&d, &sender, IBV_QPT_RC, REMOTE_ACCESS);
  open_end(&d, &receiver, IBV_QPT_RC, REMOTE_ACCESS);
  connect_ends(&d, &sender, &receiver);

  strcpy(sender.memory + OWN, "a short message");
  eager(&sender, &receiver, strlen(sender.memory + OWN) + 1);
  strcpy(sender.memory + OWN, "a long message, which would not fit into the buffer of an eager RECV at all");
  rendezvous(&sender, &receiver, strlen(sender.memory + OWN) + 1);

  close_end(&sender);
  close_end(&receiver);
  close_device(&d);
  return 0;
}
