// Clocks that disagree: threads whose monotonic clocks are apart, and a time of day that is set back. No
// time of the device may be earlier than a previous one.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/device/fixture.h"
#include "uroce/ext/uroce.h"

namespace {

thread_local long ahead_ns = 0;          // this thread's monotonic clock
std::atomic<long> time_of_day_set_s{0};  // seconds, for all threads

}  // namespace

// Replaces the C library's function, also for the device.
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock,
                                                                    timespec* time) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_REALTIME) time->tv_sec += time_of_day_set_s.load();
  if (clock == CLOCK_MONOTONIC) {
    time->tv_nsec += ahead_ns;
    time->tv_sec += time->tv_nsec / 1'000'000'000;
    time->tv_nsec %= 1'000'000'000;
  }
  return result;
}

namespace uroce::verbs::test {
namespace {

class ClockTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    connect();
  }
  // A thread whose clock is ahead of this one's polls the device.
  void drive_ahead() {
    std::thread([this] {
      ahead_ns = 100'000'000;
      ibv_wc wc;
      EXPECT_EQ(ibv_poll_cq(cq_a, 1, &wc), 0);
    }).join();
  }
  void write() {
    ibv_sge sge = sge_a(0, 64);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
  }
  uint64_t raw_clock() {
    ibv_values_ex values{.comp_mask = IBV_VALUES_MASK_RAW_CLOCK, .raw_clock = {}};
    EXPECT_EQ(ibv_query_rt_values_ex(context, &values), 0);
    return static_cast<uint64_t>(values.raw_clock.tv_sec) * 1'000'000'000u +
           static_cast<uint64_t>(values.raw_clock.tv_nsec);
  }
};

TEST_F(ClockTest, CpuTimeIsNeverNegative) {
  drive_ahead();
  write();
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  uroce_cpu cpu{};
  ASSERT_EQ(uroce_query_cpu(context, &cpu), 0);
  EXPECT_LT(cpu.engine_user_ns, 60'000'000'000u);
  EXPECT_LT(cpu.app_thread_ns, 60'000'000'000u);
}

TEST_F(ClockTest, StampsAreInTheirOrder) {
  const uroce_stamps_attr attr{};
  ASSERT_EQ(uroce_stamps_start(context, &attr), 0);
  drive_ahead();
  write();
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  ASSERT_EQ(uroce_stamps_stop(context), 0);
  uroce_stamp stamp{};
  uint32_t n = 1;
  ASSERT_EQ(uroce_stamps_read(context, &stamp, &n, nullptr), 0);
  ASSERT_EQ(n, 1u);
  EXPECT_LE(stamp.posted, stamp.cqe);
  EXPECT_LE(stamp.cqe, stamp.polled);
}

class ExtendedClockTest : public ClockTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ibv_cq_init_attr_ex init{};
    init.cqe = 16;
    init.wc_flags = uint64_t{IBV_WC_EX_WITH_COMPLETION_TIMESTAMP} |
                    uint64_t{IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK};
    timed = ibv_create_cq_ex(context, &init);
    ASSERT_NE(timed, nullptr);
    ASSERT_EQ(ibv_destroy_qp(qp_a), 0);
    qp_a = create_qp(ibv_cq_ex_to_cq(timed));
    connect();
  }
  void TearDown() override {
    time_of_day_set_s = 0;
    EXPECT_EQ(ibv_destroy_qp(std::exchange(qp_a, nullptr)), 0);
    EXPECT_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(timed)), 0);
    DeviceTest::TearDown();
  }
  int start() {
    ibv_poll_cq_attr attr{};
    const auto end = std::chrono::steady_clock::now() + kTimeout;
    int error;
    while ((error = ibv_start_poll(timed, &attr)) == ENOENT && std::chrono::steady_clock::now() < end) {
    }
    return error;
  }

  ibv_cq_ex* timed = nullptr;
};

TEST_F(ExtendedClockTest, TheRawClockIsNeverBeforeACompletion) {
  drive_ahead();
  write();
  ASSERT_EQ(start(), 0);
  const uint64_t completed = ibv_wc_read_completion_ts(timed);
  ibv_end_poll(timed);
  EXPECT_LE(completed, raw_clock());
}

TEST_F(ExtendedClockTest, TimesOfDayOfOneBatchAreApartAsItsCompletionsAre) {
  constexpr int kCompletions = 5;
  for (int i = 0; i < kCompletions; ++i) write();
  ASSERT_EQ(start(), 0);
  const uint64_t first = ibv_wc_read_completion_ts(timed);
  const uint64_t first_of_day = ibv_wc_read_completion_wallclock_ns(timed);
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  for (int seen = 1; seen < kCompletions && std::chrono::steady_clock::now() < end;) {
    time_of_day_set_s -= 1;
    if (ibv_next_poll(timed) != 0) continue;
    ++seen;
    const uint64_t since = ibv_wc_read_completion_ts(timed) - first;
    EXPECT_EQ(ibv_wc_read_completion_wallclock_ns(timed) - first_of_day, since) << "completion " << seen;
  }
  ibv_end_poll(timed);
}

}  // namespace
}  // namespace uroce::verbs::test
