// Room of a receiver: measured on real sockets, and by time where there is no socket to read.
#include "uroce/net/port/receiver_room.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "tests/net/packets.h"
#include "uroce/net/port/roce_port.h"

namespace uroce::net::test {
namespace {

constexpr uint64_t kMs = 1'000'000;

// A pair of loopback sockets: the receiving one has a small buffer and is read only when a test says so.
class ReceiverRoomTest : public ::testing::Test {
 protected:
  void SetUp() override {
    receiver_.reset(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    sender_.reset(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int bytes = 100'000;
    ASSERT_EQ(setsockopt(receiver_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes), 0);
    to_.sin_family = AF_INET;
    to_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof to_;
    ASSERT_EQ(bind(receiver_.get(), reinterpret_cast<sockaddr*>(&to_), length), 0);
    ASSERT_EQ(getsockname(receiver_.get(), reinterpret_cast<sockaddr*>(&to_), &length), 0);
  }
  ReceiverRoom room() {
    return ReceiverRoom([this](const Gid&, uint32_t) { return receiver_.get(); }, 1 << 20);
  }
  bool send(uint32_t bytes) {
    const std::vector<uint8_t> data(bytes);
    return sendto(sender_.get(), data.data(), bytes, 0, reinterpret_cast<sockaddr*>(&to_), sizeof to_) ==
           static_cast<ssize_t>(bytes);
  }
  uint32_t drain() {
    uint32_t count = 0;
    char byte;
    while (recv(receiver_.get(), &byte, 1, 0) >= 0) ++count;
    return count;
  }
  // Sends until the room is used up; returns the number of packets.
  uint32_t fill(ReceiverRoom& r, uint32_t bytes, uint64_t now) {
    uint32_t count = 0;
    while (count < 100'000 && (r.reserve(flow_, 0, bytes) || r.reserve_after_measure(flow_, 0, bytes, now))) {
      EXPECT_TRUE(send(bytes));
      ++count;
    }
    return count;
  }
  UniqueFd receiver_, sender_;
  sockaddr_in to_{};
  Flow flow_ = make_flow(ipv4(127, 0, 0, 1), ipv4(127, 0, 0, 1));
};

TEST_F(ReceiverRoomTest, WhatItAllowsIsNeverDropped) {
  for (uint32_t bytes : {16u, 64u, 500u, 1100u, 4156u, 9000u, 60'000u}) {
    ReceiverRoom r = room();
    const uint32_t first = fill(r, bytes, 1);
    EXPECT_GE(first, 1u) << bytes;
    EXPECT_LT(first, 100'000u) << bytes;
    EXPECT_EQ(drain(), first) << bytes;
    // The emptied buffer takes as much again.
    const uint32_t second = fill(r, bytes, 2);
    EXPECT_GE(second, 1u) << bytes;
    EXPECT_EQ(drain(), second) << bytes;
  }
}

TEST_F(ReceiverRoomTest, ABufferThatNobodyEmptiesHoldsASenderUpForHalfASecond) {
  ReceiverRoom r = room();
  fill(r, 1000, 1000 * kMs);
  EXPECT_FALSE(r.reserve_after_measure(flow_, 0, 1000, 1100 * kMs));
  EXPECT_FALSE(r.reserve_after_measure(flow_, 0, 1000, 1499 * kMs));
  EXPECT_TRUE(r.reserve_after_measure(flow_, 0, 1000, 1600 * kMs));
  EXPECT_TRUE(r.reserve_after_measure(flow_, 0, 1000, 1601 * kMs));  // not measured again for each packet
  // A receiver that reads again limits its senders again.
  char byte;
  ASSERT_EQ(recv(receiver_.get(), &byte, 1, 0), 1);
  while (r.reserve_after_measure(flow_, 0, 1000, 1700 * kMs)) ASSERT_TRUE(send(1000));
  EXPECT_FALSE(r.reserve_after_measure(flow_, 0, 1000, 1800 * kMs));
}

TEST_F(ReceiverRoomTest, TheUnknownGetABudgetByTime) {
  ReceiverRoom r([](const Gid&, uint32_t) { return -1; }, 100'000);
  uint32_t taken = 0;
  uint64_t now = 10 * kMs;
  while (r.reserve(flow_, 0, 1000) || r.reserve_after_measure(flow_, 0, 1000, now)) ++taken;
  EXPECT_GT(taken, 50u);
  EXPECT_LE(taken, 100u);
  EXPECT_FALSE(r.reserve_after_measure(flow_, 0, 1000, now));
  EXPECT_TRUE(r.reserve_after_measure(flow_, 1, 1000, now));  // another process
  EXPECT_TRUE(r.reserve_after_measure(flow_, 0, 1000, now + kMs));
}

// Two threads' clocks differ by some hundred nanoseconds, and either may check first.
TEST_F(ReceiverRoomTest, AClockThatStepsBackDoesNotMakeAFullBufferLookAbandoned) {
  ReceiverRoom r = room();
  fill(r, 1000, 1000 * kMs);
  EXPECT_FALSE(r.reserve_after_measure(flow_, 0, 1000, 1000 * kMs - 300));
}

TEST(Admission, APortFlushesBeforeItLooksAgain) {
  FakeLink link;
  RocePort port(link, kModern);
  const Flow flow = make_flow(ipv4(10, 0, 0, 1), ipv4(10, 0, 0, 2));
  Path path;
  path.cookie = reinterpret_cast<uintptr_t>(&flow);
  EXPECT_TRUE(port.admit(path, 0x1002, 1u << 30));  // no receiver to ask
  // The budget grows with time, so the number of packets depends on the machine. But all of them must have
  // left at each check.
  uint32_t count = 0, looks = 0;
  const auto look = [&](const Gid&, uint32_t) {
    uint32_t sent = 0;
    for (const auto& batch : link.sent) sent += batch.count;
    EXPECT_EQ(sent, count);
    ++looks;
    return -1;
  };
  ReceiverRoom room(look, 10'000);
  port.set_receiver_room(&room);
  while (count < 100 && port.admit(path, 0x1002, 1016)) port.emit(*TestPacket(flow, 0x1002, count++, 1000));
  EXPECT_GE(count, 5u);
  EXPECT_GE(looks, 2u);
  // With packets that the kernel does not take the port does not check at all: the rest of the budget is
  // the end.
  link.busy = true;
  port.emit(*TestPacket(flow, 0x1002, 0, 1000));
  uint32_t more = 0;
  while (more < 10 && port.admit(path, 0x1002, 1016)) port.emit(*TestPacket(flow, 0x1002, more++, 1000));
  EXPECT_LT(more, 10u);
}

}  // namespace
}  // namespace uroce::net::test
