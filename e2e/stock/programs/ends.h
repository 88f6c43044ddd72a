/*
 * Ends of RC connections between processes, and the resources that a process holds of the device. Include it
 * with _GNU_SOURCE defined.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "../../../native/uroce/ext/uroce.h"
#include "common.h"

enum { kBytes = 65536, kDepth = 16 };

struct end {
  struct ibv_cq* cq;
  struct ibv_qp* qp;
  struct ibv_mr* mr;
  uint8_t* memory;
  uint32_t posted, done;
};

/* Address of an end, for the other end. */
struct target {
  uint32_t qpn, rkey;
  uint64_t address;
};

/* Makes an end. With a channel, complete() sleeps. */
static inline struct end make_end_on(struct ibv_pd* pd, struct ibv_comp_channel* channel) {
  struct end e = {.cq = ibv_create_cq(pd->context, 2 * kDepth, NULL, channel, 0), .memory = calloc(2, kBytes)};
  struct ibv_qp_init_attr attr = {.send_cq = e.cq,
                                  .recv_cq = e.cq,
                                  .cap = {.max_send_wr = kDepth, .max_send_sge = 1},
                                  .qp_type = IBV_QPT_RC};
  CHECK(e.cq != NULL && e.memory != NULL);
  e.qp = ibv_create_qp(pd, &attr);
  e.mr = ibv_reg_mr(pd, e.memory, 2 * kBytes,
                    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
  CHECK(e.qp != NULL && e.mr != NULL);
  if (channel != NULL) CHECK(ibv_req_notify_cq(e.cq, 0) == 0);
  return e;
}
static inline struct end make_end(struct ibv_pd* pd) { return make_end_on(pd, NULL); }

static inline void unmake_end(struct end* e) {
  CHECK(ibv_destroy_qp(e->qp) == 0 && ibv_dereg_mr(e->mr) == 0 && ibv_destroy_cq(e->cq) == 0);
  free(e->memory);
}

static inline struct target target_of(const struct end* e) {
  return (struct target){e->qp->qp_num, e->mr->rkey, (uintptr_t)e->memory};
}

/* Posts a request between `offset` in this end's memory and the front of the other end's. */
static inline int post_one_sided(struct end* e, enum ibv_wr_opcode opcode, size_t offset, struct target to) {
  struct ibv_sge sge = {(uintptr_t)e->memory + offset, kBytes, e->mr->lkey};
  struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED};
  wr.wr.rdma.remote_addr = to.address;
  wr.wr.rdma.rkey = to.rkey;
  struct ibv_send_wr* bad;
  return ibv_post_send(e->qp, &wr, &bad);
}
static inline int post_write(struct end* e, struct target to) {
  return post_one_sided(e, IBV_WR_RDMA_WRITE, 0, to);
}

/* Returns the next completion of the end's queue. Sleeps for it if there is a channel. */
static inline enum ibv_wc_status complete(struct end* e) {
  struct ibv_wc wc;
  for (;;) {
    const int n = ibv_poll_cq(e->cq, 1, &wc);
    CHECK(n >= 0);
    if (n == 1) return wc.status;
    if (e->cq->channel != NULL) wait_for(e->cq->channel);
  }
}

/* Writes a pattern to the other end, reads it back and compares. */
static inline void verified_round(struct end* e, struct target to, uint32_t seed) {
  uint32_t* words = (uint32_t*)e->memory;
  for (uint32_t i = 0; i < kBytes / 4; ++i) words[i] = seed * 2654435761u + i;
  memset(e->memory + kBytes, 0, kBytes);
  CHECK(post_write(e, to) == 0);
  CHECK(complete(e) == IBV_WC_SUCCESS);
  CHECK(post_one_sided(e, IBV_WR_RDMA_READ, kBytes, to) == 0);
  CHECK(complete(e) == IBV_WC_SUCCESS);
  CHECK(memcmp(e->memory, e->memory + kBytes, kBytes) == 0);
}

/* Ends this process with its parent, which waits for it: a test that is killed leaves no process behind. */
static inline void end_with_parent(void) { CHECK(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != 1); }

static inline uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static inline void read_all(int fd, void* to, size_t bytes) { CHECK(read(fd, to, bytes) == (ssize_t)bytes); }
static inline void write_all(int fd, const void* from, size_t bytes) {
  CHECK(write(fd, from, bytes) == (ssize_t)bytes);
}

static inline int mapped(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  CHECK(maps != NULL);
  int n = 0;
  for (char line[512]; fgets(line, sizeof line, maps) != NULL;) n += strstr(line, "memfd:uroce") != NULL;
  fclose(maps);
  return n;
}

static inline int descriptors(void) {
  int n = 0;
  DIR* all = opendir("/proc/self/fd");
  CHECK(all != NULL);
  while (readdir(all) != NULL) ++n;
  closedir(all);
  return n;
}

/* A counter of the device; 0 if it has none of that name. */
static inline uint64_t counter(struct ibv_context* context, const char* name) {
  __typeof__(&uroce_query_counters) query = dlsym(RTLD_DEFAULT, "uroce_query_counters");
  CHECK(query != NULL);
  struct uroce_counter all[256];
  uint32_t n = sizeof all / sizeof *all;
  CHECK(query(context, all, &n) == 0);
  for (uint32_t i = 0; i < n; ++i) {
    if (strcmp(all[i].name, name) == 0) return all[i].value;
  }
  return 0;
}
