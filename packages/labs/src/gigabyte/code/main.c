// Costs of moving a gigabyte over TCP and by RDMA WRITE: CPU time and context switches of both ends.
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"

#define SIZE (64 * 1024)
#define MESSAGES 4096
#define DEPTH 16  // WRITEs in flight
#define GB 1e9

static char out[SIZE], in[SIZE];

static double seconds(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }

// Runs a transfer of MESSAGES messages, and prints what the kernel has counted for this process meanwhile.
static void measure(const char* name, void (*transfer)(void*), void* context) {
  struct rusage before, after;
  memset(in, 0, SIZE);
  need(getrusage(RUSAGE_SELF, &before) == 0, "getrusage");
  transfer(context);
  need(getrusage(RUSAGE_SELF, &after) == 0, "getrusage");
  double gigabytes = (double)SIZE * MESSAGES / GB;
  double user = seconds(after.ru_utime) - seconds(before.ru_utime);
  double kernel = seconds(after.ru_stime) - seconds(before.ru_stime);
  long switches = after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw;
  printf("%-6s %10.3f %12.3f %18.0f   %s\n", name, user / gigabytes, kernel / gigabytes, switches / gigabytes,
         memcmp(out, in, SIZE) == 0 ? "yes" : "no");
}

// TCP: each message is copied into the kernel by write and out of it by read.
static void* send_all(void* socket) {
  for (int i = 0; i < MESSAGES; i++) {
    for (ssize_t done = 0, n; done < SIZE; done += n) {
      n = write(*(int*)socket, out + done, SIZE - done);
      need(n > 0, "write");
    }
  }
  return NULL;
}

static void by_tcp(void* sockets) {
  int* ends = sockets;
  pthread_t sender;
  check(pthread_create(&sender, NULL, send_all, &ends[0]), "pthread_create");
  for (int i = 0; i < MESSAGES; i++) {
    for (ssize_t done = 0, n; done < SIZE; done += n) {
      n = read(ends[1], in + done, SIZE - done);
      need(n > 0, "read");
    }
  }
  check(pthread_join(sender, NULL), "pthread_join");
}

// Two ends of a TCP connection on loopback.
static void open_sockets(int ends[2]) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  need(listener >= 0 && bind(listener, (struct sockaddr*)&address, length) == 0, "bind");
  need(listen(listener, 1) == 0, "listen");
  need(getsockname(listener, (struct sockaddr*)&address, &length) == 0, "getsockname");
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  need(ends[0] >= 0 && connect(ends[0], (struct sockaddr*)&address, length) == 0, "connect");
  ends[1] = accept(listener, NULL, NULL);
  need(ends[1] >= 0, "accept");
  close(listener);
}

struct connection {
  struct ibv_qp* qp;
  struct ibv_mr *out, *in;
};

// RDMA WRITE: the device reads the memory of one end and writes that of the other. The server's program does nothing.
static void by_write(void* context) {
  struct connection* c = context;
  for (int posted = 0, finished = 0; finished < MESSAGES; finished++) {
    for (; posted < MESSAGES && posted - finished < DEPTH; posted++)
      check(post(c->qp, IBV_WR_RDMA_WRITE, posted, piece(c->out, 0, SIZE), c->in, IBV_SEND_SIGNALED),
            "ibv_post_send");
    next_success(c->qp->send_cq);
  }
}

int main(void) {
  memset(out, 1, SIZE);
  int sockets[2];
  open_sockets(sockets);
  struct device d = open_device();
  static struct end client, server;
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, REMOTE_ACCESS);
  connect_ends(&d, &client, &server);
  struct connection c = {.qp = client.qp};
  c.out = register_memory(&d, out, SIZE, IBV_ACCESS_LOCAL_WRITE);
  c.in = register_memory(&d, in, SIZE, REMOTE_ACCESS);

  // On a device in software, the user time of the WRITEs is the work of a NIC. Hardware takes it over.
  printf("%-6s %10s %12s %18s   %s\n", "per GB", "user, s", "kernel, s", "context switches", "arrived");
  measure("TCP", by_tcp, sockets);
  measure("WRITE", by_write, &c);

  close(sockets[0]);
  close(sockets[1]);
  check(ibv_dereg_mr(c.out), "ibv_dereg_mr");
  check(ibv_dereg_mr(c.in), "ibv_dereg_mr");
  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
