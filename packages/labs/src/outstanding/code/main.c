// WRITEs with 1, 4, 16 and 64 in flight: their rate, and the time of each.
#include <errno.h>

#include "clock.h"
#include "common.h"

#define SIZE 4096
#define WRITES 4096
#define DEPTH 64  // size of the send queue, as open_end asks for it

static struct end client, server;

static int post_write(int id) {
  return post(client.qp, IBV_WR_RDMA_WRITE, id, piece(client.mr, 0, SIZE), server.mr, IBV_SEND_SIGNALED);
}

// Keeps `window` requests in flight. Returns the time of all WRITEs, us.
static double run(int window) {
  double start = now_us();
  int posted = 0, finished = 0;
  while (finished < WRITES) {
    for (; posted < WRITES && posted - finished < window; posted++)
      check(post_write(posted), "ibv_post_send");
    next_success(client.cq);
    finished++;
  }
  return now_us() - start;
}

int main(void) {
  struct device d = open_device();
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, REMOTE_ACCESS);
  connect_ends(&d, &client, &server);

  printf("%9s %10s %16s\n", "in flight", "Gb/s", "us per request");
  for (int window = 1; window <= DEPTH; window *= 4) {
    double took = run(window);
    // Little's law: latency = requests in flight / rate.
    printf("%9d %10.2f %16.1f\n", window, 8e-3 * SIZE * WRITES / took, took * window / WRITES);
  }

  // A request keeps its place in the send queue until its completion is polled. A full queue refuses more.
  int accepted = 0, error;
  while ((error = post_write(accepted)) == 0) accepted++;
  printf("without polling, the send queue took %d requests, then: %s\n", accepted,
         error == ENOMEM ? "ENOMEM" : strerror(error));

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
