#include "capture/link.h"

#include <gtest/gtest.h>
#include <pcap/dlt.h>

#include <vector>

namespace vlcapture {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes zeros(size_t count) { return Bytes(count, 0); }
Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Link, EthernetBeginsWithTwoAddressesAndAType) {
  EXPECT_EQ(ip_offset(DLT_EN10MB, zeros(12) + Bytes{0x08, 0x00, 0x45}), 14u);
  EXPECT_EQ(ip_offset(DLT_EN10MB, zeros(12) + Bytes{0x86, 0xdd, 0x60}), 14u);
  EXPECT_FALSE(ip_offset(DLT_EN10MB, zeros(12) + Bytes{0x08, 0x06, 0}));
  EXPECT_FALSE(ip_offset(DLT_EN10MB, zeros(13)));
}

TEST(Link, VlanTagsAreSkipped) {
  EXPECT_EQ(ip_offset(DLT_EN10MB, zeros(12) + Bytes{0x81, 0x00, 0, 5, 0x08, 0x00, 0x45}), 18u);
  EXPECT_EQ(ip_offset(DLT_EN10MB, zeros(12) + Bytes{0x88, 0xa8, 0, 5, 0x81, 0x00, 0, 6, 0x86, 0xdd}), 22u);
  EXPECT_FALSE(ip_offset(DLT_EN10MB, zeros(12) + Bytes{0x81, 0x00, 0, 5}));
}

TEST(Link, CookedFramesHaveTheTypeElsewhere) {
  EXPECT_EQ(ip_offset(DLT_LINUX_SLL, zeros(14) + Bytes{0x08, 0x00}), 16u);
  EXPECT_EQ(ip_offset(DLT_LINUX_SLL2, Bytes{0x86, 0xdd} + zeros(18)), 20u);
  EXPECT_EQ(ip_offset(DLT_RAW, Bytes{0x45}), 0u);
  EXPECT_FALSE(known_link(DLT_IEEE802_11));
  EXPECT_FALSE(ip_offset(DLT_IEEE802_11, zeros(40)));
}

TEST(Link, LengthIsThatOfTheIpHeader) {
  EXPECT_EQ(ip_length(Bytes{0x45, 0, 0x00, 0x34} + zeros(60)), 52u);
  Bytes six = zeros(60);
  six[0] = 0x60;
  six[5] = 28;
  EXPECT_EQ(ip_length(six), 68u);
  EXPECT_FALSE(ip_length(Bytes{0x45, 0, 0x00, 0x34}));
  EXPECT_FALSE(ip_length(zeros(60)));
  EXPECT_FALSE(ip_length({}));
}

}  // namespace
}  // namespace vlcapture
