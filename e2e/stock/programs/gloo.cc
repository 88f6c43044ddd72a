/*
 * gloo FOLDER COUNT: all-reduces of COUNT floats between four ranks over Gloo's transport for verbs. The
 * ranks find each other by files in FOLDER.
 */
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/ibverbs/device.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

constexpr int kRanks = 4, kRounds = 5;

using AllReduce = gloo::AllreduceRingChunked<float>;

bool reduce(int rank, const char* folder, int count, int to_others, int from_others) {
  auto device = gloo::transport::ibverbs::CreateDevice({"uroce0", 1, 1});
  gloo::rendezvous::FileStore store(folder);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, kRanks);
  context->connectFullMesh(store, device);
  std::vector<std::unique_ptr<AllReduce>> all;
  bool right = true;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<float> values(count);
    for (int i = 0; i < count; ++i) values[i] = static_cast<float>(rank + round + i % 7);
    // Not destroyed: Gloo's last messages may still be in flight, and its destructor takes that for a fault.
    all.push_back(std::make_unique<AllReduce>(context, std::vector<float*>{values.data()}, count));
    all.back()->run();
    constexpr int kOfRanks = kRanks * (kRanks - 1) / 2;
    for (int i = 0; i < count; ++i)
      right &= values[i] == static_cast<float>(kOfRanks + kRanks * (round + i % 7));
  }
  // Waits until every rank has the data that this rank sent.
  char all_done;
  if (write(to_others, "", 1) != 1 || read(from_others, &all_done, 1) != 0) return false;
  fflush(stdout);
  _exit(right ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) {
  std::array<int, 2> done, go;
  if (argc != 3 || pipe(done.data()) != 0 || pipe(go.data()) != 0) return 2;
  for (int rank = 0; rank < kRanks; ++rank) {
    if (fork() != 0) continue;
    close(done[0]);
    close(go[1]);
    reduce(rank, argv[1], std::atoi(argv[2]), done[1], go[0]);
    return 2;
  }
  close(done[1]);
  int ready = 0;
  for (char byte; read(done[0], &byte, 1) == 1;)
    if (++ready == kRanks) close(go[1]);
  int right = 0;
  for (int status; wait(&status) > 0;) right += WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::printf("%d of %d ranks are right\n", right, kRanks);
  return right == kRanks ? 0 : 1;
}
