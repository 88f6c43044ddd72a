// WRITEs one at a time, while the device delays about one packet in 200: mean and percentiles.
#include "clock.h"
#include "common.h"
#include "faults.h"

#define WRITES 10000
#define EVERY 200
#define DELAY_US 2000

static struct end client, server;
static double times[WRITES];

static double one_write(void) {
  double start = now_us();
  struct ibv_sge source = piece(client.mr, 0, 64);
  check(post(client.qp, IBV_WR_RDMA_WRITE, 0, source, server.mr, IBV_SEND_SIGNALED), "ibv_post_send");
  next_success(client.cq);
  return now_us() - start;
}

int main(void) {
  struct device d = open_device();
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, REMOTE_ACCESS);
  connect_ends(&d, &client, &server);

  set_rates(d.context, &(struct fault_rates){.delay = 1000000 / EVERY, .delay_us = DELAY_US, .seed = 1});
  double sum = 0;
  int slow = 0;
  for (int i = 0; i < WRITES; i++) {
    sum += times[i] = one_write();
    slow += times[i] >= DELAY_US;
  }
  int delayed = faults_so_far(d.context).delayed;
  sort_times(times, WRITES);
  printf("mean %.1f us\n", sum / WRITES);
  printf("p50 %.1f us, p99 %.1f us, p99.9 %.1f us, max %.1f us\n", times[WRITES / 2], times[WRITES / 100 * 99],
         times[WRITES / 1000 * 999], times[WRITES - 1]);
  // WRITEs and ACKs are delayed alike, since both ends are in this process.
  printf("%d packets delayed, as many WRITEs slow or more: %s\n", delayed, slow >= delayed ? "yes" : "no");

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
