#include <gtest/gtest.h>

#include "bench/clock.h"
#include "bench/socket_loop.h"
#include "tests/bench/loop_runner.h"

namespace vlbench {
namespace {

using test::Runner;

Runner start(const UdpOptions& o) {
  return Runner([&](Callbacks callbacks) { return make_udp_pingpong(o, std::move(callbacks)); });
}

UdpOptions options(bool target, bool event, uint64_t size) {
  UdpOptions o;
  o.target = target;
  o.latency = true;
  o.event = event;
  o.size = size;
  return o;
}

struct UdpCase {
  bool event;
  bool connected;
  uint64_t size;
};

class UdpPingPong : public testing::TestWithParam<UdpCase> {};

TEST_P(UdpPingPong, CountsRoundTrips) {
  const UdpCase c = GetParam();
  Runner server = start(options(true, c.event, c.size));
  UdpOptions initiator = options(false, c.event, c.size);
  initiator.connected = c.connected;
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.iterations = 200;
  Runner client = start(initiator);
  const Outcome& outcome = client.wait();
  ASSERT_FALSE(client.failure());
  EXPECT_EQ(outcome.totals.messages, 200u);
  EXPECT_EQ(outcome.totals.latency.count, 200u);
  EXPECT_GE(server.stop().totals.messages, 200u);
}

INSTANTIATE_TEST_SUITE_P(Modes, UdpPingPong,
                         testing::Values(UdpCase{false, false, 2}, UdpCase{true, false, 2},
                                         UdpCase{true, true, 1}, UdpCase{false, true, 1400}));

class UdpStream : public testing::TestWithParam<uint32_t> {};

UdpOptions stream(bool target, uint32_t segments) {
  UdpOptions o;
  o.target = target;
  o.size = 1000;
  o.segments = segments;
  o.window = 64;
  return o;
}

TEST_P(UdpStream, CountsWhatArrived) {
  const auto start_stream = [](const UdpOptions& o) {
    return Runner([&](Callbacks callbacks) { return make_udp_stream(o, std::move(callbacks)); });
  };
  Runner server = start_stream(stream(true, GetParam()));
  UdpOptions initiator = stream(false, GetParam());
  initiator.port = static_cast<uint16_t>(server.ready());
  initiator.iterations = 10'000;
  Runner client = start_stream(initiator);
  const Figures sent = client.wait().totals;
  ASSERT_FALSE(client.failure());
  const Figures received = server.stop().totals;
  EXPECT_GE(sent.messages, 10'000u);
  EXPECT_EQ(sent.bytes, sent.messages * 1000);
  EXPECT_GE(received.messages, sent.messages);
  EXPECT_EQ(received.bytes, received.messages * 1000);
}

INSTANTIATE_TEST_SUITE_P(Segments, UdpStream, testing::Values(1, 15));

TEST(UdpLoop, NobodyAnswers) {
  UdpOptions initiator = options(false, true, 8);
  initiator.port = 9;
  initiator.iterations = 1;
  initiator.idle_timeout_ns = 300'000'000;
  Runner client = start(initiator);
  client.wait();
  ASSERT_TRUE(client.failure());
  EXPECT_EQ(client.failure()->error_number, ETIMEDOUT);
}

TEST(UdpLoop, StopsSoon) {
  Runner server = start(options(true, true, 8));
  server.ready();
  const uint64_t before = monotonic_ns();
  EXPECT_EQ(server.stop().reason, EndReason::kStopped);
  EXPECT_LT(monotonic_ns() - before, test::kSoon);
  EXPECT_EQ(test::loop_threads(), 0);
}

TEST(UdpLoop, RefusesWhatCannotBe) {
  EXPECT_THROW(make_udp_pingpong(options(false, false, 0), {}), Failure);
  EXPECT_THROW(make_udp_pingpong(options(false, false, 70'000), {}), Failure);
  EXPECT_THROW(make_udp_stream(stream(false, 0), {}), Failure);
  EXPECT_THROW(make_udp_stream(stream(false, 66), {}), Failure);
}

}  // namespace
}  // namespace vlbench
