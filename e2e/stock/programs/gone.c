/*
 * gone write|read unmapped|freed|truncated|protected: a process registers memory, loses it and sleeps. Then
 * its peer accesses the memory. The request fails, both processes live, and a second connection between them still
 * carries data.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "ends.h"

enum {
  kLost = 1 << 20, /* enough for malloc() to map it on its own */
  kGap = 1 << 30,
};

static const char* loss;
static int file = -1;
/*
 * A new mapping takes the highest gap with enough room. This gap is above the memory that goes. A late
 * mapping of the device on a busy machine (a ring, a stack) lands here, and the address of the lost memory
 * stays unmapped.
 */
static void* gap;

static uint8_t* map_memory(void) {
  if (strcmp(loss, "freed") == 0) return malloc(kLost);
  if (strcmp(loss, "truncated") == 0 && file < 0)
    CHECK((file = memfd_create("gone", 0)) >= 0 && ftruncate(file, kLost) == 0);
  const int flags = file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  return mmap(NULL, kLost, PROT_READ | PROT_WRITE, flags, file, 0);
}

/* Makes memory below the gap. A mapping that fills another gap, above this one, stays there. */
static uint8_t* make_memory(void) {
  for (;;) {
    uint8_t* memory = map_memory();
    CHECK(memory != MAP_FAILED && memory != NULL);
    if (memory < (uint8_t*)gap) return memory;
  }
}

static void lose(uint8_t* memory) {
  CHECK(munmap(gap, kGap) == 0);
  if (strcmp(loss, "unmapped") == 0) CHECK(munmap(memory, kLost) == 0);
  if (strcmp(loss, "freed") == 0) free(memory);
  if (strcmp(loss, "truncated") == 0) CHECK(ftruncate(file, 0) == 0);
  if (strcmp(loss, "protected") == 0) CHECK(mprotect(memory, kLost, PROT_NONE) == 0);
}

static void target(int to_peer) {
  end_with_parent();
  gap = mmap(NULL, kGap, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(gap != MAP_FAILED);
  struct ibv_pd* pd = ibv_alloc_pd(open_first());
  struct end first = make_end(pd), second = make_end(pd);
  uint8_t* memory = make_memory();
  struct ibv_mr* mr = ibv_reg_mr(pd, memory, kLost,
                                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
  CHECK(mr != NULL);
  const struct target mine[2] = {{first.qp->qp_num, mr->rkey, (uintptr_t)memory}, target_of(&second)};
  struct target its[2];
  write_all(to_peer, mine, sizeof mine);
  read_all(to_peer, its, sizeof its);
  connect_to(first.qp, its[0].qpn);
  connect_to(second.qp, its[1].qpn);
  write_all(to_peer, "", 1);
  char told;
  read_all(to_peer, &told, 1);
  lose(memory);
  write_all(to_peer, "", 1);
  read_all(to_peer, &told, 1); /* asleep; the device serves the peer */
  exit(0);
}

int main(int argc, char** argv) {
  CHECK(argc == 3);
  loss = argv[2];
  int ends[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) target(ends[1]);
  struct ibv_pd* pd = ibv_alloc_pd(open_first());
  struct end first = make_end(pd), second = make_end(pd);
  const struct target mine[2] = {target_of(&first), target_of(&second)};
  struct target its[2];
  read_all(ends[0], its, sizeof its);
  write_all(ends[0], mine, sizeof mine);
  connect_to(first.qp, its[0].qpn);
  connect_to(second.qp, its[1].qpn);
  char told;
  read_all(ends[0], &told, 1);
  /* The devices have mapped everything now: a ring may not take the address of the memory that goes. */
  verified_round(&second, its[1], 1);
  write_all(ends[0], "", 1);
  read_all(ends[0], &told, 1);
  const enum ibv_wr_opcode opcode = strcmp(argv[1], "read") == 0 ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
  CHECK(post_one_sided(&first, opcode, 0, its[0]) == 0);
  printf("%s\n", ibv_wc_status_str(complete(&first)));
  verified_round(&second, its[1], 2);
  write_all(ends[0], "", 1);
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  printf("target: %s %d\n", WIFSIGNALED(status) ? "signal" : "status",
         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return 0;
}
