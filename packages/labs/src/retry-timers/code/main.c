// Time that a queue pair keeps trying: with a peer that is gone, and with one that has no RECV.
#include "clock.h"
#include "common.h"

// Connects two new ends by `retries` and sends one message without data. Prints its status, and the time until then
// beside the least time that the attributes allow.
static void try_to_send(struct device* d, struct retries retries, int peer_answers, double least_ms) {
  static struct end client, server;
  open_end(d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(d, &server, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  connect_rc_with(d, client.qp, server.qp->qp_num, retries);
  // A queue pair in RESET answers nothing, like a peer that is gone.
  if (peer_answers) connect_rc_with(d, server.qp, client.qp->qp_num, retries);
  double start = now_us();
  check(post(client.qp, IBV_WR_SEND, 1, piece(client.mr, 0, 0), NULL, IBV_SEND_SIGNALED), "ibv_post_send");
  int status = next_completion(client.cq).status;
  double took_ms = (now_us() - start) / 1000;
  printf("status %d after %.1f ms, at least %.1f ms: %s\n", status, took_ms, least_ms,
         took_ms >= least_ms ? "yes" : "no");
  close_end(&client);
  close_end(&server);
}

int main(void) {
  struct device d = open_device();
  // No ACK comes. A device may wait up to four times as long as the formula says, but not less.
  for (int timeout = 10; timeout <= 12; timeout++) {
    struct retries retries = {.timeout = timeout, .retry_cnt = 1, .rnr_retry = 7, .min_rnr_timer = 12};
    printf("timeout %d, retry_cnt %d: ", timeout, retries.retry_cnt);
    try_to_send(&d, retries, 0, 4.096e-3 * (1 << timeout) * (retries.retry_cnt + 1));
  }
  // The peer has no RECV. Its RNR NAK says how long to wait: min_rnr_timer 20 means 10.24 ms.
  for (int rnr_retry = 1; rnr_retry <= 4; rnr_retry *= 2) {
    struct retries retries = {.timeout = 14, .retry_cnt = 7, .rnr_retry = rnr_retry, .min_rnr_timer = 20};
    printf("rnr_retry %d: ", rnr_retry);
    try_to_send(&d, retries, 1, 10.24 * rnr_retry);
  }
  close_device(&d);
  return 0;
}
