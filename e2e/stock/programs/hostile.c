/*
 * hostile SEED: three processes of one user. The first exchanges data with the second, and checks it. The
 * third does all it can to the first: it scribbles over the rings and the bell that they share and takes
 * pages out of them, sends messages that no device sends, opens more connections and rings than one process
 * may, and reads the eventfds that it was given. The first counts the broken rings, gets new ones, and in the
 * end holds nothing of the third.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/un.h>

#include "ends.h"

enum {
  kRounds = 12,       // rounds of new connections whose rings are scribbled over
  kScribbles = 4000,  // in a round
  kMessages = 4000,   // malformed
  kHeld = 200,        // connections, each with a ring
  kMayHold = 64,      // connections that one process may hold
  kRing = 1 << 20,    // bytes of records
  kFront = 4096,      // bytes in front of the records
  kSource = 128,      // place of the writer's address in the front
  kTransient = 4,     // descriptors that the engine thread may have open for a moment
};

static uint64_t state;
static uint64_t random_word(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static uint32_t below(uint32_t bound) { return (uint32_t)(random_word() >> 16) % bound; }

static struct target swap_targets(int channel, const struct end* e) {
  struct target mine = target_of(e), other;
  write_all(channel, &mine, sizeof mine);
  read_all(channel, &other, sizeof other);
  return other;
}

/* Connects an end. Returns when both ends are connected. */
static struct target join(int channel, struct end* e) {
  const struct target other = swap_targets(channel, e);
  connect_to(e->qp, other.qpn);
  char ready = 0;
  write_all(channel, &ready, 1);
  read_all(channel, &ready, 1);
  return other;
}

/* Posts as many WRITEs as fit, and ignores their results. */
static void press(struct end* e, struct target to) {
  struct ibv_wc wc;
  while (ibv_poll_cq(e->cq, 1, &wc) == 1) ++e->done;
  while (e->posted - e->done < kDepth && post_write(e, to) == 0) ++e->posted;
}

/* ---- The hostile process */

struct mapping {
  uint8_t* at;
  size_t bytes;
  bool writable;
};

/* Maps all memory again that this process shares with others: the device may give up its own mappings. */
static int map_again(struct mapping* all, int most) {
  FILE* maps = fopen("/proc/self/maps", "r");
  CHECK(maps != NULL);
  int n = 0;
  for (char line[512]; n < most && fgets(line, sizeof line, maps) != NULL;) {
    unsigned long begin, end;
    char rights[8];
    if (strstr(line, "memfd:uroce") == NULL) continue;
    CHECK(sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3);
    void* at = mremap((void*)begin, 0, end - begin, MREMAP_MAYMOVE);
    if (at == MAP_FAILED) continue;
    const bool was_read_only = rights[1] != 'w';
    const bool writable = mprotect(at, end - begin, PROT_READ | PROT_WRITE) == 0;
    CHECK(!writable || !was_read_only); /* the bell of another process */
    all[n++] = (struct mapping){at, end - begin, writable};
  }
  fclose(maps);
  return n;
}

static void scribble(const struct mapping* m) {
  if (!m->writable) return;
  const size_t line = below((uint32_t)(m->bytes / 64)) * 64;
  switch (below(6)) {
    case 0:
      m->at[below((uint32_t)m->bytes)] = (uint8_t)random_word();
      break;
    case 1: /* a possible record */
      *(volatile uint64_t*)(m->at + line) = random_word();
      break;
    case 2: /* a record of a plausible length */
      *(volatile uint64_t*)(m->at + line) = 16 + below(4300) + (random_word() & 0xff0000);
      break;
    case 3: /* the reader's position, or the flags of sleeping threads */
      *(volatile uint64_t*)m->at = below(2) == 0 ? random_word() : below(1 << 20) * 64ull;
      break;
    case 4:
      madvise(m->at + (line & ~4095ul), 4096, MADV_REMOVE);
      break;
    default:
      for (int i = 0; i < 64; ++i) m->at[line + (size_t)i] = (uint8_t)random_word();
  }
}

/*
 * Ends a ring so that a reader cannot miss it. Random bytes may leave the reader waiting where the writer
 * never comes.
 */
static void end_ring(const struct mapping* m) {
  if (!m->writable || m->bytes == kFront) return;
  for (size_t line = kFront; line < m->bytes; line += 64) *(volatile uint64_t*)(m->at + line) = ~0ull;
}

static void scribble_over_rings(int channel, struct ibv_pd* pd, bool last) {
  struct end e = make_end(pd);
  const struct target other = join(channel, &e);
  char go;
  read_all(channel, &go, 1); /* the other end has been answered through the rings */
  struct mapping all[64];
  const int n = map_again(all, 64);
  CHECK(n >= 1);
  for (int i = 0; i < kScribbles; ++i) {
    const struct mapping* m = &all[below((uint32_t)n)];
    /* This process keeps its own bell intact, because nothing would wake it without. */
    if (last || m->bytes != kFront) scribble(m);
    if (i % 8 == 0) press(&e, other);
  }
  for (int i = 0; i < n; ++i) {
    end_ring(&all[i]);
    munmap(all[i].at, all[i].bytes);
  }
  unmake_end(&e);
}

/* Finds the abstract name of the process in that slot of the address. */
static socklen_t find_name(uint32_t slot, struct sockaddr_un* out) {
  char address[64], line[512];
  snprintf(address, sizeof address, ".%s.%u\n", getenv("UROCE_ADDR"), slot);
  FILE* names = fopen("/proc/net/unix", "r");
  CHECK(names != NULL);
  socklen_t length = 0;
  while (length == 0 && fgets(line, sizeof line, names) != NULL) {
    const char* name = strstr(line, "@uroce.");
    if (name == NULL || strstr(name, address) == NULL) continue;
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(out->sun_path + 1, name + 1, strlen(name) - 2);
    length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name) - 1);
  }
  fclose(names);
  CHECK(length != 0);
  return length;
}

static int dial(const struct sockaddr_un* name, socklen_t length) {
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  CHECK(fd >= 0);
  while (connect(fd, (const struct sockaddr*)name, length) != 0) CHECK(errno == EINTR || errno == EAGAIN);
  return fd;
}

struct header {
  uint32_t magic;
  uint16_t version, type;
  uint32_t first, count, total;
};
enum { kMagic = 0x75726f63, kTypeRing = 4 };

static int tell(int fd, const void* bytes, size_t size, const int* fds, uint32_t n) {
  struct iovec iov = {(void*)(uintptr_t)bytes, size};
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * 64)] = {0};
  struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};
  if (n != 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * n);
    struct cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int) * n);
    memcpy(CMSG_DATA(c), fds, sizeof(int) * n);
  }
  return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}

static int memory_of(size_t bytes, bool sealed, const uint8_t* source) {
  const int fd = memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  CHECK(fd >= 0 && ftruncate(fd, (off_t)bytes) == 0);
  if (source != NULL) CHECK(pwrite(fd, source, 16, kSource) == 16);
  if (sealed) CHECK(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
  return fd;
}

static void send_malformed(const struct sockaddr_un* name, socklen_t length, const uint8_t* source) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
  const int pool[] = {open("/dev/null", O_RDWR | O_CLOEXEC),
                      open("/", O_RDONLY | O_CLOEXEC),
                      ends[0],
                      ends[1],
                      eventfd(0, EFD_CLOEXEC),
                      eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
                      memory_of(kRing + kFront, false, source),
                      memory_of(kRing + kFront, true, source),
                      memory_of(kFront, true, NULL),
                      socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  const uint32_t kinds = sizeof pool / sizeof *pool;
  const uint32_t sizes[] = {0, 1, 64 << 10, kRing, 2 * kRing, 1u << 30, ~0u};
  int fd = dial(name, length);
  for (int i = 0; i < kMessages; ++i) {
    int fds[64];
    const uint32_t n = below(8) == 0 ? 64 : below(6);
    for (uint32_t k = 0; k < n; ++k) fds[k] = pool[below(kinds)];
    struct header parts[2] = {{.magic = below(8) == 0 ? (uint32_t)random_word() : kMagic,
                               .version = below(8) == 0 ? (uint16_t)below(3) : 1,
                               .type = (uint16_t)(below(2) == 0 ? kTypeRing : below(8)),
                               .first = below(2) == 0 ? sizes[below(7)] : (uint32_t)random_word(),
                               .count = below(4) == 0 ? (uint32_t)random_word() : n,
                               .total = (uint32_t)random_word()}};
    const size_t size = below(4) == 0 ? below(sizeof parts) : sizeof *parts;
    const int error = tell(fd, parts, size, fds, n);
    if (error == 0 && below(4) != 0) continue;
    if (error == EAGAIN) continue;
    close(fd);
    fd = dial(name, length);
  }
  close(fd);
  for (uint32_t k = 0; k < kinds; ++k) close(pool[k]);
}

static void hold_rings(const struct sockaddr_un* name, socklen_t length, const uint8_t* source) {
  for (int i = 0; i < kHeld; ++i) {
    const int fd = dial(name, length);
    const int fds[] = {memory_of(kRing + kFront, true, source), memory_of(kFront, true, NULL),
                       eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    const struct header ring = {kMagic, 1, kTypeRing, kRing, 3, 0};
    const int error = tell(fd, &ring, sizeof ring, fds, 3);
    struct pollfd answer = {fd, POLLIN, 0};
    CHECK(error == EPIPE || error == ECONNRESET || (error == 0 && poll(&answer, 1, -1) == 1));
    for (int k = 0; k < 3; ++k) close(fds[k]);
  }
}

/* Reads the counts of all eventfds of this process, those of the victim's bell among them. */
static void steal(void) {
  for (int fd = 3; fd < 1024; ++fd) {
    char path[64], what[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(path, what, sizeof what - 1);
    if (n < 0 || strncmp(what, "anon_inode:[eventfd]", 20) != 0) continue;
    uint64_t count;
    if ((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0 && read(fd, &count, sizeof count) < 0) continue;
  }
}

static void hostile(int channel) {
  end_with_parent();
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  union ibv_gid gid;
  CHECK(pd != NULL && ibv_query_gid(context, 1, 1, &gid) == 0);
  uint32_t slot;
  read_all(channel, &slot, sizeof slot);
  struct sockaddr_un name;
  const socklen_t length = find_name(slot, &name);
  for (char order; read(channel, &order, 1) == 1; write_all(channel, "", 1)) {
    if (order == 's' || order == 'l') scribble_over_rings(channel, pd, order == 'l');
    if (order == 'm') send_malformed(&name, length, gid.raw);
    if (order == 'h') hold_rings(&name, length, gid.raw);
    struct pollfd told = {channel, POLLIN, 0};
    while (order == 'r' && poll(&told, 1, 0) == 0) steal();
  }
  _exit(0);
}

/* ---- The other processes */

static void bystander(int channel) {
  end_with_parent();
  struct ibv_pd* pd = ibv_alloc_pd(open_first());
  CHECK(pd != NULL);
  struct end e = make_end(pd);
  join(channel, &e);
  for (;;) pause();
}

static pid_t start(void (*program)(int), int* channel) {
  int ends[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  const pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    close(ends[0]);
    program(ends[1]);
  }
  close(ends[1]);
  *channel = ends[0];
  return pid;
}

static uint32_t rounds;

static bool has_answered(int channel) {
  struct pollfd answer = {channel, POLLIN, 0};
  if (poll(&answer, 1, 0) == 0) return false;
  char done;
  read_all(channel, &done, 1);
  return true;
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  state = strtoull(argv[1], NULL, 10) * 2 + 1;
  alarm(60); /* ends a victim that hangs */
  int to_friend, to_foe;
  const pid_t friend = start(bystander, &to_friend), foe = start(hostile, &to_foe);
  struct ibv_context* context = open_first();
  struct ibv_pd* pd = ibv_alloc_pd(context);
  CHECK(pd != NULL);
  struct end good = make_end_on(pd, ibv_create_comp_channel(context));
  const struct target target = join(to_friend, &good);
  verified_round(&good, target, rounds++);
  const uint32_t slot = good.qp->qp_num >> 12;
  write_all(to_foe, &slot, sizeof slot);
  const int rings = mapped(), fds = descriptors();

  for (int i = 0; i < kRounds; ++i) {
    struct end e = make_end(pd);
    write_all(to_foe, i == kRounds - 1 ? "l" : "s", 1);
    const struct target other = join(to_foe, &e);
    verified_round(&e, other, rounds++); /* through new rings, which replace the broken ones */
    write_all(to_foe, "", 1);
    while (!has_answered(to_foe)) {
      press(&e, other);
      verified_round(&good, target, rounds++);
    }
    unmake_end(&e);
  }
  CHECK(counter(context, "shm_ring_broken") > 0);

  for (const char* order = "mh"; *order != '\0'; ++order) {
    write_all(to_foe, order, 1);
    do verified_round(&good, target, rounds++);
    while (!has_answered(to_foe));
  }
  CHECK(counter(context, "peer_connections_refused") >= kHeld - kMayHold);
  /*
   * For each connection, and for its own lane: a ring and a page; a socket, and an eventfd for each side's
   * bell.
   */
  const int now_mapped = mapped(), now_open = descriptors();
  if (now_mapped > rings + 2 * (kMayHold + 1) || now_open > fds + 3 * (kMayHold + 1) + kTransient) {
    fprintf(stderr, "%d mappings after %d, %d descriptors after %d\n", now_mapped, rings, now_open, fds);
    return 1;
  }

  write_all(to_foe, "r", 1);
  for (int i = 0; i < 200; ++i) verified_round(&good, target, rounds++);

  const uint64_t patience = now_ms() + 10000;
  CHECK(kill(foe, SIGKILL) == 0 && waitpid(foe, NULL, 0) == foe);
  /* The dead process's socket stays in its place on the address, for the next process. */
  while (mapped() != rings || descriptors() > fds + 1) {
    verified_round(&good, target, rounds++);
    if (now_ms() < patience) continue;
    fprintf(stderr, "%d mappings after %d, %d descriptors after %d\n", mapped(), rings, descriptors(), fds);
    return 1;
  }
  CHECK(kill(friend, SIGKILL) == 0 && waitpid(friend, NULL, 0) == friend);
  unmake_end(&good);
  printf("%u verified rounds, %llu broken rings, %llu connections turned away\n", rounds,
         (unsigned long long)counter(context, "shm_ring_broken"),
         (unsigned long long)counter(context, "peer_connections_refused"));
  return 0;
}
