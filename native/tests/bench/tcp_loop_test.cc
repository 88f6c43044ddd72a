#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>

#include "bench/clock.h"
#include "bench/socket.h"
#include "bench/socket_loop.h"
#include "tests/bench/loop_runner.h"

namespace vlbench {
namespace {

using test::Runner;

TcpOptions options(bool target, uint64_t size, bool latency = false) {
  TcpOptions o;
  o.target = target;
  o.size = size;
  o.latency = latency;
  o.no_delay = latency;
  o.report_ns = 20'000'000;
  return o;
}

Runner start(const TcpOptions& o) {
  return Runner([&](Callbacks callbacks) { return make_tcp_loop(o, std::move(callbacks)); });
}

struct TcpCase {
  bool event;
  Direction direction;
  uint32_t connections;
};

class TcpStream : public testing::TestWithParam<TcpCase> {};

TEST_P(TcpStream, MovesExactlyWhatWasAskedFor) {
  const TcpCase c = GetParam();
  TcpOptions target = options(true, 10'000);
  target.event = c.event;
  target.direction = c.direction;
  target.connections = c.connections;
  Runner server = start(target);
  TcpOptions initiator = options(false, 10'000);
  initiator.event = c.event;
  initiator.direction = c.direction;
  initiator.connections = c.connections;
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.iterations = 5000;
  if (c.direction != Direction::kOut) {
    // The sender decides when the run is over.
    server.stop();
    target.iterations = 5000;
    Runner sender = start(target);
    initiator.port = static_cast<uint16_t>(sender.ready());
    Runner client = start(initiator);
    EXPECT_EQ(client.wait().reason, EndReason::kIterations);
    EXPECT_FALSE(client.failure());
    EXPECT_GE(client.wait().totals.messages, 5000u);
    sender.stop();
    return;
  }
  Runner client = start(initiator);
  const Outcome& sent = client.wait();
  ASSERT_FALSE(client.failure()) << client.failure()->call;
  EXPECT_EQ(sent.reason, EndReason::kIterations);
  EXPECT_EQ(sent.totals.messages, 5000u);
  EXPECT_EQ(sent.totals.bytes, 50'000'000u);
  EXPECT_EQ(sent.latency_kind, LatencyKind::kAcknowledged);
  EXPECT_EQ(sent.totals.latency.count, 5000u);
  const Outcome& received = server.wait();  // the end of the stream ends it
  EXPECT_FALSE(server.failure());
  EXPECT_EQ(received.totals.bytes, 50'000'000u);
  uint64_t reported = 0;
  for (const Figures& report : client.reports()) reported += report.bytes;
  EXPECT_EQ(reported, 50'000'000u);
}

INSTANTIATE_TEST_SUITE_P(Modes, TcpStream,
                         testing::Values(TcpCase{true, Direction::kOut, 1},
                                         TcpCase{false, Direction::kOut, 1},
                                         TcpCase{true, Direction::kOut, 3}, TcpCase{true, Direction::kIn, 1},
                                         TcpCase{true, Direction::kBoth, 1},
                                         TcpCase{false, Direction::kBoth, 2}));

class TcpPingPong : public testing::TestWithParam<bool> {};

TEST_P(TcpPingPong, CountsRoundTrips) {
  TcpOptions target = options(true, 100, true);
  target.event = GetParam();
  Runner server = start(target);
  TcpOptions initiator = options(false, 100, true);
  initiator.event = GetParam();
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.iterations = 200;
  Runner client = start(initiator);
  const Outcome& outcome = client.wait();
  ASSERT_FALSE(client.failure()) << client.failure()->call;
  EXPECT_EQ(outcome.totals.messages, 200u);
  EXPECT_EQ(outcome.totals.latency.count, 200u);
  EXPECT_GT(outcome.totals.latency.min, 0u);
  EXPECT_EQ(server.wait().totals.messages, 200u);
}

INSTANTIATE_TEST_SUITE_P(Modes, TcpPingPong, testing::Bool());

// The watcher reads the counts while the measured time begins; each byte counts once in any case.
TEST(TcpLoop, CountsEachByteOnceWhereTheMeasuredTimeBegins) {
  for (int round = 0; round < 300; ++round) {
    TcpOptions target = options(true, 4096);
    TcpOptions initiator = options(false, 4096);
    target.omit_ns = initiator.omit_ns = 1'000'000;
    target.report_ns = initiator.report_ns = 20'000;
    Runner server = start(target);
    initiator.port = static_cast<uint16_t>(server.ready());
    initiator.duration_ns = 2'000'000;
    Runner client = start(initiator);
    ASSERT_EQ(client.wait().reason, EndReason::kDuration);
    const Outcome& outcome = server.wait();
    uint64_t bytes = 0;
    for (const Figures& report : server.reports()) bytes += report.bytes;
    ASSERT_EQ(bytes, *outcome.whole.received_bytes) << "round " << round;
  }
}

TEST(TcpLoop, OmitsTheStart) {
  Runner server = start(options(true, 65536));
  TcpOptions initiator = options(false, 65536);
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.omit_ns = 50'000'000;
  initiator.duration_ns = 100'000'000;
  Runner client = start(initiator);
  const Outcome& outcome = client.wait();
  EXPECT_EQ(outcome.reason, EndReason::kDuration);
  EXPECT_GE(outcome.totals.interval_ns, 100'000'000u);
  EXPECT_GE(outcome.totals.t_ns, 150'000'000u);
  EXPECT_TRUE(client.reports().front().omitted);
  EXPECT_FALSE(client.reports().back().omitted);
  uint64_t omitted = 0;
  Figures measured;
  for (const Figures& report : client.reports()) {
    if (report.omitted) {
      omitted += report.bytes;
      continue;
    }
    measured.bytes += report.bytes;
    measured.messages += report.messages;
    measured.interval_ns += report.interval_ns;
    measured.latency.count += report.latency.count;
  }
  EXPECT_GT(omitted, 0u);
  // The intervals of the measured time are all of it, and nothing else.
  EXPECT_EQ(measured.bytes, outcome.totals.bytes);
  EXPECT_EQ(measured.messages, outcome.totals.messages);
  EXPECT_EQ(measured.interval_ns, outcome.totals.interval_ns);
  EXPECT_EQ(measured.latency.count, outcome.totals.latency.count);
}

class TcpCpu : public testing::TestWithParam<bool> {};

TEST_P(TcpCpu, OfTheMeasuredIntervalsAddsUpToTheTotal) {
  TcpOptions target = options(true, 65536);
  target.event = GetParam();
  target.omit_ns = 50'000'000;
  Runner server = start(target);
  TcpOptions initiator = options(false, 65536);
  initiator.event = GetParam();
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.omit_ns = 50'000'000;
  initiator.duration_ns = 300'000'000;
  Runner client = start(initiator);
  client.wait();
  server.wait();
  for (Runner* end : {&client, &server}) {
    uint64_t measured = 0;
    for (const Figures& report : end->reports())
      if (!report.omitted) measured += report.cpu.app_ns + report.cpu.nic_ns + report.cpu.kernel_ns;
    const CpuFigures& total = end->wait().totals.cpu;
    EXPECT_EQ(measured, total.app_ns + total.nic_ns + total.kernel_ns);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, TcpCpu, testing::Bool());

// Bytes that one end wrote until its time was over arrive at the other end, all of them.
TEST(TcpLoop, CountsTheSameBytesAtBothEnds) {
  TcpOptions target = options(true, 50'000);
  target.event = true;
  Runner server = start(target);
  TcpOptions initiator = options(false, 50'000);
  initiator.event = true;
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.omit_ns = 20'000'000;
  initiator.duration_ns = 60'000'000;
  Runner client = start(initiator);
  const Whole sent = client.wait().whole;
  const Whole received = server.wait().whole;
  ASSERT_TRUE(sent.sent_bytes && received.received_bytes);
  EXPECT_GT(*sent.sent_bytes, client.wait().totals.bytes);
  EXPECT_EQ(*received.received_bytes, *sent.sent_bytes);
  EXPECT_EQ(*sent.received_bytes, 0u);
}

TEST(TcpLoop, KeepsToItsRate) {
  TcpOptions target = options(true, 1000);
  target.event = true;
  Runner server = start(target);
  TcpOptions initiator = options(false, 1000);
  initiator.event = true;
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.messages_per_second = 2000;
  initiator.iterations = 400;
  Runner client = start(initiator);
  const Outcome& outcome = client.wait();
  // 400 messages at 2000 per second take 0.2 s; a loaded machine may be late, never early.
  EXPECT_GE(outcome.totals.interval_ns, 190'000'000u);
}

class TcpEnd : public testing::TestWithParam<bool> {};

TEST_P(TcpEnd, StopsSoonWhateverItWaitsFor) {
  TcpOptions target = options(true, 65536);
  target.event = GetParam();
  Runner waiting = start(target);  // for a connection
  waiting.ready();
  Runner server = start(target);
  TcpOptions initiator = options(false, 65536);
  initiator.event = GetParam();
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.duration_ns = 3600'000'000'000;
  Runner client = start(initiator);
  client.wait_for_reports(2);
  const uint64_t before = monotonic_ns();
  EXPECT_EQ(client.stop().reason, EndReason::kStopped);
  EXPECT_EQ(server.stop().reason, EndReason::kStopped);
  EXPECT_EQ(waiting.stop().reason, EndReason::kStopped);
  EXPECT_LT(monotonic_ns() - before, test::kSoon);
  EXPECT_FALSE(client.failure());
  EXPECT_FALSE(server.failure());
  EXPECT_EQ(test::loop_threads(), 0);
}

INSTANTIATE_TEST_SUITE_P(Modes, TcpEnd, testing::Bool());

TEST(TcpLoop, NobodyListens) {
  TcpOptions initiator = options(false, 100);
  initiator.port = 1;
  initiator.iterations = 1;
  Runner client = start(initiator);
  client.wait();
  ASSERT_TRUE(client.failure());
  EXPECT_EQ(client.failure()->error_number, ECONNREFUSED);
  EXPECT_EQ(client.failure()->call, "connect");
  EXPECT_EQ(test::loop_threads(), 0);
}

TEST(TcpLoop, PortTaken) {
  Runner first = start(options(true, 100));
  TcpOptions second = options(true, 100);
  second.port = static_cast<uint16_t>(first.ready());
  Runner other = start(second);
  other.wait();
  ASSERT_TRUE(other.failure());
  EXPECT_EQ(other.failure()->error_number, EADDRINUSE);
  first.stop();
}

// A peer that dies mid-run: the kernel resets or closes its connection.
class PeerDeath : public testing::TestWithParam<bool> {};

TEST_P(PeerDeath, EndsTheLoopWithAReset) {
  Address any = resolve("127.0.0.1", 0, SOCK_STREAM);
  Socket listener = listen_on(any, 1);
  TcpOptions initiator = options(false, 65536, GetParam());
  initiator.event = true;
  initiator.port = local_port(listener);
  initiator.duration_ns = 3600'000'000'000;
  Runner client = start(initiator);
  {
    Socket peer(accept(listener.fd(), nullptr, nullptr));
    char byte;
    ASSERT_EQ(recv(peer.fd(), &byte, 1, 0), 1);
  }
  client.wait();
  ASSERT_TRUE(client.failure());
  EXPECT_TRUE(client.failure()->error_number == ECONNRESET || client.failure()->error_number == EPIPE)
      << client.failure()->error_number;
  EXPECT_EQ(test::loop_threads(), 0);
}

INSTANTIATE_TEST_SUITE_P(Modes, PeerDeath, testing::Bool());

class Silence : public testing::TestWithParam<bool> {};

TEST_P(Silence, EndsTheLoopInTime) {
  Address any = resolve("127.0.0.1", 0, SOCK_STREAM);
  Socket listener = listen_on(any, 1);  // takes the connection, never answers
  TcpOptions initiator = options(false, 100, true);
  initiator.event = GetParam();
  initiator.port = local_port(listener);
  initiator.iterations = 10;
  initiator.idle_timeout_ns = 50'000'000;
  Runner client = start(initiator);
  client.wait();
  ASSERT_TRUE(client.failure());
  EXPECT_EQ(client.failure()->error_number, ETIMEDOUT);
  EXPECT_EQ(client.failure()->call, "loop idle");
}

INSTANTIATE_TEST_SUITE_P(Modes, Silence, testing::Bool());

TEST(TcpLoop, RefusesWhatCannotBe) {
  EXPECT_THROW(make_tcp_loop(options(false, 0), {}), Failure);
  TcpOptions two = options(false, 8, true);
  two.connections = 2;
  EXPECT_THROW(make_tcp_loop(two, {}), Failure);
}

}  // namespace
}  // namespace vlbench
