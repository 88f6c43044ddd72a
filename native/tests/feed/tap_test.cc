// The tap of the feed: the first packets whole, then headers and a little payload, and the rest counted.
#include "uroce/feed/tap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace uroce::feed {
namespace {

TEST(FeedTap, ShortensPacketsAfterTheFirstThousandAndCountsThoseItPasses) {
  constexpr uint64_t kEpoch = 1000;
  RecordBuffer buffer(1 << 20, 8, 8);
  Tap tap(buffer, kEpoch);
  std::vector<uint8_t> payload(3000, 0xab);
  net::CapturedPacket packet;
  packet.time_ns = kEpoch + 11;
  packet.direction = 2;
  packet.header_length = 28;
  std::memset(packet.header, 0x45, sizeof packet.header);
  packet.payload = payload.data();
  packet.payload_length = 3000;
  tap.on_packet(packet);
  tap.passed(999);
  tap.on_packet(packet);
  uint64_t dropped;
  const auto bytes = buffer.swap_out(&dropped);
  EXPECT_EQ(dropped, 999u);
  PacketRecord first, second;
  ASSERT_EQ(bytes.size(), 24u + 3028 + 4 + 24 + 192);
  std::memcpy(&first, bytes.data(), sizeof first);
  EXPECT_EQ(first.t, 11u);
  EXPECT_EQ(first.seq, 0u);
  EXPECT_EQ(first.orig_len, 3028u);
  EXPECT_EQ(first.cap_len, 3028u);
  std::memcpy(&second, bytes.data() + 24 + 3028 + 4, sizeof second);
  EXPECT_EQ(second.seq, 1000u);
  EXPECT_EQ(second.orig_len, 3028u);
  EXPECT_EQ(second.cap_len, 192u);
  EXPECT_EQ(bytes[24 + 27], 0x45);
  EXPECT_EQ(bytes[24 + 28], 0xab);
}

}  // namespace
}  // namespace uroce::feed
