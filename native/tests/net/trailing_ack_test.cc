// An ACK that leaves ahead of requests: its place on the wire, and the time when the receiver processes it.
#include <gtest/gtest.h>

#include "tests/net/packets.h"
#include "uroce/net/port/roce_port.h"

namespace uroce::net::test {
namespace {

constexpr uint8_t kSend = wire::opcode::send_only;
constexpr uint8_t kResponse = wire::opcode::read_response_only;

class TrailingAck : public ::testing::Test {
 protected:
  TrailingAck() { flow_.same_host = link_.same_host = true; }
  void emit_ack(uint32_t psn, uint32_t qpn = 0x1002) { port_.emit(*AckPacket(flow_, qpn, psn)); }
  void emit(uint32_t psn, uint32_t payload, uint8_t opcode = kSend) {
    port_.emit(*TestPacket(flow_, 0x1002, psn, payload, opcode));
  }
  // PSNs of each datagram, in the order on the wire.
  std::vector<std::vector<uint32_t>> sent() {
    port_.flush();
    std::vector<std::vector<uint32_t>> all;
    for (const auto& batch : link_.sent) {
      auto& psns = all.emplace_back();
      for (uint32_t i = 0; i < batch.count; ++i) psns.push_back(batch.psn(i));
    }
    return all;
  }
  // PSNs in the order in which a receiver processes the packets.
  std::vector<uint32_t> received() {
    port_.flush();
    for (const auto& batch : link_.sent) link_.incoming.push_back({batch.data, batch.segment});
    Collector got;
    while (port_.receive(got, 8) != 0) {
    }
    EXPECT_EQ(port_.icrc_counters().bad, 0u);
    return got.psns;
  }
  using Datagrams = std::vector<std::vector<uint32_t>>;
  FakeLink link_;
  Flow flow_ = make_flow(link_.source, link_.destination);
  RocePort port_{link_, kModern};
};

TEST_F(TrailingAck, SharesTheDatagramOfTheRequestsBehindItAndIsTakenInFirst) {
  emit_ack(900);
  for (uint32_t psn = 0; psn < 3; ++psn) emit(psn, 64);
  EXPECT_EQ(sent(), (Datagrams{{0, 1, 2, 900}}));
  for (uint32_t i = 0; i < 4; ++i) {
    const auto packet = link_.sent[0].packet(i);
    EXPECT_EQ(icrc_on_wire(packet), icrc_wanted(flow_, packet, static_cast<uint16_t>(i)));
  }
  EXPECT_EQ(received(), (std::vector<uint32_t>{900, 0, 1, 2}));
}

TEST_F(TrailingAck, LeavesWithTheFirstDatagramOfSeveral) {
  emit_ack(900);
  for (uint32_t psn = 0; psn < 40; ++psn) emit(psn, 4096);
  const auto all = sent();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].size(), 16u);
  EXPECT_EQ(all[0].back(), 900u);
  EXPECT_EQ(received().front(), 900u);
}

TEST_F(TrailingAck, EndsTheDatagramBeforeAShorterRequest) {
  emit_ack(900);
  emit(0, 1024);
  emit(1, 512);
  EXPECT_EQ(sent(), (Datagrams{{0, 900}, {1}}));
  EXPECT_EQ(received(), (std::vector<uint32_t>{900, 0, 1}));
}

TEST_F(TrailingAck, GoesAheadOfARequestThatIsNotLonger) {
  emit_ack(900);
  emit(0, 2);
  EXPECT_EQ(sent(), (Datagrams{{900, 0}}));
}

TEST_F(TrailingAck, StaysBehindResponses) {
  emit(0, 64, kResponse);
  emit_ack(900);
  EXPECT_EQ(sent(), (Datagrams{{0, 900}}));
  EXPECT_EQ(received(), (std::vector<uint32_t>{0, 900}));
}

TEST_F(TrailingAck, IsNotPutBehindResponses) {
  emit_ack(900);
  emit(0, 64, kResponse);
  EXPECT_EQ(sent(), (Datagrams{{900}, {0}}));
}

TEST_F(TrailingAck, OfEachQueuePairLeavesWithItsOwnRequests) {
  emit_ack(900);
  emit(0, 64);
  emit_ack(901, 0x1003);
  emit(1, 64);
  EXPECT_EQ(sent(), (Datagrams{{0, 900}, {1, 901}}));
  EXPECT_EQ(received(), (std::vector<uint32_t>{900, 0, 901, 1}));
}

TEST_F(TrailingAck, OfSeveralQueuePairsGoTogether) {
  emit_ack(900);
  emit_ack(901, 0x1003);
  emit(0, 64);
  const auto all = received();
  EXPECT_EQ(sent(), (Datagrams{{900, 901}, {0}}));
  EXPECT_EQ(all, (std::vector<uint32_t>{900, 901, 0}));
}

TEST_F(TrailingAck, WithNothingBehindItLeavesOnFlush) {
  emit_ack(900);
  EXPECT_TRUE(link_.sent.empty());
  EXPECT_EQ(sent(), (Datagrams{{900}}));
}

// Elsewhere the packets of one send may arrive one by one.
TEST_F(TrailingAck, GoesAheadToAnotherHost) {
  flow_.same_host = false;
  emit_ack(900);
  emit(0, 64);
  EXPECT_EQ(sent(), (Datagrams{{900}, {0}}));
}

TEST_F(TrailingAck, OfAnotherHostIsTakenInOrder) {
  emit_ack(900);
  emit(0, 64);
  link_.same_host = false;
  EXPECT_EQ(received(), (std::vector<uint32_t>{0, 900}));
}

TEST_F(TrailingAck, GoesAheadWhereTheKernelDoesNotSegment) {
  RocePort plain(link_, kPlain);
  plain.emit(*AckPacket(flow_, 0x1002, 900));
  plain.emit(*TestPacket(flow_, 0x1002, 0, 64, kSend));
  plain.flush();
  ASSERT_EQ(link_.sent.size(), 2u);
  EXPECT_EQ(link_.sent[0].psn(0), 900u);
}

// room() counts the ACK that is not in a batch yet: packets that the engine emits within it always fit.
TEST_F(TrailingAck, TakesRoom) {
  const uint32_t room = port_.room();
  emit_ack(900);
  EXPECT_EQ(port_.room(), room - 1);
  for (uint32_t left = port_.room(); left != 0; --left) emit(left, left % 2 != 0 ? 4096 : 2048);
  link_.capacity = 0;
  port_.flush();
  EXPECT_TRUE(port_.blocked());
  link_.capacity = SIZE_MAX;
  EXPECT_EQ(received().front(), 900u);
}

}  // namespace
}  // namespace uroce::net::test
