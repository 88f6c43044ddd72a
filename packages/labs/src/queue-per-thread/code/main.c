// WRITEs of several threads: first with their own queues, then sharing one QP and one CQ under a lock.
#include <pthread.h>

#include "common.h"

#define THREADS 4
#define DEPTH 16
#define WRITES 1024

struct worker {
  pthread_t thread;
  int number;
  struct ibv_qp* qp;
  struct ibv_cq* cq;
  struct ibv_mr *local, *remote;
  pthread_mutex_t* lock;  // NULL: no other thread uses the queues
  int* finished;          // completions of each thread; guarded by the lock
  int others;             // completions of other threads that this one polled
};

// Counts what has completed. The wr_id names the thread that posted.
static void poll_once(struct worker* me) {
  struct ibv_wc wc[DEPTH];
  int n = ibv_poll_cq(me->cq, DEPTH, wc);
  need(n >= 0, "ibv_poll_cq");
  for (int i = 0; i < n; i++) {
    need(wc[i].status == IBV_WC_SUCCESS, "a WRITE");
    me->finished[wc[i].wr_id]++;
    if ((int)wc[i].wr_id != me->number) me->others++;
  }
}

static void* work(void* argument) {
  struct worker* me = argument;
  int posted = 0, finished = 0;
  while (finished < WRITES) {
    if (me->lock) pthread_mutex_lock(me->lock);
    if (posted < WRITES && posted - me->finished[me->number] < DEPTH) {
      struct ibv_sge data = piece(me->local, 8 * me->number, 8);
      check(post(me->qp, IBV_WR_RDMA_WRITE, me->number, data, me->remote, IBV_SEND_SIGNALED), "ibv_post_send");
      posted++;
    } else {
      poll_once(me);
    }
    finished = me->finished[me->number];
    if (me->lock) pthread_mutex_unlock(me->lock);
  }
  return NULL;
}

// Starts the threads with `queues` queue pairs: one for each, or one for all.
static void run(struct device* d, const char* name, int queues, pthread_mutex_t* lock) {
  static char client_memory[8 * THREADS], server_memory[8 * THREADS];
  struct ibv_mr* local = register_memory(d, client_memory, sizeof client_memory, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* remote = register_memory(d, server_memory, sizeof server_memory, REMOTE_ACCESS);
  struct ibv_cq *cqs[THREADS], *server_cq = create_cq(d, 16);
  struct ibv_qp *clients[THREADS], *servers[THREADS];
  for (int i = 0; i < queues; i++) {
    cqs[i] = create_cq(d, THREADS * DEPTH);
    clients[i] = create_qp(d, cqs[i], IBV_QPT_RC, THREADS * DEPTH);
    servers[i] = create_qp(d, server_cq, IBV_QPT_RC, 1);
    connect_rc(d, clients[i], servers[i]->qp_num);
    connect_rc(d, servers[i], clients[i]->qp_num);
  }

  struct worker workers[THREADS];
  int finished[THREADS] = {0}, all = 0, others = 0;
  for (int i = 0; i < THREADS; i++) {
    int own = i % queues;
    workers[i] = (struct worker){.number = i, .qp = clients[own], .cq = cqs[own], .lock = lock};
    workers[i].local = local;
    workers[i].remote = remote;
    workers[i].finished = finished;
    check(pthread_create(&workers[i].thread, NULL, work, &workers[i]), "pthread_create");
  }
  for (int i = 0; i < THREADS; i++) {
    check(pthread_join(workers[i].thread, NULL), "pthread_join");
    all += finished[i];
    others += workers[i].others;
  }
  printf("%s: %d threads, %d completions", name, THREADS, all);
  // Chance decides how many of them a thread polls for others, once the threads share a completion queue.
  if (queues == THREADS) printf(", %d polled by another thread", others);
  printf("\n");

  for (int i = 0; i < queues; i++) {
    ibv_destroy_qp(clients[i]);
    ibv_destroy_qp(servers[i]);
    ibv_destroy_cq(cqs[i]);
  }
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(local);
  ibv_dereg_mr(remote);
}

int main(void) {
  struct device d = open_device();
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  run(&d, "own queues", THREADS, NULL);
  run(&d, "shared queues", 1, &lock);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
