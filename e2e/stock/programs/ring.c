// MPI: every rank talks to every other, and each word is checked: point to point, all to all, reduced, and
// one-sided.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 20, kSmall = 64, kLarge = 64 * 1024 };

static int rank, ranks;

static void* room(size_t bytes) {
  void* at = calloc(1, bytes);
  if (at == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return at;
}

static uint32_t word(int from, int to, int round, int i) {
  return (uint32_t)(from * 40503 + to * 7919 + round * 104729 + i * 31);
}

static void fail(const char* what, int from, int i) {
  fprintf(stderr, "rank %d: %s: word %d from rank %d is wrong\n", rank, what, i, from);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void fill(uint32_t* at, int words, int to, int round) {
  for (int i = 0; i < words; ++i) at[i] = word(rank, to, round, i);
}

static void check(const char* what, const uint32_t* at, int words, int from, int round) {
  for (int i = 0; i < words; ++i)
    if (at[i] != word(from, rank, round, i)) fail(what, from, i);
}

// Sends to the rank 1 to the right, then 2 and so on: every pair meets, in both directions.
static void exchange(int words, int round) {
  uint32_t* out = room(4 * (size_t)words);
  uint32_t* in = room(4 * (size_t)words);
  for (int hop = 1; hop < ranks; ++hop) {
    const int to = (rank + hop) % ranks, from = (rank + ranks - hop) % ranks;
    fill(out, words, to, round);
    MPI_Sendrecv(out, words, MPI_UINT32_T, to, hop, in, words, MPI_UINT32_T, from, hop, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check("send", in, words, from, round);
  }
  free(out);
  free(in);
}

static void all_to_all(int words, int round) {
  uint32_t* out = room(4 * (size_t)(words * ranks));
  uint32_t* in = room(4 * (size_t)(words * ranks));
  for (int to = 0; to < ranks; ++to) fill(out + to * words, words, to, round);
  MPI_Alltoall(out, words, MPI_UINT32_T, in, words, MPI_UINT32_T, MPI_COMM_WORLD);
  for (int from = 0; from < ranks; ++from) check("alltoall", in + from * words, words, from, round);
  free(out);
  free(in);
}

static void reduce(int words, int round) {
  uint64_t* out = room(8 * (size_t)words);
  uint64_t* in = room(8 * (size_t)words);
  for (int i = 0; i < words; ++i) out[i] = (uint64_t)rank * 1000003 + (uint64_t)(i + round);
  MPI_Allreduce(out, in, words, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  const uint64_t sum = (uint64_t)(ranks * (ranks - 1) / 2) * 1000003;
  for (int i = 0; i < words; ++i)
    if (in[i] != sum + (uint64_t)ranks * (uint64_t)(i + round)) fail("allreduce", -1, i);
  free(out);
  free(in);
}

// Has many messages in flight at a time, sent in another order than they are expected.
static void many(void) {
  enum { kMany = 256 };
  uint32_t out[kMany], in[kMany];
  MPI_Request requests[2 * kMany];
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  fill(out, kMany, to, 0);
  for (int i = 0; i < kMany; ++i) MPI_Irecv(&in[i], 1, MPI_UINT32_T, from, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = kMany - 1; i >= 0; --i)
    MPI_Isend(&out[i], 1, MPI_UINT32_T, to, i, MPI_COMM_WORLD, &requests[kMany + i]);
  MPI_Waitall(2 * kMany, requests, MPI_STATUSES_IGNORE);
  check("many", in, kMany, from, 0);
}

// Puts a word of every rank into each window, and has all ranks count up one word of rank 0.
static void one_sided(void) {
  int64_t* window;
  MPI_Win win;
  const int64_t one = 1;
  int64_t old;
  // MPICH 4.0.2 gives ranks of one host parts of one segment, and looks for them in wrong places unless they
  // are whole cache lines.
  const MPI_Aint bytes = (8 * (ranks + 1) + 63) / 64 * 64;
  MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
  for (int i = 0; i <= ranks; ++i) window[i] = 0;
  MPI_Win_fence(0, win);
  const int64_t mine = rank + 1;
  for (int to = 0; to < ranks; ++to) MPI_Put(&mine, 1, MPI_INT64_T, to, rank, 1, MPI_INT64_T, win);
  MPI_Win_fence(0, win);
  for (int from = 0; from < ranks; ++from)
    if (window[from] != from + 1) fail("put", from, 0);
  for (int round = 0; round < kRounds; ++round) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 0, ranks, MPI_SUM, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 0, ranks, MPI_NO_OP, win);
  MPI_Win_unlock(0, win);
  if (old != (int64_t)kRounds * ranks) fail("fetch and add", 0, 0);
  MPI_Win_free(&win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < kRounds; ++round) {
    exchange(kSmall, round);
    all_to_all(kSmall, round);
    reduce(kSmall, round);
  }
  exchange(kLarge, kRounds);
  all_to_all(kLarge / 4, kRounds);
  reduce(kLarge / 4, kRounds);
  many();
  one_sided();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks exchanged and checked everything\n", ranks);
  MPI_Finalize();
  return 0;
}
