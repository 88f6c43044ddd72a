#include "uroce/net/port/icrc_check.h"

#include <gtest/gtest.h>

#include "tests/net/packets.h"

namespace uroce::net::test {
namespace {

class IcrcCheckTest : public ::testing::Test {
 protected:
  bool check(std::vector<uint8_t> packet, uint32_t index, bool same_host, const Flow& flow) {
    Datagram d;
    d.data = packet.data();
    d.length = d.segment = static_cast<uint32_t>(packet.size());
    d.source = &flow.source;
    d.destination = &flow.destination;
    d.source_port = flow.source_port;
    d.same_host = same_host;
    check_.begin(d);
    return check_.check(packet.data(), d.length, index);
  }
  Flow flow_ = make_flow(ipv4(10, 0, 0, 1), ipv4(10, 0, 0, 2));
  Flow other_ = make_flow(ipv4(10, 0, 0, 3), ipv4(10, 0, 0, 2));
  Flow flow6_ = make_flow(ipv6(1), ipv6(2));
  IcrcCheck check_;
};

TEST_F(IcrcCheckTest, GuessesThePlaceInTheSend) {
  for (uint16_t i = 0; i < 128; ++i) EXPECT_TRUE(check(wire_packet(flow_, i, 100, i), i, true, flow_));
  EXPECT_EQ(check_.counters().other_place, 0u);
}

TEST_F(IcrcCheckTest, FindsAnotherPlace) {
  // The receiver got segments one by one: it cannot know their places.
  for (uint16_t i = 1; i < 128; ++i) {
    EXPECT_TRUE(check(wire_packet(flow_, i, 100, i), 0, true, flow_));
    EXPECT_EQ(check_.id(), i);
  }
  EXPECT_EQ(check_.counters().other_place, 127u);
}

TEST_F(IcrcCheckTest, OnThisHostNoOtherIdentificationPasses) {
  EXPECT_FALSE(check(wire_packet(flow_, 1, 100, 128), 0, true, flow_));
  EXPECT_FALSE(check(wire_packet(flow_, 1, 100, 40'000), 0, true, flow_));
  EXPECT_EQ(check_.counters().bad, 2u);
}

TEST_F(IcrcCheckTest, LearnsTheCounterOfAForeignSender) {
  uint16_t id = 65'500;
  for (int i = 0; i < 100; ++i, id += 3) EXPECT_TRUE(check(wire_packet(flow_, 7, 256, id), 0, false, flow_));
  EXPECT_EQ(check_.counters().foreign_jumps, 1u);
  EXPECT_EQ(check_.counters().foreign, 99u);
}

TEST_F(IcrcCheckTest, TellsForeignSendersApart) {
  for (uint16_t i = 0; i < 50; ++i) {
    EXPECT_TRUE(check(wire_packet(flow_, 7, 256, static_cast<uint16_t>(1000 + i)), 0, false, flow_));
    EXPECT_TRUE(check(wire_packet(other_, 7, 256, static_cast<uint16_t>(30'000 + i)), 0, false, other_));
  }
  EXPECT_EQ(check_.counters().foreign_jumps, 2u);
}

TEST_F(IcrcCheckTest, ADamagedPacketDoesNotMakeASenderOfOurKindForeignForGood) {
  // A change of the payload that an identification explains: 65,536 of 2^32 do.
  EXPECT_TRUE(check(wire_packet(flow_, 1, 100, 20'000), 0, false, flow_));
  for (uint16_t i = 0; i < 10; ++i) EXPECT_TRUE(check(wire_packet(flow_, i, 100, i), i, false, flow_));
  EXPECT_EQ(check_.counters().foreign_jumps, 1u);
}

TEST_F(IcrcCheckTest, KnowsTheHeadersOfEachLengthAndSender) {
  for (int round = 0; round < 3; ++round) {
    for (uint32_t length = 0; length < 160; length += 4) {
      for (const Flow* flow : {&flow_, &other_, &flow6_}) {
        EXPECT_TRUE(check(wire_packet(*flow, 1, length, 0), 0, true, *flow)) << length;
      }
    }
  }
  EXPECT_EQ(check_.counters().bad, 0u);
}

TEST_F(IcrcCheckTest, Ipv6IsExact) {
  auto packet = wire_packet(flow6_, 1, 64, 0);
  EXPECT_TRUE(check(packet, 5, false, flow6_));
  for (std::size_t bit = 0; bit < packet.size() * 8; ++bit) {
    if (bit / 8 == 4) continue;  // the byte that the ICRC does not cover
    auto damaged = packet;
    damaged[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    EXPECT_FALSE(check(damaged, 0, false, flow6_)) << bit;
  }
}

TEST_F(IcrcCheckTest, EveryDamagedBitIsSeenOnThisHost) {
  const auto packet = wire_packet(flow_, 1, 64, 3);
  for (std::size_t bit = 0; bit < packet.size() * 8; ++bit) {
    if (bit / 8 == 4) continue;
    auto damaged = packet;
    damaged[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    EXPECT_FALSE(check(damaged, 3, true, flow_)) << bit;
  }
}

TEST_F(IcrcCheckTest, LeavesThePacketAsItWas) {
  auto packet = wire_packet(flow_, 1, 64, 0);
  packet[4] = 0x80;  // FECN: changed on the way, not covered
  Datagram d;
  const auto before = packet;
  d.data = packet.data();
  d.length = d.segment = static_cast<uint32_t>(packet.size());
  d.source = &flow_.source;
  d.destination = &flow_.destination;
  d.source_port = flow_.source_port;
  check_.begin(d);
  EXPECT_TRUE(check_.check(packet.data(), d.length, 0));
  EXPECT_EQ(packet, before);
}

}  // namespace
}  // namespace uroce::net::test
