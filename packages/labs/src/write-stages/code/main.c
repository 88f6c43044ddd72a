// The times that a program can see of a WRITE: before the post, after it, and when the completion is polled.
#include <time.h>

#include "common.h"

#define WRITES 200

static struct end client, server;

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

// Percentiles need the times in order.
static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double at_percent(double* times, int percent) {
  qsort(times, WRITES, sizeof *times, compare);
  return times[WRITES * percent / 100 - 1];
}

static void measure(uint32_t size) {
  double post_call[WRITES], completion[WRITES];
  for (int i = 0; i < WRITES; i++) {
    const double called = microseconds();
    check(post(client.qp, IBV_WR_RDMA_WRITE, i, piece(client.mr, 0, size), server.mr, IBV_SEND_SIGNALED),
          "ibv_post_send");
    const double returned = microseconds();
    next_success(client.cq);
    const double polled = microseconds();
    post_call[i] = returned - called;
    completion[i] = polled - returned;
  }
  printf("%4u B: ibv_post_send p50 %.2f us, p90 %.2f us; until polled p50 %.2f us, p90 %.2f us\n", size,
         at_percent(post_call, 50), at_percent(post_call, 90), at_percent(completion, 50),
         at_percent(completion, 90));
}

int main(void) {
  struct device d = open_device();
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, REMOTE_ACCESS);
  connect_ends(&d, &client, &server);

  memset(client.memory, 'a', sizeof client.memory);
  measure(64);
  measure(sizeof client.memory);
  printf("the server has the bytes: %s\n",
         memcmp(client.memory, server.memory, sizeof client.memory) == 0 ? "yes" : "no");

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
