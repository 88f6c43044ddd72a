// Round trips of 8 bytes by SEND, by WRITE, and through UDP sockets. One thread has both ends, so no wake-up counts.
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "common.h"

#define TRIPS 2000
#define SIZE 8
#define OUT 0  // data that an end sends
#define IN 64  // data that arrive

struct side {
  struct end verbs;
  int udp;
};

// Sends a message from one side to the other. Returns when the message has arrived.
typedef void (*message)(struct side* from, struct side* to, uint64_t number);

// Polls once. Returns 1 for a message that has arrived, and 0 for nothing or for a request of this end that is done.
static int poll_message(struct end* e) {
  struct ibv_wc wc;
  int n = ibv_poll_cq(e->cq, 1, &wc);
  need(n == 0 || (n == 1 && wc.status == IBV_WC_SUCCESS), "ibv_poll_cq");
  return n == 1 && (wc.opcode & IBV_WC_RECV) != 0;
}

static void by_send(struct side* from, struct side* to, uint64_t number) {
  memcpy(from->verbs.memory + OUT, &number, SIZE);
  post_recv(to->verbs.qp, 0, piece(to->verbs.mr, IN, SIZE));
  check(post(from->verbs.qp, IBV_WR_SEND, 0, piece(from->verbs.mr, OUT, SIZE), NULL, IBV_SEND_SIGNALED),
        "ibv_post_send");
  while (!poll_message(&to->verbs)) continue;
}

// The peer needs no RECV and gets no completion. It watches its memory.
static void by_write(struct side* from, struct side* to, uint64_t number) {
  memcpy(from->verbs.memory + OUT, &number, SIZE);
  struct ibv_mr target = *to->verbs.mr;
  target.addr = to->verbs.memory + IN;
  check(post(from->verbs.qp, IBV_WR_RDMA_WRITE, 0, piece(from->verbs.mr, OUT, SIZE), &target,
             IBV_SEND_SIGNALED),
        "ibv_post_send");
  // Polling also takes the completions of this end's own WRITEs. A device in software works in the thread that polls.
  while (*(volatile uint64_t*)target.addr != number) poll_message(&to->verbs);
}

static void by_udp(struct side* from, struct side* to, uint64_t number) {
  uint64_t got = 0;
  need(send(from->udp, &number, SIZE, 0) == SIZE, "send");
  need(recv(to->udp, &got, SIZE, 0) == SIZE && got == number, "recv");
}

// Two sockets on loopback, connected to each other.
static void open_sockets(struct side* a, struct side* b) {
  struct sockaddr_in address[2];
  struct side* sides[] = {a, b};
  for (int i = 0; i < 2; i++) {
    address[i] = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address[i];
    sides[i]->udp = socket(AF_INET, SOCK_DGRAM, 0);
    need(sides[i]->udp >= 0, "socket");
    need(bind(sides[i]->udp, (struct sockaddr*)&address[i], length) == 0, "bind");
    need(getsockname(sides[i]->udp, (struct sockaddr*)&address[i], &length) == 0, "getsockname");
  }
  for (int i = 0; i < 2; i++)
    need(connect(sides[i]->udp, (struct sockaddr*)&address[1 - i], sizeof address[i]) == 0, "connect");
}

static void measure(const char* name, message send_one, struct side* client, struct side* server) {
  static double times[TRIPS];
  for (int i = 0; i < TRIPS; i++) {
    double start = now_us();
    send_one(client, server, 2 * i + 1);
    send_one(server, client, 2 * i + 2);
    times[i] = now_us() - start;
  }
  sort_times(times, TRIPS);
  printf("%-6s p50 %6.2f us   p99 %6.2f us   of %d round trips\n", name, times[TRIPS / 2],
         times[TRIPS / 100 * 99], TRIPS);
}

int main(void) {
  struct device d = open_device();
  static struct side client, server;
  open_end(&d, &client.verbs, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  open_end(&d, &server.verbs, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  connect_ends(&d, &client.verbs, &server.verbs);
  open_sockets(&client, &server);

  measure("SEND", by_send, &client, &server);
  measure("WRITE", by_write, &client, &server);
  measure("UDP", by_udp, &client, &server);

  close(client.udp);
  close(server.udp);
  close_end(&client.verbs);
  close_end(&server.verbs);
  close_device(&d);
  return 0;
}
