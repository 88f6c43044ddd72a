// The loops over the embedded device, both sides in this process.
#include <gtest/gtest.h>

#ifdef UROCE_PATH

#include <cstring>
#include <numeric>

#include "bench/clock.h"
#include "tests/bench/loop_runner.h"
#include "tests/bench/rdma_pair.h"

namespace vlbench {
namespace {

using test::Pair;
using test::Runner;

Runner start(RdmaOptions o, ibv_context* context, bool target, bool latency) {
  o.target = target;
  o.latency = latency;
  return Runner([&](Callbacks callbacks) {
    return make_rdma_loop(o, std::move(callbacks), make_probe(o.verbs->handle, context));
  });
}

struct RdmaCase {
  RdmaOp op;
  bool latency;
  bool event;
  uint64_t size;
  uint32_t qps = 1;
  uint32_t post_list = 1;
  uint32_t cq_mod = 1;
  bool inline_data = false;
};

std::string name_of(const testing::TestParamInfo<RdmaCase>& info) {
  static const char* const kOps[] = {"write", "write_imm", "read", "send", "fetch_add", "compare_swap"};
  const RdmaCase& c = info.param;
  return std::string(kOps[static_cast<int>(c.op)]) + (c.latency ? "_lat" : "_bw") +
         (c.event ? "_event" : "_poll") + "_s" + std::to_string(c.size) + "_q" + std::to_string(c.qps) +
         "_l" + std::to_string(c.post_list) + "_m" + std::to_string(c.cq_mod) +
         (c.inline_data ? "_inline" : "");
}

class RdmaLoops : public testing::TestWithParam<RdmaCase> {};

TEST_P(RdmaLoops, DoExactlyWhatWasAskedFor) {
  const RdmaCase c = GetParam();
  const uint64_t iterations = c.latency ? 100 : 1001;
  Pair pair(c.qps, c.event);
  std::iota(pair.a.memory(), pair.a.memory() + pair.a.length(), uint8_t{1});
  RdmaOptions a = pair.a.options(c.op, c.size, pair.b);
  RdmaOptions b = pair.b.options(c.op, c.size, pair.a);
  a.event = b.event = c.event;
  a.iterations = iterations;
  a.post_list = c.post_list;
  a.cq_mod = c.cq_mod;
  a.inline_data = b.inline_data = c.inline_data;
  const bool received =
      c.op == RdmaOp::kSend || c.op == RdmaOp::kWriteImm || (c.latency && c.op == RdmaOp::kWrite);
  if (received) b.iterations = iterations;
  Runner target = start(b, pair.b.context, true, c.latency);
  ASSERT_EQ(target.ready(), 0);
  Runner initiator = start(a, pair.a.context, false, c.latency);
  const Outcome& outcome = initiator.wait();
  ASSERT_FALSE(initiator.failure()) << initiator.failure()->call << ": " << initiator.failure()->detail
                                    << " status " << initiator.failure()->wc_status;
  EXPECT_EQ(outcome.reason, EndReason::kIterations);
  EXPECT_TRUE(outcome.drained);
  EXPECT_EQ(outcome.totals.messages, iterations);
  EXPECT_EQ(outcome.totals.bytes, iterations * c.size);
  if (c.latency || c.cq_mod == 1) {
    EXPECT_EQ(outcome.totals.latency.count, iterations);
  }
  uint64_t reported = 0;
  for (const Figures& report : initiator.reports()) reported += report.messages;
  EXPECT_EQ(reported, iterations);
  EXPECT_TRUE(outcome.totals.cpu.engine);
  const Outcome& other = received ? target.wait() : target.stop();
  EXPECT_FALSE(target.failure());
  if (received) {
    EXPECT_EQ(other.totals.messages, iterations);
  }
  if (c.op == RdmaOp::kWrite && !c.latency && c.qps == 1) {
    EXPECT_EQ(std::memcmp(pair.a.memory(), pair.b.memory(), c.size), 0);
  }
  if (c.op == RdmaOp::kFetchAdd) {
    // All of the additions, at any slots.
    uint64_t sum = 0;
    for (size_t at = 0; at + 8 <= pair.b.length(); at += 8) {
      uint64_t value;
      std::memcpy(&value, pair.b.memory() + at, 8);
      sum += value;
    }
    EXPECT_EQ(sum, iterations);
  }
  EXPECT_EQ(test::loop_threads(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, RdmaLoops,
    testing::Values(
        RdmaCase{RdmaOp::kWrite, false, false, 65536}, RdmaCase{RdmaOp::kWrite, false, false, 64, 1, 8, 16},
        RdmaCase{RdmaOp::kWrite, false, false, 1000, 4, 1, 10},
        RdmaCase{RdmaOp::kWrite, false, true, 4096, 1, 1, 4}, RdmaCase{RdmaOp::kWrite, false, false, 0},
        RdmaCase{RdmaOp::kWrite, false, false, 100, 1, 1, 7, true},
        RdmaCase{RdmaOp::kWriteImm, false, false, 4096},
        RdmaCase{RdmaOp::kWriteImm, false, true, 64, 2, 1, 3}, RdmaCase{RdmaOp::kSend, false, false, 4096},
        RdmaCase{RdmaOp::kSend, false, false, 0}, RdmaCase{RdmaOp::kSend, false, true, 65536, 1, 1, 5},
        RdmaCase{RdmaOp::kSend, false, false, 32, 3, 4, 8, true},
        RdmaCase{RdmaOp::kRead, false, false, 65536}, RdmaCase{RdmaOp::kRead, false, true, 100, 2, 2, 4},
        RdmaCase{RdmaOp::kFetchAdd, false, false, 8, 1, 1, 9},
        RdmaCase{RdmaOp::kCompareSwap, false, false, 8}, RdmaCase{RdmaOp::kWrite, true, false, 2},
        RdmaCase{RdmaOp::kWrite, true, false, 64, 1, 1, 1, true}, RdmaCase{RdmaOp::kWriteImm, true, false, 2},
        RdmaCase{RdmaOp::kSend, true, false, 2}, RdmaCase{RdmaOp::kSend, true, false, 5000},
        RdmaCase{RdmaOp::kSend, true, true, 2}, RdmaCase{RdmaOp::kRead, true, false, 64},
        RdmaCase{RdmaOp::kRead, true, true, 64}, RdmaCase{RdmaOp::kFetchAdd, true, false, 8},
        RdmaCase{RdmaOp::kCompareSwap, true, false, 8}),
    name_of);

class Stopping : public testing::TestWithParam<RdmaCase> {};

TEST_P(Stopping, EndsSoonAndLeavesNothing) {
  const RdmaCase c = GetParam();
  Pair pair(1, c.event);
  RdmaOptions a = pair.a.options(c.op, c.size, pair.b);
  RdmaOptions b = pair.b.options(c.op, c.size, pair.a);
  a.event = b.event = c.event;
  a.cq_mod = 16;
  Runner target = start(b, pair.b.context, true, c.latency);
  target.ready();
  Runner initiator = start(a, pair.a.context, false, c.latency);
  initiator.wait_for_reports(3);
  const uint64_t before = monotonic_ns();
  const Outcome& outcome = initiator.stop();
  const Outcome& other = target.stop();
  EXPECT_LT(monotonic_ns() - before, test::kSoon);
  EXPECT_EQ(outcome.reason, EndReason::kStopped);
  EXPECT_EQ(other.reason, EndReason::kStopped);
  EXPECT_FALSE(initiator.failure());
  EXPECT_FALSE(target.failure());
  EXPECT_EQ(test::loop_threads(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, Stopping,
    testing::Values(RdmaCase{RdmaOp::kWrite, false, false, 65536}, RdmaCase{RdmaOp::kSend, false, true, 4096},
                    RdmaCase{RdmaOp::kRead, false, true, 65536}, RdmaCase{RdmaOp::kSend, true, false, 2},
                    RdmaCase{RdmaOp::kSend, true, true, 2}, RdmaCase{RdmaOp::kWrite, true, false, 2}),
    name_of);

TEST(RdmaLoop, RefusedAccessEndsItWithTheStatus) {
  Pair pair;
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 4096, pair.b);
  a.rkey ^= 0xffff;
  a.iterations = 100;
  Runner initiator = start(a, pair.a.context, false, false);
  EXPECT_EQ(initiator.wait().reason, EndReason::kError);
  ASSERT_TRUE(initiator.failure());
  EXPECT_EQ(initiator.failure()->wc_status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(initiator.failure()->call, "RDMA_WRITE");
}

TEST(RdmaLoop, DeadPeerEndsItWithRetriesExceeded) {
  Pair pair(1, false, 256 * 1024, 8, 2);  // 1 ms, three tries
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 65536, pair.b);
  Runner initiator = start(a, pair.a.context, false, false);
  initiator.wait_for_reports(1);
  pair.b.reset();
  EXPECT_EQ(initiator.wait().reason, EndReason::kError);
  ASSERT_TRUE(initiator.failure());
  EXPECT_EQ(initiator.failure()->wc_status, IBV_WC_RETRY_EXC_ERR);
  EXPECT_EQ(test::loop_threads(), 0);
}

class Idle : public testing::TestWithParam<bool> {};

TEST_P(Idle, TargetGivesUpInTime) {
  Pair pair(1, GetParam());
  RdmaOptions b = pair.b.options(RdmaOp::kSend, 64, pair.a);
  b.event = GetParam();
  b.idle_timeout_ns = 60'000'000;
  Runner target = start(b, pair.b.context, true, false);
  EXPECT_EQ(target.wait().reason, EndReason::kError);
  ASSERT_TRUE(target.failure());
  EXPECT_EQ(target.failure()->error_number, ETIMEDOUT);
}

INSTANTIATE_TEST_SUITE_P(Modes, Idle, testing::Bool());

TEST(RdmaLoop, StopWithADeadPeerFlushes) {
  Pair pair(1, false, 256 * 1024, 20, 7);  // 4 s a try
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 65536, pair.b);
  Runner initiator = start(a, pair.a.context, false, false);
  initiator.wait_for_reports(1);
  pair.b.reset();
  initiator.wait_for_reports(initiator.reports().size() + 2);
  const uint64_t before = monotonic_ns();
  const Outcome& outcome = initiator.stop(20'000'000);
  EXPECT_LT(monotonic_ns() - before, test::kSoon);
  EXPECT_EQ(outcome.reason, EndReason::kStopped);
  EXPECT_FALSE(outcome.drained);
  EXPECT_FALSE(initiator.failure());
}

TEST(RdmaLoop, TargetThatSleepsMeasuresFromTheEndOfTheOmittedStart) {
  Pair pair;
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 4096, pair.b);
  RdmaOptions b = pair.b.options(RdmaOp::kWrite, 4096, pair.a);
  a.omit_ns = b.omit_ns = 50'000'000;
  a.duration_ns = 200'000'000;
  Runner target = start(b, pair.b.context, true, false);
  target.ready();
  Runner client = start(a, pair.a.context, false, false);
  EXPECT_EQ(client.wait().reason, EndReason::kDuration);
  const Outcome& outcome = target.stop();
  EXPECT_GE(outcome.totals.t_ns - outcome.totals.interval_ns, 50'000'000u);
  EXPECT_GE(outcome.totals.interval_ns, 100'000'000u);
}

TEST(RdmaLoop, KeepsToItsRate) {
  Pair pair;
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 64, pair.b);
  a.messages_per_second = 1000;
  a.iterations = 150;
  Runner initiator = start(a, pair.a.context, false, false);
  EXPECT_GE(initiator.wait().totals.interval_ns, 140'000'000u);
  EXPECT_EQ(initiator.wait().totals.messages, 150u);
}

TEST(RdmaLoop, RecordsEveryCompletion) {
  Pair pair;
  std::vector<uint32_t> words(kRingHeaderWords + 4096 * kRecordWords);
  words[48] = 4096;
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 64, pair.b);
  a.iterations = 2000;
  a.ring = RingWriter(words);
  Runner initiator = start(a, pair.a.context, false, false);
  const Outcome& outcome = initiator.wait();
  EXPECT_EQ(outcome.totals.records_written, 2000u);
  EXPECT_EQ(outcome.totals.records_dropped, 0u);
  uint64_t last = 0;
  for (uint32_t i = 0; i < 2000; ++i) {
    CompletionRecord record;
    std::memcpy(&record, words.data() + kRingHeaderWords + size_t{i} * kRecordWords, sizeof record);
    ASSERT_EQ(record.wr_id, i);
    ASSERT_EQ(record.qpn, pair.a.qps[0].qp->qp_num);
    ASSERT_EQ(record.meta & 0xffff, IBV_WC_RDMA_WRITE);
    ASSERT_GE(record.t_ns, last);
    ASSERT_GT(record.latency_ns, 0u);
    last = record.t_ns;
  }
}

// A round's last requests complete after its time is over: in no figure, and still in the record.
TEST(RdmaLoop, RecordsWhatCompletesAfterTheTimeIsOver) {
  Pair pair;
  std::vector<uint32_t> words(kRingHeaderWords + 65'536 * kRecordWords);
  words[48] = 65'536;
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 4096, pair.b);
  a.duration_ns = 30'000'000;
  a.omit_ns = 10'000'000;
  a.tx_depth = 64;
  a.cq_mod = 16;
  a.ring = RingWriter(words);
  Runner initiator = start(a, pair.a.context, false, false);
  const Outcome& outcome = initiator.wait();
  ASSERT_TRUE(outcome.whole.signaled && outcome.whole.completions);
  EXPECT_EQ(*outcome.whole.completions, *outcome.whole.signaled);
  EXPECT_EQ(outcome.totals.records_written + outcome.totals.records_dropped, *outcome.whole.signaled);
  EXPECT_GT(*outcome.whole.signaled, outcome.totals.latency.count);
  // The queue is filled before it is first polled, and never beyond its depth.
  EXPECT_EQ(outcome.whole.most_outstanding, 64u);
  EXPECT_FALSE(outcome.whole.sent_bytes);
}

TEST(RdmaLoop, CountsWhatAFullRingLoses) {
  Pair pair;
  std::vector<uint32_t> words(kRingHeaderWords + 64 * kRecordWords);
  words[48] = 64;
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 64, pair.b);
  a.iterations = 500;
  a.ring = RingWriter(words);
  Runner initiator = start(a, pair.a.context, false, false);
  const Outcome& outcome = initiator.wait();
  EXPECT_EQ(outcome.totals.messages, 500u);
  EXPECT_EQ(outcome.totals.records_written, 64u);
  EXPECT_EQ(outcome.totals.records_dropped, 436u);
}

TEST(RdmaLoop, WaitsForTheReaderWhenTold) {
  Pair pair;
  std::vector<uint32_t> words(kRingHeaderWords + 64 * kRecordWords);
  words[48] = 64;
  RdmaOptions a = pair.a.options(RdmaOp::kWrite, 64, pair.b);
  a.iterations = 1000;
  a.ring = RingWriter(words);
  a.ring_wait = true;
  Runner initiator = start(a, pair.a.context, false, false);
  std::atomic_ref<uint32_t> written(words[0]);
  std::atomic_ref<uint32_t> read(words[16]);
  while (read.load() < 1000) {
    const uint32_t end = written.load(std::memory_order_acquire);
    read.store(end, std::memory_order_release);
    std::this_thread::yield();
  }
  const Outcome& outcome = initiator.wait();
  EXPECT_EQ(outcome.totals.records_written, 1000u);
  EXPECT_EQ(outcome.totals.records_dropped, 0u);
}

TEST(RdmaLoop, RefusesWhatCannotBe) {
  Pair pair(2);
  const auto refused = [&](auto change) {
    RdmaOptions o = pair.a.options(RdmaOp::kWrite, 4096, pair.b);
    change(o);
    try {
      make_rdma_loop(o, {}, nullptr);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.error_number, EINVAL);
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused([](RdmaOptions& o) { o.qps.clear(); }));
  EXPECT_TRUE(refused([](RdmaOptions& o) { o.size = 1 << 20; }));
  EXPECT_TRUE(refused([](RdmaOptions& o) { o.remote_length = 4096; }));
  EXPECT_TRUE(refused([](RdmaOptions& o) { o.tx_depth = 100'000; }));
  EXPECT_TRUE(refused([](RdmaOptions& o) { o.inline_data = true; }));
  EXPECT_TRUE(refused([](RdmaOptions& o) { o.latency = true; }));  // two QPs
  EXPECT_TRUE(refused([](RdmaOptions& o) { o.event = true; }));    // no channel
  EXPECT_TRUE(refused([](RdmaOptions& o) { o.op = RdmaOp::kFetchAdd; }));
  EXPECT_FALSE(refused([](RdmaOptions&) {}));
}

}  // namespace
}  // namespace vlbench

#endif
