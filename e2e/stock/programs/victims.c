/*
 * victims SEED ROUNDS: the peers of this process end in any way at any moment: kill -9, exit, _exit or exec,
 * some after they were stopped and continued. Both directions carry WRITEs until then. The process keeps
 * serving a connection of its own, and in the end it holds no ring and no descriptor of a dead peer.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>

#include "ends.h"

enum { kPlaces = 3 };

/*
 * Posts WRITEs until that time, or until the connection breaks. Returns the number that succeeded meanwhile.
 */
static uint32_t stream(struct end* e, struct target to, uint64_t until) {
  const uint32_t before = e->done;
  while (now_ms() < until) {
    while (e->posted - e->done < kDepth && post_write(e, to) == 0) ++e->posted;
    struct ibv_wc wc;
    if (ibv_poll_cq(e->cq, 1, &wc) != 1) continue;
    if (wc.status != IBV_WC_SUCCESS) break;
    ++e->done;
  }
  return e->done - before;
}

static void victim(int channel, int how) {
  struct ibv_pd* pd = ibv_alloc_pd(open_first());
  CHECK(pd != NULL);
  struct end e = make_end(pd);
  struct target mine = target_of(&e), other;
  write_all(channel, &mine, sizeof mine);
  read_all(channel, &other, sizeof other);
  connect_to(e.qp, other.qpn);
  write_all(channel, "", 1);
  stream(&e, other, now_ms() + (how == 0 ? 60000 : 5 + (unsigned)getpid() % 20));
  if (how == 1) exit(0);
  if (how == 2) _exit(0);
  execl("/bin/true", "true", (char*)NULL);
  _exit(1);
}

int main(int argc, char** argv) {
  CHECK(argc == 3);
  srand((unsigned)atoi(argv[1]));
  struct ibv_pd* pd = ibv_alloc_pd(open_first());
  CHECK(pd != NULL);
  struct end own = make_end(pd);
  connect_to(own.qp, own.qp->qp_num);
  CHECK(stream(&own, target_of(&own), now_ms() + 20) > 0);
  const int rings = mapped();
  int fds = 0;
  uint32_t reached = 0;
  for (int round = 0; round < atoi(argv[2]); ++round) {
    int channel[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) == 0);
    const int how = rand() % 4;
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      end_with_parent();
      victim(channel[1], how);
    }
    close(channel[1]);
    struct end e = make_end(pd);
    struct target mine = target_of(&e), other;
    read_all(channel[0], &other, sizeof other);
    connect_to(e.qp, other.qpn);
    write_all(channel[0], &mine, sizeof mine);
    char connected;
    read_all(channel[0], &connected, 1);
    const bool stopped = rand() % 2 == 0;
    reached += stream(&e, other, now_ms() + (unsigned)rand() % 15) > 0;
    if (stopped) kill(child, SIGSTOP);
    stream(&e, other, now_ms() + (unsigned)rand() % 15);
    CHECK(stream(&own, target_of(&own), now_ms() + 10) > 0);
    if (stopped) kill(child, SIGCONT);
    if (how == 0) kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
    close(channel[0]);
    unmake_end(&e);
    CHECK(stream(&own, target_of(&own), now_ms() + 10) > 0);
    const uint64_t patience = now_ms() + 5000;
    while (mapped() != rings && now_ms() < patience) stream(&own, target_of(&own), now_ms() + 1);
    if (mapped() != rings) {
      fprintf(stderr, "round %d (way %d): %d rings instead of %d\n", round, how, mapped(), rings);
      return 1;
    }
    /* The socket of a dead process stays in its place on the address, for the next one. */
    if (round == 0) fds = descriptors();
    if (descriptors() > fds + kPlaces) {
      fprintf(stderr, "round %d (way %d): %d descriptors instead of %d\n", round, how, descriptors(), fds);
      return 1;
    }
  }
  CHECK(reached > 0);
  unmake_end(&own);
  printf("%s rounds survived\n", argv[2]);
  return 0;
}
