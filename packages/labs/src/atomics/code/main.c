// Two clients count on the same 8 bytes of a server: with FETCH_ADD, with READ and WRITE, and with CMP_SWAP.
#include "common.h"

// Each client's memory: a value that it writes, and the value that came back.
#define NEW 0
#define OLD 8

static uint64_t value_at(const struct end* e, size_t offset) {
  uint64_t value;
  memcpy(&value, e->memory + offset, 8);
  return value;
}

// Adds to the 8 bytes at `offset`. Their old value comes back.
static enum ibv_wc_status fetch_add(struct end* client, const struct ibv_mr* word, size_t offset,
                                    uint64_t add) {
  struct ibv_sge local = piece(client->mr, OLD, 8);
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD, .sg_list = &local, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.atomic.remote_addr = (uintptr_t)word->addr + offset;
  wr.wr.atomic.rkey = word->rkey;
  wr.wr.atomic.compare_add = add;
  check(ibv_post_send(client->qp, &wr, &bad), "ibv_post_send of FETCH_ADD");
  return next_completion(client->cq).status;
}

// Writes `swap` if the word is `expected`. Returns what the word was.
static uint64_t compare_swap(struct end* client, const struct ibv_mr* word, uint64_t expected,
                             uint64_t swap) {
  struct ibv_sge local = piece(client->mr, OLD, 8);
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_ATOMIC_CMP_AND_SWP, .sg_list = &local, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.atomic.remote_addr = (uintptr_t)word->addr;
  wr.wr.atomic.rkey = word->rkey;
  wr.wr.atomic.compare_add = expected;
  wr.wr.atomic.swap = swap;
  check(ibv_post_send(client->qp, &wr, &bad), "ibv_post_send of CMP_SWAP");
  // The status is SUCCESS, whether it wrote or not.
  next_success(client->cq);
  return value_at(client, OLD);
}

static uint64_t read_word(struct end* client, const struct ibv_mr* word) {
  check(post(client->qp, IBV_WR_RDMA_READ, 0, piece(client->mr, OLD, 8), word, IBV_SEND_SIGNALED),
        "ibv_post_send of READ");
  next_success(client->cq);
  return value_at(client, OLD);
}

static void write_word(struct end* client, const struct ibv_mr* word, uint64_t value) {
  memcpy(client->memory + NEW, &value, 8);
  check(post(client->qp, IBV_WR_RDMA_WRITE, 0, piece(client->mr, NEW, 8), word, IBV_SEND_SIGNALED),
        "ibv_post_send of WRITE");
  next_success(client->cq);
}

static const char* compare(struct end* client, const struct ibv_mr* word, uint64_t expected) {
  return compare_swap(client, word, expected, expected + 1) == expected ? "swapped" : "refused";
}

int main(void) {
  struct device d = open_device();
  static struct end clients[2], servers[2];
  for (int i = 0; i < 2; i++) {
    open_end(&d, &clients[i], IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
    open_end(&d, &servers[i], IBV_QPT_RC, REMOTE_ACCESS | IBV_ACCESS_REMOTE_ATOMIC);
    connect_ends(&d, &clients[i], &servers[i]);
  }
  // The counter is the first word of one region of the server. Both clients reach it by the same rkey.
  struct ibv_mr* counter = servers[0].mr;

  for (int i = 0; i < 2; i++) {
    need(fetch_add(&clients[i], counter, 0, 1) == IBV_WC_SUCCESS, "FETCH_ADD");
    printf("FETCH_ADD: client %d got %d\n", i + 1, (int)value_at(&clients[i], OLD));
  }
  printf("the counter is %d\n", (int)value_at(&servers[0], 0));

  // Both read before one of them writes. One increment is lost, and no status says so.
  uint64_t first = read_word(&clients[0], counter), second = read_word(&clients[1], counter);
  write_word(&clients[0], counter, first + 1);
  write_word(&clients[1], counter, second + 1);
  printf("READ, then WRITE: two increments, the counter is %d\n", (int)value_at(&servers[0], 0));

  // Now with CMP_SWAP: the second client sees that the word has changed, and tries again.
  first = read_word(&clients[0], counter);
  second = read_word(&clients[1], counter);
  printf("CMP_SWAP: client 1 %s, ", compare(&clients[0], counter, first));
  printf("client 2 %s, ", compare(&clients[1], counter, second));
  second = value_at(&clients[1], OLD);
  printf("again %s, ", compare(&clients[1], counter, second));
  printf("the counter is %d\n", (int)value_at(&servers[0], 0));

  printf("an address that is not a multiple of 8: status %d\n", fetch_add(&clients[0], counter, 4, 1));

  for (int i = 0; i < 2; i++) {
    close_end(&clients[i]);
    close_end(&servers[i]);
  }
  close_device(&d);
  return 0;
}
