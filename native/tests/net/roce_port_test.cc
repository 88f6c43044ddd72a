#include "uroce/net/port/roce_port.h"

#include <gtest/gtest.h>

#include "tests/net/packets.h"

namespace uroce::net::test {
namespace {

class RocePortTest : public ::testing::Test {
 protected:
  void emit(Port& port, uint32_t psn, uint32_t payload, uint32_t qpn = 0x1002) {
    port.emit(*TestPacket(flow_, qpn, psn, payload));
  }
  Flow flow_ = make_flow(ipv4(10, 0, 0, 1), ipv4(10, 0, 0, 2));
  Flow flow6_ = make_flow(ipv6(1), ipv6(2));
  FakeLink link_;
};

// On an address of the device only this user's processes can have the port; for another host it says
// nothing.
TEST_F(RocePortTest, PacketsOfThisHostComeFromTheDevicesPort) {
  RocePort port(link_, kModern);
  Collector got;
  const auto arrive = [&](uint16_t source_port, bool same_host) {
    Flow flow = make_flow(link_.source, link_.destination);
    flow.source_port = link_.source_port = source_port;
    link_.same_host = same_host;
    link_.incoming.push_back({wire_packet(flow, 7, 40, 0), 0});
    link_.incoming.back().second = static_cast<uint32_t>(link_.incoming.back().first.size());
    port.receive(got, 1);
    return got.psns.size();
  };
  EXPECT_EQ(arrive(wire::kRocePort, true), 1u);
  EXPECT_EQ(arrive(50'000, true), 1u);
  EXPECT_EQ(arrive(50'000, false), 2u);
  EXPECT_EQ(port.foreign_ports(), 1u);
  EXPECT_EQ(port.icrc_counters().bad, 0u);
}

// Header-only packets come in floods: packets rejected by their headers cost no checksum, and count as no
// ICRC error.
TEST_F(RocePortTest, PacketsThatAreNotWantedAreDroppedBeforeTheirIcrcIsChecked) {
  RocePort port(link_, kModern);
  Collector got;
  const Flow flow = make_flow(link_.source, link_.destination);
  std::vector<uint8_t> damaged = wire_packet(flow, 1, 0, 0);
  damaged.back() ^= 1;
  std::vector<uint8_t> datagram = damaged;
  const std::vector<uint8_t> good = wire_packet(flow, 2, 0, 1);
  datagram.insert(datagram.end(), good.begin(), good.end());
  const auto arrive = [&] {
    link_.incoming.push_back({datagram, static_cast<uint32_t>(damaged.size())});
    port.receive(got, 1);
  };
  arrive();
  EXPECT_EQ(port.icrc_counters().bad, 1u);
  EXPECT_EQ(got.psns, std::vector<uint32_t>{2});
  got.unwanted_qpn = 0x1002;
  arrive();
  EXPECT_EQ(got.asked, 4u);
  EXPECT_EQ(port.icrc_counters().bad, 1u);
  EXPECT_EQ(got.psns, std::vector<uint32_t>{2});
}

// Without the kernel's report, a datagram of several packets may be as long as the single packet before it.
TEST_F(RocePortTest, TellsSeveralPacketsFromOneOfTheirLength) {
  RocePort port(link_, kModern);
  const Flow flow = make_flow(link_.source, link_.destination);
  using Packets = std::vector<std::vector<uint8_t>>;
  const auto arrive = [&](Collector& got, const Packets& packets) {
    auto& datagram = link_.incoming.emplace_back().first;
    for (const auto& packet : packets) datagram.insert(datagram.end(), packet.begin(), packet.end());
    port.receive(got, 1);
  };
  const auto one = [&](uint32_t psn) { return Packets{wire_packet(flow, psn, 48, 0)}; };
  const auto several = [&](uint32_t psn) {
    Packets packets;
    for (uint16_t i = 0; i < 4; ++i) packets.push_back(wire_packet(flow, psn + i, 0, i));
    return packets;
  };
  Collector got;
  arrive(got, one(1));
  arrive(got, one(2));
  arrive(got, several(3));
  arrive(got, several(7));
  arrive(got, one(11));
  EXPECT_EQ(got.psns, (std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));

  // Headers of packets that together form an unwanted packet.
  Collector picky;
  picky.only_short = true;
  arrive(picky, several(12));
  arrive(picky, one(16));
  arrive(picky, several(17));
  EXPECT_EQ(picky.psns, (std::vector<uint32_t>{12, 13, 14, 15, 17, 18, 19, 20}));
  EXPECT_EQ(port.icrc_counters().bad, 0u);
  auto damaged = one(21);
  damaged[0].back() ^= 1;
  arrive(got, one(21));
  arrive(got, damaged);
  EXPECT_EQ(got.psns.size(), 12u);
  EXPECT_EQ(port.icrc_counters().bad, 1u);
}

TEST_F(RocePortTest, TellsSeveralPacketsApartThatSaySelectiveRepeat) {
  RocePort port(link_, kModern);
  const Flow flow = make_flow(link_.source, link_.destination);
  auto& datagram = link_.incoming.emplace_back().first;
  for (uint16_t i = 0; i < 3; ++i) {
    const auto packet = wire_packet(flow, i, 0, i, true);
    datagram.insert(datagram.end(), packet.begin(), packet.end());
  }
  Collector got;
  port.receive(got, 1);
  EXPECT_EQ(got.psns, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(port.icrc_counters().bad, 0u);
}

TEST_F(RocePortTest, EqualPacketsAndOneShorterMakeOneBatch) {
  RocePort port(link_, kModern);
  for (uint32_t psn = 0; psn < 5; ++psn) emit(port, psn, 1024);
  emit(port, 5, 100);
  EXPECT_TRUE(link_.sent.empty());
  port.flush();
  ASSERT_EQ(link_.sent.size(), 1u);
  EXPECT_EQ(link_.sent[0].count, 6u);
  EXPECT_EQ(link_.sent[0].segment, 12u + 1024 + 4);
  for (uint32_t i = 0; i < 6; ++i) EXPECT_EQ(link_.sent[0].psn(i), i);
}

TEST_F(RocePortTest, ShorterOneEndsTheBatch) {
  RocePort port(link_, kModern);
  emit(port, 0, 1024);
  emit(port, 1, 512);
  emit(port, 2, 512);
  port.flush();
  ASSERT_EQ(link_.sent.size(), 2u);
  EXPECT_EQ(link_.sent[0].count, 2u);
  EXPECT_EQ(link_.sent[1].count, 1u);
}

TEST_F(RocePortTest, LongerOneStartsANewBatch) {
  RocePort port(link_, kModern);
  emit(port, 0, 64);
  emit(port, 1, 128);
  port.flush();
  ASSERT_EQ(link_.sent.size(), 2u);
  EXPECT_EQ(link_.sent[0].psn(0), 0u);
  EXPECT_EQ(link_.sent[1].psn(0), 1u);
}

// A WRITE of 64 KiB: its First packet is longer than the rest.
TEST_F(RocePortTest, AShortBatchWaitsForTheNextOne) {
  RocePort port(link_, kModern);
  emit(port, 0, 4096 + 16);
  for (uint32_t psn = 1; psn < 16; ++psn) emit(port, psn, 4096);
  EXPECT_TRUE(link_.sent.empty());
  emit(port, 16, 4096 + 16);
  ASSERT_EQ(link_.sent.size(), 2u) << "worth a send, without a flush";
  EXPECT_EQ(link_.sent[0].count, 2u);
  EXPECT_EQ(link_.sent[1].count, 14u);
  port.flush();
  ASSERT_EQ(link_.sent.size(), 3u);
  EXPECT_EQ(link_.sent[2].psn(0), 16u);
}

TEST_F(RocePortTest, WhatTheKernelHasNoRoomForWaitsInOrder) {
  RocePort port(link_, kModern);
  for (uint32_t psn = 0; psn < 6; ++psn) emit(port, psn, 64 * (psn + 1));
  for (const std::size_t capacity : {0u, 1u, 4u}) {
    link_.capacity = capacity;
    port.flush();
    EXPECT_EQ(link_.sent.size(), capacity);
    EXPECT_TRUE(port.blocked());
    EXPECT_EQ(port.batches_sent(), capacity);
  }
  emit(port, 6, 1024);
  link_.capacity = SIZE_MAX;
  port.flush();
  EXPECT_FALSE(port.blocked());
  ASSERT_EQ(link_.sent.size(), 7u);
  for (uint32_t psn = 0; psn < 7; ++psn) EXPECT_EQ(link_.sent[psn].psn(0), psn);
}

TEST_F(RocePortTest, AnotherSlotOrFlowStartsANewBatch) {
  RocePort port(link_, kModern);
  emit(port, 0, 64, 0x1002);
  emit(port, 1, 64, 0x1fff);  // same slot, another QP
  emit(port, 2, 64, 0x2002);
  port.emit(*TestPacket(flow6_, 0x2002, 3, 64));
  port.flush();
  ASSERT_EQ(link_.sent.size(), 3u);
  EXPECT_EQ(link_.sent[0].count, 2u);
  EXPECT_EQ(link_.sent[2].flow, &flow6_);
}

TEST_F(RocePortTest, BatchesStopAtTheKernelsLimits) {
  RocePort port(link_, kModern);
  for (uint32_t psn = 0; psn < 130; ++psn) emit(port, psn, 64);
  for (uint32_t psn = 0; psn < 16; ++psn) emit(port, psn, 4096);
  port.flush();
  ASSERT_EQ(link_.sent.size(), 4u);
  EXPECT_EQ(link_.sent[0].count, 128u);
  EXPECT_EQ(link_.sent[1].count, 2u);
  EXPECT_EQ(link_.sent[2].count, 15u);
  EXPECT_LE(link_.sent[2].data.size(), 65'507u);
  EXPECT_EQ(link_.sent[3].count, 1u);
}

TEST_F(RocePortTest, PacketKHasIdentificationK) {
  RocePort port(link_, kModern);
  for (uint32_t psn = 0; psn < 20; ++psn) emit(port, psn, psn == 19 ? 17 : 333);
  port.flush();
  ASSERT_EQ(link_.sent.size(), 1u);
  for (uint32_t i = 0; i < 20; ++i) {
    const auto packet = link_.sent[0].packet(i);
    EXPECT_EQ(icrc_on_wire(packet), icrc_wanted(flow_, packet, static_cast<uint16_t>(i))) << i;
  }
}

TEST_F(RocePortTest, WithoutSegmentationEveryIdentificationIsZero) {
  RocePort port(link_, kPlain);
  for (uint32_t psn = 0; psn < 3; ++psn) emit(port, psn, 333);
  port.flush();
  for (const auto& batch : link_.sent) {
    for (uint32_t i = 0; i < batch.count; ++i) {
      EXPECT_EQ(icrc_on_wire(batch.packet(i)), icrc_wanted(flow_, batch.packet(i), 0));
    }
  }
}

TEST_F(RocePortTest, Ipv6HasNoIdentification) {
  RocePort port(link_, kModern);
  for (uint32_t psn = 0; psn < 3; ++psn) port.emit(*TestPacket(flow6_, 0x1002, psn, 40));
  port.flush();
  ASSERT_EQ(link_.sent.size(), 1u);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(icrc_on_wire(link_.sent[0].packet(i)), icrc_wanted(flow6_, link_.sent[0].packet(i), 0));
  }
}

TEST_F(RocePortTest, ABusyKernelLosesNothingAndKeepsTheOrder) {
  RocePort port(link_, kModern);
  link_.busy = true;
  uint32_t psn = 0;
  // The engine's way: it asks, emits no more than that, flushes, asks again.
  for (int round = 0; round < 10; ++round) {
    for (uint32_t room = port.room(); room > 0; --room) emit(port, psn++, round % 2 == 0 ? 4096 : 64);
    port.flush();
    EXPECT_TRUE(port.blocked());
  }
  EXPECT_EQ(port.room(), 0u);
  EXPECT_TRUE(link_.sent.empty());
  link_.busy = false;
  port.flush();
  EXPECT_FALSE(port.blocked());
  uint32_t expected = 0;
  for (const auto& batch : link_.sent) {
    for (uint32_t i = 0; i < batch.count; ++i) EXPECT_EQ(batch.psn(i), expected++);
  }
  EXPECT_EQ(expected, psn);
  EXPECT_GT(port.room(), 32u);
}

// Not the time when they were emitted, nor a time while the kernel has no room.
TEST_F(RocePortTest, DeparturesHaveTheTimeOfTheSend) {
  struct Departures final : DepartureHandler {
    void on_departure(const transport::TxTimestamp& d, uint64_t time) override {
      seen.emplace_back(d.wqe, time);
    }
    std::vector<std::pair<uint32_t, uint64_t>> seen;
  } departures;
  OrderedClock clock;
  RocePort port(link_, kModern);
  port.stamp(&clock, &departures);
  for (uint32_t i = 0; i < 6; ++i) {
    const TestPacket packet(flow_, 0x1002, i, i < 3 ? 100 : 200);
    transport::TxPacket stamped = *packet;
    stamped.wqe = i;
    stamped.position_flags =
        i % 3 == 1 ? 0 : transport::packet_position::first | transport::packet_position::last;
    port.emit(stamped);
  }
  EXPECT_TRUE(departures.seen.empty());
  link_.capacity = 1;
  port.flush();
  EXPECT_EQ(departures.seen.size(), 2u) << "the longer packets have not left";
  link_.capacity = SIZE_MAX;
  const uint64_t free_at = clock.now();
  port.flush();
  ASSERT_EQ(departures.seen.size(), 4u);
  EXPECT_EQ(departures.seen[0].first, 0u);
  EXPECT_EQ(departures.seen[1].first, 2u);
  EXPECT_EQ(departures.seen[1].second, departures.seen[0].second) << "one reading for a batch";
  EXPECT_EQ(departures.seen[2].first, 3u);
  EXPECT_EQ(departures.seen[3].first, 5u);
  EXPECT_GE(departures.seen[2].second, free_at);
  for (const auto& [wqe, time] : departures.seen) EXPECT_LE(time, clock.now());
}

TEST_F(RocePortTest, EveryPacketABatchOfItsOwnStillFitsIntoItsRoom) {
  RocePort port(link_, kModern);
  link_.busy = true;
  const uint32_t room = port.room();
  for (uint32_t i = 0; i < room; ++i) emit(port, i, 4096, (i + 1) << 12);
  port.flush();
  link_.busy = false;
  port.flush();
  ASSERT_EQ(link_.sent.size(), room);
  for (uint32_t i = 0; i < room; ++i) EXPECT_EQ(link_.sent[i].psn(0), i);
}

TEST_F(RocePortTest, MarkedPacketsGoInBatchesOfTheirOwn) {
  RocePort port(link_, kModern);
  emit(port, 0, 64);
  port.emit_marked(*TestPacket(flow_, 0x1002, 1, 64), {.marks = packet_mark::dropped});
  emit(port, 2, 64);
  port.flush();
  ASSERT_EQ(link_.sent.size(), 3u);
  EXPECT_EQ(link_.sent[1].marks, packet_mark::dropped);
}

TEST_F(RocePortTest, ACorruptedPacketHasAWrongIcrcAndStillArrives) {
  RocePort port(link_, kModern);
  for (uint32_t bit : {0u, 7u, 99u, 12'345'678u}) {
    link_.sent.clear();
    port.emit_marked(*TestPacket(flow_, 0x1002, 1, 64), {.marks = packet_mark::corrupt, .corrupt_bit = bit});
    port.flush();
    const auto packet = link_.sent[0].packet(0);
    EXPECT_NE(icrc_on_wire(packet), icrc_wanted(flow_, packet, 0));
    EXPECT_EQ(wire::Bth::parse(packet.data(), packet.size())->dest_qpn, 0x1002u);
  }
}

TEST_F(RocePortTest, TakesDatagramsApart) {
  RocePort port(link_, kModern);
  std::vector<uint8_t> bytes;
  for (uint32_t i = 0; i < 4; ++i) {
    const auto p = wire_packet(flow_, 100 + i, i == 3 ? 8 : 64, static_cast<uint16_t>(i));
    bytes.insert(bytes.end(), p.begin(), p.end());
  }
  link_.incoming.emplace_back(bytes, 12 + 64 + 4);
  Collector got;
  EXPECT_EQ(port.receive(got, 8), 1u);
  EXPECT_EQ(got.psns, (std::vector<uint32_t>{100, 101, 102, 103}));
  EXPECT_EQ(got.lengths, (std::vector<uint32_t>{76, 76, 76, 20}));
}

TEST_F(RocePortTest, DropsWhatIsDamagedAndOnlyThat) {
  RocePort port(link_, kModern);
  link_.same_host = true;
  std::vector<uint8_t> bytes;
  for (uint32_t i = 0; i < 3; ++i) {
    auto p = wire_packet(flow_, i, 64, static_cast<uint16_t>(i));
    if (i == 1) p[30] ^= 4;
    bytes.insert(bytes.end(), p.begin(), p.end());
  }
  link_.incoming.emplace_back(bytes, 80);
  link_.incoming.emplace_back(std::vector<uint8_t>{1, 2, 3}, 3);
  Collector got;
  port.receive(got, 8);
  EXPECT_EQ(got.psns, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(port.icrc_counters().bad, 1u);
  EXPECT_EQ(port.icrc_counters().too_short, 1u);
}

}  // namespace
}  // namespace uroce::net::test
