/*
 * A receiver that ends as soon as it has polled its last completion, in the way that the first argument
 * names. On a NIC the device acknowledges: the sender must see status 0, in each of as many runs as the
 * second argument says. The third argument `pingpong`: receiver and sender have answered each other before,
 * so the acknowledgment waits to be piggybacked. `silent`: the sender's engine thread stands still from
 * before the receiver connects until the receiver has ended, as on a busy machine. Nothing then answers the
 * receiver's device, which asks for a way back to the sender. The one message has its way already.
 */
#define _GNU_SOURCE
#include "common.h"

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum { kMessages = 40, kSize = 64 };

struct side {
  struct ibv_cq* cq;
  struct ibv_qp* qp;
  struct ibv_mr* mr;
  char memory[2 * kSize];
};

static void open_side(struct side* s, struct ibv_context* context) {
  struct ibv_pd* pd = ibv_alloc_pd(context);
  CHECK(pd != NULL);
  s->cq = ibv_create_cq(context, 4 * kMessages, NULL, NULL, 0);
  s->mr = ibv_reg_mr(pd, s->memory, sizeof s->memory, IBV_ACCESS_LOCAL_WRITE);
  CHECK(s->cq != NULL && s->mr != NULL);
  struct ibv_qp_init_attr attr = {
      .send_cq = s->cq,
      .recv_cq = s->cq,
      .cap = {.max_send_wr = 2 * kMessages, .max_recv_wr = 2 * kMessages, .max_send_sge = 1, .max_recv_sge = 1},
      .qp_type = IBV_QPT_RC};
  s->qp = ibv_create_qp(pd, &attr);
  CHECK(s->qp != NULL);
}

static void post_receives(struct side* s) {
  struct ibv_sge sge = {(uintptr_t)s->memory, kSize, s->mr->lkey};
  struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
  for (int i = 0; i < kMessages + 8; ++i) CHECK(ibv_post_recv(s->qp, &wr, &bad) == 0);
}

static void post_send(struct side* s) {
  struct ibv_sge sge = {(uintptr_t)s->memory + kSize, kSize, s->mr->lkey};
  struct ibv_send_wr wr = {
      .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED};
  struct ibv_send_wr* bad;
  CHECK(ibv_post_send(s->qp, &wr, &bad) == 0);
}

struct done {
  int sends, receives;
  enum ibv_wc_status status; /* status of the first failed completion */
};

/* Polls until this many sends and receives have completed, or one has failed. */
static enum ibv_wc_status poll_until(struct side* s, struct done* done, int sends, int receives) {
  while (done->status == IBV_WC_SUCCESS && (done->sends < sends || done->receives < receives)) {
    struct ibv_wc wc;
    const int n = ibv_poll_cq(s->cq, 1, &wc);
    CHECK(n >= 0);
    if (n == 0) continue;
    done->status = wc.status;
    *((wc.opcode & IBV_WC_RECV) != 0 ? &done->receives : &done->sends) += 1;
  }
  return done->status;
}

static void end(const char* way) {
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "_Exit") == 0) _Exit(0);
  if (strcmp(way, "quick_exit") == 0) quick_exit(0);
  if (strcmp(way, "raw") == 0) syscall(SYS_exit_group, 0);
  if (strcmp(way, "execl") == 0) execl("/bin/true", "true", NULL);
  if (strcmp(way, "execvp") == 0) execvp("true", (char*[]){"true", NULL});
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "segv") == 0) *(volatile int*)8 = 1;
  if (strcmp(way, "overflow") == 0) overflow(way);
  if (strcmp(way, "term") == 0) kill(getpid(), SIGTERM);
  if (strcmp(way, "kill") == 0) kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* The first line of a file about a thread; empty if there is none. */
static void read_line(pid_t process, const char* thread, const char* name, char line[32]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%.16s/%s", process, thread, name);
  FILE* file = fopen(path, "r");
  if (file == NULL || fgets(line, 32, file) == NULL) line[0] = 0;
  if (file != NULL) fclose(file);
}

/*
 * Stops that process's engine thread until this process has ended. The thread is asleep then and holds no
 * lock.
 */
static void hold_engine(pid_t process) {
  char line[32];
  snprintf(line, sizeof line, "/proc/%d/task", process);
  DIR* tasks = opendir(line);
  CHECK(tasks != NULL);
  struct dirent* task;
  do {
    CHECK((task = readdir(tasks)) != NULL);
    read_line(process, task->d_name, "comm", line);
  } while (strcmp(line, "uroce\n") != 0);
  const pid_t engine = atoi(task->d_name);
  CHECK(ptrace(PTRACE_SEIZE, engine, NULL, NULL) == 0);
  for (;;) {
    CHECK(ptrace(PTRACE_INTERRUPT, engine, NULL, NULL) == 0 && waitpid(engine, NULL, __WALL) == engine);
    read_line(process, task->d_name, "syscall", line);
    if (atoi(line) == SYS_ppoll) break;
    CHECK(ptrace(PTRACE_CONT, engine, NULL, NULL) == 0);
    /* Stopped again at once, it would not run at all. */
    usleep(100);
  }
  closedir(tasks);
}

/* Waits until the device knows the link of this queue pair. */
static void await_link(struct ibv_qp* qp) {
  int (*query)(struct ibv_qp*, int*) = dlsym(RTLD_DEFAULT, "uroce_query_qp_link");
  int link, error;
  CHECK(query != NULL);
  while ((error = query(qp, &link)) == EAGAIN) {
  }
  CHECK(error == 0);
}

static void receive(const char* way, const char* mode, int from, int to) {
  const int ping_pong = strcmp(mode, "pingpong") == 0, silent = strcmp(mode, "silent") == 0;
  const int messages = silent ? 1 : kMessages;
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  struct side s;
  open_side(&s, open_first());
  uint32_t peer;
  CHECK(read(from, &peer, sizeof peer) == sizeof peer);
  if (silent) {
    CHECK(write(to, &s.qp->qp_num, sizeof peer) == sizeof peer);
    CHECK(read(from, &peer, sizeof peer) == sizeof peer);
    hold_engine(getppid());
  }
  connect_to(s.qp, peer);
  post_receives(&s);
  if (!silent) CHECK(write(to, &s.qp->qp_num, sizeof peer) == sizeof peer);
  struct done done = {0};
  for (int i = 1; i <= messages; ++i) {
    CHECK(poll_until(&s, &done, 0, i) == IBV_WC_SUCCESS);
    if (ping_pong && i < messages) post_send(&s);
  }
  end(way);
}

/* Returns the status of the sender's last completion. */
static enum ibv_wc_status run(struct ibv_context* context, const char* way, const char* mode) {
  const int ping_pong = strcmp(mode, "pingpong") == 0, silent = strcmp(mode, "silent") == 0;
  const int messages = silent ? 1 : kMessages;
  int down[2], up[2];
  CHECK(pipe(down) == 0 && pipe(up) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) receive(way, mode, down[0], up[1]);
  struct side s;
  open_side(&s, context);
  uint32_t peer;
  CHECK(write(down[1], &s.qp->qp_num, sizeof peer) == sizeof peer);
  CHECK(read(up[0], &peer, sizeof peer) == sizeof peer);
  connect_to(s.qp, peer);
  if (silent) {
    await_link(s.qp);
    CHECK(write(down[1], &s.qp->qp_num, sizeof peer) == sizeof peer);
  }
  if (ping_pong) post_receives(&s);
  struct done done = {0};
  for (int i = 1; i <= messages && done.status == IBV_WC_SUCCESS; ++i) {
    post_send(&s);
    if (ping_pong && i < messages) poll_until(&s, &done, 0, i);
  }
  const enum ibv_wc_status status = poll_until(&s, &done, messages, 0);
  int ended;
  CHECK(waitpid(child, &ended, 0) == child);
  CHECK(!WIFEXITED(ended) || WEXITSTATUS(ended) == 0);
  CHECK(ibv_destroy_qp(s.qp) == 0 && ibv_destroy_cq(s.cq) == 0 && ibv_dereg_mr(s.mr) == 0);
  close(down[0]), close(down[1]), close(up[0]), close(up[1]);
  return status;
}

int main(int argc, char** argv) {
  CHECK(argc > 2);
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  struct ibv_context* context = open_first();
  int good = 0;
  for (int i = 0; i < atoi(argv[2]); ++i)
    good += run(context, argv[1], argc > 3 ? argv[3] : "stream") == IBV_WC_SUCCESS;
  printf("%d of %s good\n", good, argv[2]);
  return 0;
}
