// WRITEs with 1, 4, 16 and 64 in flight, on a path without added delay and on one with 500 us.
#include "clock.h"
#include "common.h"
#include "faults.h"

#define SIZE 4096
#define WRITES 512

static struct end client, server;

static void post_write(int id) {
  struct ibv_sge source = piece(client.mr, 0, SIZE);
  check(post(client.qp, IBV_WR_RDMA_WRITE, id, source, server.mr, IBV_SEND_SIGNALED), "ibv_post_send");
}

// Keeps `window` requests in flight. Returns the time of all WRITEs, us.
static double run(int window) {
  double start = now_us();
  for (int posted = 0, finished = 0; finished < WRITES; finished++) {
    for (; posted < WRITES && posted - finished < window; posted++) post_write(posted);
    next_success(client.cq);
  }
  return now_us() - start;
}

int main(void) {
  struct device d = open_device();
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, REMOTE_ACCESS);
  connect_ends(&d, &client, &server);

  for (int delay = 0; delay <= 500; delay += 500) {
    // Both ends are in this process, so half of the delay is on each way.
    set_rates(d.context, &(struct fault_rates){.delay = 1000000, .delay_us = delay / 2});
    double round_trip = run(1) / WRITES;
    for (int window = 1; window <= 64; window *= 4)
      printf("%3d us added, %2d in flight: %7.3f Gb/s, window / round trip: %7.3f Gb/s\n", delay, window,
             8e-3 * SIZE * WRITES / run(window), 8e-3 * SIZE * window / round_trip);
  }

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
