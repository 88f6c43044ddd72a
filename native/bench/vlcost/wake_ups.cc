#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "bench/vlcost/cost.h"

namespace vlcost {
namespace {

// Each time that `fd` is written to: says so in `awake`.
void sleep_and_say(int fd, uint32_t count, std::atomic<uint32_t>& awake) {
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t rung;
    if (read(fd, &rung, sizeof rung) != sizeof rung) fail("read from an eventfd", errno);
    awake.store(i + 1, std::memory_order_release);
  }
}

}  // namespace

void measure_wake_ups(uint32_t count, double rate) {
  const int fd = eventfd(0, EFD_CLOEXEC);
  if (fd < 0) fail("eventfd", errno);
  void* page =
      mmap(nullptr, sizeof(std::atomic<uint32_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) fail("mmap", errno);
  auto& awake = *static_cast<std::atomic<uint32_t>*>(page);
  const pid_t child = fork();
  if (child < 0) fail("fork", errno);
  if (child == 0) {
    sleep_and_say(fd, count, awake);
    _exit(0);
  }
  std::vector<double> times;
  const auto interval = static_cast<uint64_t>(1e9 / rate);
  uint64_t slot = monotonic_ns();
  for (uint32_t i = 0; i < count; ++i) {
    slot += interval;
    // Polls, as a client does that waits to post.
    uint64_t start;
    while ((start = monotonic_ns()) < slot) {
    }
    const uint64_t one = 1;
    if (write(fd, &one, sizeof one) != sizeof one) fail("write to an eventfd", errno);
    while (awake.load(std::memory_order_acquire) == i) {
    }
    times.push_back(us_since(start));
  }
  waitpid(child, nullptr, 0);
  std::printf("{\"wakeUpUs\":%.3f}\n", median(times));
}

}  // namespace vlcost
