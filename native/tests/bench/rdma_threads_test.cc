// Loops of several threads over the embedded device, both sides in this process.
#include <gtest/gtest.h>

#ifdef UROCE_PATH

#include <algorithm>
#include <cstring>
#include <numeric>

#include "bench/section_lock.h"
#include "tests/bench/loop_runner.h"
#include "tests/bench/rdma_pair.h"

namespace vlbench {
namespace {

using test::Pair;
using test::Runner;

constexpr uint32_t kThreads = 3;

RdmaOptions options_of(Pair& pair, ThreadLock lock) {
  RdmaOptions o = pair.a.options(RdmaOp::kWrite, 64, pair.b);
  o.threads = kThreads;
  o.lock = lock;
  o.walk = true;
  o.cq_mod = 8;
  return o;
}

Runner start(const RdmaOptions& o, ibv_context* context) {
  return Runner([&](Callbacks callbacks) {
    return make_rdma_loop(o, std::move(callbacks), make_probe(o.verbs->handle, context));
  });
}

// Room for the requests of all threads in the queues of one QP.
void share_one_qp(RdmaOptions& o) { o.qps.resize(1); }

class Threads : public testing::TestWithParam<ThreadLock> {};

TEST_P(Threads, SendWhatWasAskedForAndCountIt) {
  const bool shared = GetParam() != ThreadLock::kNone;
  // A QP of the pair holds 128 requests, and its CQ as many of each QP: 32 for each of three threads fit.
  Pair pair(shared ? 1 : kThreads, false, size_t{kThreads} * 64 * 64, 14, 7, !shared);
  std::iota(pair.a.memory(), pair.a.memory() + pair.a.length(), uint8_t{1});
  RdmaOptions o = options_of(pair, GetParam());
  if (shared) share_one_qp(o);
  o.iterations = 1000;
  Runner run = start(o, pair.a.context);
  const Outcome& outcome = run.wait();
  ASSERT_FALSE(run.failure()) << run.failure()->what();
  EXPECT_EQ(outcome.reason, EndReason::kIterations);
  EXPECT_EQ(outcome.totals.messages, 1000u);
  EXPECT_EQ(outcome.totals.bytes, 64'000u);
  // 334, 333 and 333 messages, each eighth and the last signaled.
  EXPECT_EQ(outcome.whole.signaled, 3u * 42u);
  EXPECT_EQ(outcome.whole.completions, 3u * 42u);
  ASSERT_TRUE(outcome.whole.threads);
  const ThreadFigures& threads = *outcome.whole.threads;
  EXPECT_EQ(threads.messages, (std::vector<uint64_t>{334, 333, 333}));
  EXPECT_GE(threads.cpus, 1u);
  EXPECT_EQ(threads.posts, 1000u);
  EXPECT_GT(threads.post_ns, 0u);
  EXPECT_GT(threads.polls, 0u);
  if (shared) {
    // Only one thread at a time has the lock.
    EXPECT_LE(threads.post_ns + threads.poll_ns, threads.elapsed_ns);
  } else {
    EXPECT_EQ(threads.foreign, 0u);
    EXPECT_EQ(threads.contended, 0u);
    EXPECT_EQ(threads.wait_ns, 0u);
  }
  EXPECT_EQ(std::memcmp(pair.a.memory(), pair.b.memory(), pair.a.length()), 0);
  EXPECT_EQ(test::loop_threads(), 0);
}

TEST_P(Threads, MeasureForAWhileAndEnd) {
  const bool shared = GetParam() != ThreadLock::kNone;
  Pair pair(shared ? 1 : kThreads, false, 256 * 1024, 14, 7, !shared);
  RdmaOptions o = options_of(pair, GetParam());
  if (shared) share_one_qp(o);
  o.omit_ns = 10'000'000;
  o.duration_ns = 50'000'000;
  Runner run = start(o, pair.a.context);
  const Outcome& outcome = run.wait();
  ASSERT_FALSE(run.failure()) << run.failure()->what();
  EXPECT_EQ(outcome.reason, EndReason::kDuration);
  EXPECT_TRUE(outcome.drained);
  EXPECT_GE(outcome.totals.interval_ns, 50'000'000u);
  EXPECT_GT(outcome.totals.messages, 0u);
  EXPECT_EQ(outcome.whole.completions, outcome.whole.signaled);
  const ThreadFigures& threads = *outcome.whole.threads;
  const uint64_t all = std::accumulate(threads.messages.begin(), threads.messages.end(), uint64_t{0});
  EXPECT_GE(all, outcome.totals.messages);
  EXPECT_GT(outcome.totals.cpu.thread.user_ns + outcome.totals.cpu.thread.system_ns, 0u);
  if (shared) {
    EXPECT_LE(threads.post_ns + threads.poll_ns, threads.elapsed_ns);
  }
  EXPECT_EQ(test::loop_threads(), 0);
}

TEST_P(Threads, EndWhenTheyAreStopped) {
  const bool shared = GetParam() != ThreadLock::kNone;
  Pair pair(shared ? 1 : kThreads, false, 256 * 1024, 14, 7, !shared);
  RdmaOptions o = options_of(pair, GetParam());
  if (shared) share_one_qp(o);
  o.duration_ns = 3'600'000'000'000;
  Runner run = start(o, pair.a.context);
  run.wait_for_reports(1);
  EXPECT_EQ(run.stop().reason, EndReason::kStopped);
  EXPECT_FALSE(run.failure());
  EXPECT_EQ(test::loop_threads(), 0);
}

std::string lock_name(const testing::TestParamInfo<ThreadLock>& info) {
  return info.param == ThreadLock::kNone ? "own" : info.param == ThreadLock::kMutex ? "mutex" : "spin";
}

INSTANTIATE_TEST_SUITE_P(Locks, Threads,
                         testing::Values(ThreadLock::kNone, ThreadLock::kMutex, ThreadLock::kSpin),
                         lock_name);

TEST(ThreadsFail, WithTheFailureOfTheRequest) {
  Pair pair(1);
  RdmaOptions o = options_of(pair, ThreadLock::kMutex);
  o.rkey ^= 0x1000;
  o.iterations = 300;
  Runner run = start(o, pair.a.context);
  EXPECT_EQ(run.wait().reason, EndReason::kError);
  ASSERT_TRUE(run.failure());
  EXPECT_EQ(run.failure()->wc_status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(test::loop_threads(), 0);
}

TEST(ThreadsFail, WhenNothingMoves) {
  Pair pair(1, false, 256 * 1024, 20);
  pair.b.reset();
  RdmaOptions o = options_of(pair, ThreadLock::kSpin);
  o.iterations = 300;
  o.idle_timeout_ns = 50'000'000;
  Runner run = start(o, pair.a.context);
  EXPECT_EQ(run.wait().reason, EndReason::kError);
  ASSERT_TRUE(run.failure());
  EXPECT_EQ(run.failure()->error_number, ETIMEDOUT);
  EXPECT_EQ(test::loop_threads(), 0);
}

void refuses(const RdmaOptions& o, const char* why) {
  try {
    make_rdma_loop(o, {}, nullptr);
    ADD_FAILURE() << "accepted; expected: " << why;
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.error_number, EINVAL);
    EXPECT_NE(failure.detail.find(why), std::string::npos) << failure.detail;
  }
}

TEST(ThreadsAreRefused, WhereTheyWouldHarmEachOther) {
  Pair pair(2);
  const RdmaOptions good = options_of(pair, ThreadLock::kMutex);
  RdmaOptions o = good;
  refuses(o, "need one QP for all or one each, not 2");
  o = good;
  share_one_qp(o);
  o.lock = ThreadLock::kNone;
  refuses(o, "need a lock");
  o = good;
  o.threads = 2;
  o.lock = ThreadLock::kNone;  // a QP each, but one CQ
  refuses(o, "need a lock");
  o = good;
  share_one_qp(o);
  o.tx_depth = 64;
  refuses(o, "more than the QP's send queue");
  o = good;
  share_one_qp(o);
  o.messages_per_second = 10;
  refuses(o, "without records or a rate");
  o = good;
  share_one_qp(o);
  o.latency = true;
  refuses(o, "only measure bandwidth");
}

// Without exclusion, increments get lost.
void count_under(ThreadLock kind) {
  SectionLock lock(kind);
  uint64_t value = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50'000; ++i) {
        if (!lock.try_lock()) lock.lock();
        ++value;
        lock.unlock();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(value, 200'000u);
}

TEST(SectionLocks, Exclude) {
  count_under(ThreadLock::kMutex);
  count_under(ThreadLock::kSpin);
}

TEST(SectionLocks, MayBeNone) {
  SectionLock lock(ThreadLock::kNone);
  EXPECT_TRUE(lock.try_lock());
  EXPECT_TRUE(lock.try_lock());
}

}  // namespace
}  // namespace vlbench

#endif
