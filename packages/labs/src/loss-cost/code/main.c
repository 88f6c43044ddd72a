// WRITEs with 0, 1 and 5 % of the packets lost: how fast they are, and whether the bytes arrive.
#include "clock.h"
#include "common.h"
#include "faults.h"

#define SIZE 4096
#define WRITES 2048
#define WINDOW 8

static struct end client, server;

static void post_write(int id) {
  struct ibv_sge source = piece(client.mr, 0, SIZE);
  check(post(client.qp, IBV_WR_RDMA_WRITE, id, source, server.mr, IBV_SEND_SIGNALED), "ibv_post_send");
}

// Keeps WINDOW requests in flight. Returns the time of all WRITEs, us.
static double run(void) {
  double start = now_us();
  for (int posted = 0, finished = 0; finished < WRITES; finished++) {
    for (; posted < WRITES && posted - finished < WINDOW; posted++) post_write(posted);
    next_success(client.cq);
  }
  return now_us() - start;
}

int main(void) {
  struct device d = open_device();
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, REMOTE_ACCESS);
  // A short timeout: 4.096 us x 2^11 = 8.4 ms.
  struct retries retries = RETRIES;
  retries.timeout = 11;
  connect_rc_with(&d, client.qp, server.qp->qp_num, retries);
  connect_rc_with(&d, server.qp, client.qp->qp_num, retries);

  for (int percent = 0; percent <= 5; percent += percent == 0 ? 1 : 4) {
    memset(client.memory, 'a' + percent, SIZE);
    set_rates(d.context, &(struct fault_rates){.drop = percent * 10000, .seed = 1});
    double took = run();
    uint64_t lost = faults_so_far(d.context).dropped;
    int arrived = memcmp(client.memory, server.memory, SIZE) == 0;
    printf("%d %% loss: %3d packets lost, %7.3f Gb/s, the bytes arrived: %s\n", percent, (int)lost,
           8e-3 * SIZE * WRITES / took, arrived ? "yes" : "no");
  }

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
