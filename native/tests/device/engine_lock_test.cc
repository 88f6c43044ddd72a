// The device's lock: it excludes, and a thread that takes it again and again lets others have it.
#include "uroce/verbs/device/engine_lock.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>
#include <vector>

namespace uroce::verbs {
namespace {

constexpr uint64_t kHold = 200'000;  // ns

void work(uint64_t ns) {
  const uint64_t since = net::now_ns();
  while (net::now_ns() - since < ns) cpu_relax();
}

// Threads that want it at once, some of which give up, count in a variable that only the lock protects.
TEST(EngineLock, ExcludesThreadsThatStarveAndThoseThatGiveUp) {
  constexpr int kThreads = 6, kRounds = 300;
  EngineLock lock;
  uint64_t counted = 0;
  std::atomic<uint64_t> taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) {
        // Some deadlines lie on both sides of the time after which a waiter starves.
        const bool got = t % 3 == 0   ? (lock.lock(), true)
                         : t % 3 == 1 ? lock.lock_within(1'000'000 * static_cast<uint64_t>(i % 12))
                                      : lock.try_lock();
        if (!got) continue;
        ++counted;
        taken.fetch_add(1);
        work(kHold);
        lock.unlock();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counted, taken.load());
  EXPECT_GE(counted, 2u * kRounds);
  ASSERT_TRUE(lock.lock_within(0)) << "it is free when all have gone";
  lock.unlock();
}

void stay_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);  // if it is not ours, wherever
}

// A thread that polls has the lock nearly always. Another, whose core is busy, runs some time after it was
// woken, and finds the lock taken again.
TEST(EngineLock, IsHandedToAThreadThatStarves) {
  constexpr int kTurns = 10;
  constexpr int kRounds = 5000;
  EngineLock lock;
  std::atomic<int> rounds{0};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    stay_on(0);
    while (rounds.load() < kRounds) {
      lock.lock();
      work(kHold);
      lock.unlock();
      rounds.fetch_add(1);
    }
  });
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      stay_on(1);
      while (rounds.load() < kRounds) cpu_relax();
    });
  }
  int got = 0;
  std::thread other([&] {
    stay_on(1);
    for (; got < kTurns; ++got) {
      const int before = rounds.load();
      while (rounds.load() < before + 2) sched_yield();
      lock.lock();
      const bool late = rounds.load() >= kRounds;
      lock.unlock();
      if (late) break;
    }
    rounds.store(kRounds);
  });
  other.join();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(got, kTurns) << "in " << kRounds << " turns of a thread that polls";
}

}  // namespace
}  // namespace uroce::verbs
