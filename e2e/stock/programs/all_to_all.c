/*
 * all_to_all N: N processes on one address. Each process writes a message to every other and checks the
 * messages that it received. No queue pair has an ACK timeout, so a message whose end is lost is missed forever. Any other
 * loss is a gap that the receiver counts. Then the rings are measured, the idle processes watched, and all
 * but one of the processes end. The last process must no longer hold anything of them.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/timerfd.h>

#include "ends.h"

enum {
  kMost = 64,
  kMessage = 8192,
  kTicks = 50,       // times 10 ms for which the processes are watched
  kPatience = 1000,  // ticks until they must be idle
};

/* Memory that all processes share. */
static struct shared {
  pthread_barrier_t step;
  struct target targets[kMost][kMost]; /* [of][for] */
  pid_t pids[kMost];
} * shared;
static int count;

static void step(void) { pthread_barrier_wait(&shared->step); }

static uint32_t word(int from, int to, int i) { return (uint32_t)(from * 65599 + to * 257 + i) * 2654435761u; }

static void check_held(int rings) {
  const uint64_t patience = now_ms() + 20000;
  while (mapped() != rings && now_ms() < patience) usleep(1000);
  if (mapped() == rings) return;
  fprintf(stderr, "the last process maps %d rings of others that ended\n", mapped() - rings);
  exit(1);
}

static void process(int me) {
  static uint32_t in[kMost][kMessage / 4], out[kMost][kMessage / 4];
  struct ibv_context* context = open_first();
  const int alone = mapped();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  struct ibv_cq* cq = ibv_create_cq(context, 2 * kMost, NULL, NULL, 0);
  struct ibv_mr* to = ibv_reg_mr(pd, in, sizeof in, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  struct ibv_mr* from = ibv_reg_mr(pd, out, sizeof out, 0);
  CHECK(pd != NULL && cq != NULL && to != NULL && from != NULL);
  struct ibv_qp* qps[kMost];
  for (int other = 0; other < count; ++other) {
    struct ibv_qp_init_attr attr = {
        .send_cq = cq, .recv_cq = cq, .cap = {.max_send_wr = 1, .max_send_sge = 1}, .qp_type = IBV_QPT_RC};
    qps[other] = ibv_create_qp(pd, &attr);
    CHECK(qps[other] != NULL);
    shared->targets[me][other] = (struct target){qps[other]->qp_num, to->rkey, (uintptr_t)in[other]};
    for (int i = 0; i < kMessage / 4; ++i) out[other][i] = word(me, other, i);
  }
  step();
  for (int other = 0; other < count; ++other)
    if (other != me) connect_within(qps[other], shared->targets[other][me].qpn, 0);
  step();
  for (int hop = 1; hop < count; ++hop) {
    const int other = (me + hop) % count;
    const struct target target = shared->targets[other][me];
    struct ibv_sge sge = {(uintptr_t)out[other], kMessage, from->lkey};
    struct ibv_send_wr wr = {
        .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED};
    wr.wr.rdma.remote_addr = target.address;
    wr.wr.rdma.rkey = target.rkey;
    struct ibv_send_wr* bad;
    CHECK(ibv_post_send(qps[other], &wr, &bad) == 0);
  }
  struct ibv_wc wc;
  for (int done = 0; done < count - 1;) {
    const int n = ibv_poll_cq(cq, 1, &wc);
    CHECK(n >= 0 && (n == 0 || wc.status == IBV_WC_SUCCESS));
    done += n;
  }
  step();
  for (int other = 0; other < count; ++other) {
    if (other == me) continue;
    for (int i = 0; i < kMessage / 4; ++i) CHECK(in[other][i] == word(other, me, i));
  }
  CHECK(counter(context, "udp_sends") == 0 && counter(context, "shm_ring_refused") == 0);
  CHECK(counter(context, "out_of_seq_request") == 0 && counter(context, "duplicate_request") == 0);
  step(); /* the parent measures the rings and watches the processes */
  step();
  if (me != 0) _exit(0);
  for (int other = 1; other < count; ++other) {
    const uint64_t patience = now_ms() + 20000;
    while (kill(shared->pids[other], 0) == 0 && now_ms() < patience) usleep(1000);
  }
  check_held(alone);
  _exit(0);
}

struct mapping {
  unsigned long inode, bytes, pss;
  int process;
};

static int by_inode(const void* a, const void* b) {
  const struct mapping *x = a, *y = b;
  return x->inode != y->inode ? (x->inode > y->inode) - (x->inode < y->inode) : x->process - y->process;
}

/*
 * Prints the size of the rings: at most per pair, if all are full, and now. A page that only one process
 * writes is its bell.
 */
static void weigh(void) {
  static struct mapping all[kMost * 4 * kMost];
  static unsigned long of_pair[kMost][kMost];
  int n = 0;
  for (int process = 0; process < count; ++process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/smaps", shared->pids[process]);
    FILE* smaps = fopen(path, "r");
    CHECK(smaps != NULL);
    bool ours = false;
    for (char line[512]; fgets(line, sizeof line, smaps) != NULL;) {
      unsigned long begin, end, inode, kib;
      if (sscanf(line, "%lx-%lx %*s %*x %*s %lu", &begin, &end, &inode) == 3) {
        ours = strstr(line, "memfd:uroce") != NULL;
        if (!ours) continue;
        CHECK(n < (int)(sizeof all / sizeof *all));
        all[n++] = (struct mapping){inode, end - begin, 0, process};
      } else if (ours && sscanf(line, "Pss: %lu kB", &kib) == 1) {
        all[n - 1].pss = kib << 10;
      }
    }
    fclose(smaps);
  }
  qsort(all, (size_t)n, sizeof *all, by_inode);
  unsigned long bytes = 0, pss = 0, most = 0;
  int rings = 0;
  for (int i = 0; i < n; ++i) {
    pss += all[i].pss;
    if (i > 0 && all[i - 1].inode == all[i].inode) continue;
    bytes += all[i].bytes;
    if (all[i].bytes <= 4096) continue;
    CHECK(i + 1 < n && all[i + 1].inode == all[i].inode);
    ++rings;
    unsigned long* pair = &of_pair[all[i].process][all[i + 1].process];
    *pair += all[i].bytes;
    if (*pair > most) most = *pair;
  }
  printf("%d rings, %lu bytes a pair at most, %lu bytes if all are full, %lu bytes now\n", rings, most, bytes, pss);
}

struct usage {
  uint64_t cpu_ns, switches;
};

/*
 * CPU time and switches of the threads that the device has made, or of the process itself if there are none.
 */
static struct usage usage_of(pid_t pid) {
  struct usage sum = {0, 0};
  char path[300];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR* tasks = opendir(path);
  CHECK(tasks != NULL);
  for (struct dirent* task; (task = readdir(tasks)) != NULL;) {
    if (task->d_name[0] == '.') continue;
    uint64_t cpu = 0, switches = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", pid, task->d_name);
    FILE* file = fopen(path, "r");
    CHECK(file != NULL && fscanf(file, "%" SCNu64, &cpu) == 1);
    fclose(file);
    snprintf(path, sizeof path, "/proc/%d/task/%s/status", pid, task->d_name);
    CHECK((file = fopen(path, "r")) != NULL);
    for (char line[256]; fgets(line, sizeof line, file) != NULL;)
      if (sscanf(line, "voluntary_ctxt_switches: %" SCNu64, &switches) == 1) break;
    fclose(file);
    sum.cpu_ns += cpu;
    sum.switches += switches;
  }
  closedir(tasks);
  return sum;
}

static struct usage growth(const struct usage* before, const struct usage* after, int n) {
  struct usage sum = {0, 0};
  for (int i = 0; i < n; ++i) {
    sum.cpu_ns += after[i].cpu_ns - before[i].cpu_ns;
    sum.switches += after[i].switches - before[i].switches;
  }
  return sum;
}

static void usage_of_all(struct usage* all) {
  for (int i = 0; i < count; ++i) all[i] = usage_of(shared->pids[i]);
}

static void pass(int ticks) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const struct itimerspec every = {{0, 10000000}, {0, 10000000}};
  CHECK(timer >= 0 && timerfd_settime(timer, 0, &every, NULL) == 0);
  for (uint64_t n, sum = 0; sum < (uint64_t)ticks; sum += n) read_all(timer, &n, sizeof n);
  close(timer);
}

/*
 * Waits until the engine threads cause no switches: they sleep without a timer, like a process that waits on
 * a descriptor.
 */
static void watch(pid_t without_device) {
  static struct usage before[kMost], after[kMost];
  struct usage all = {0, 1};
  usage_of_all(before);
  for (int ticks = 0; all.switches != 0 && ticks < kPatience; ticks += 5) {
    pass(5);
    usage_of_all(after);
    all = growth(before, after, count);
    memcpy(before, after, sizeof before);
  }
  const struct usage other = usage_of(without_device);
  pass(kTicks);
  usage_of_all(after);
  all = growth(before, after, count);
  const struct usage now = usage_of(without_device);
  const struct usage control = growth(&other, &now, 1);
  printf("idle: %" PRIu64 " ns of CPU and %" PRIu64 " switches in %d processes, %" PRIu64 " and %" PRIu64
         " in one without a device\n",
         all.cpu_ns, all.switches, count, control.cpu_ns, control.switches);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  count = atoi(argv[1]);
  CHECK(count >= 2 && count <= kMost);
  setvbuf(stdout, NULL, _IOLBF, 0);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  pthread_barrierattr_t attr;
  pthread_barrierattr_init(&attr);
  pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
  CHECK(pthread_barrier_init(&shared->step, &attr, (unsigned)count + 1) == 0);
  const pid_t control = fork();
  CHECK(control >= 0);
  if (control == 0) {
    end_with_parent();
    for (;;) pause();
  }
  for (int i = 0; i < count; ++i) {
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
      end_with_parent();
      process(i);
    }
    shared->pids[i] = pid;
  }
  for (int i = 0; i < 4; ++i) step();
  weigh();
  watch(control);
  step();
  int failed = 0;
  for (int i = count - 1; i >= 0; --i) {
    int status = 1;
    CHECK(waitpid(shared->pids[i], &status, 0) == shared->pids[i]);
    failed += status != 0;
  }
  kill(control, SIGKILL);
  CHECK(waitpid(control, NULL, 0) == control);
  CHECK(failed == 0);
  printf("%d processes exchanged and checked everything\n", count);
  return 0;
}
