#include <gtest/gtest.h>

#include "uroce/random.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/ip.h"
#include "uroce/wire/opcode.h"

namespace uroce::wire {
namespace {

template <class H>
class Header : public testing::Test {};
using Headers = testing::Types<Bth, Reth, Aeth, ImmDt, AtomicEth, AtomicAckEth, Ieth, Deth, Ipv4, Ipv6, Udp>;
TYPED_TEST_SUITE(Header, Headers);

TYPED_TEST(Header, EmitsWhatItParsed) {
  SeededRandom random(1);
  for (int round = 0; round < 1000; ++round) {
    uint8_t bytes[64], again[64] = {};
    for (auto& b : bytes) b = static_cast<uint8_t>(random.next());
    const auto parsed = TypeParam::parse(bytes, sizeof bytes);
    ASSERT_TRUE(parsed);
    parsed->emit(again);
    EXPECT_EQ(TypeParam::parse(again, sizeof again), parsed);
    for (size_t i = TypeParam::kSize; i < sizeof again; ++i) ASSERT_EQ(again[i], 0) << "wrote behind its end";
  }
}

TYPED_TEST(Header, RefusesTooFewBytes) {
  const uint8_t bytes[64] = {};
  for (size_t len = 0; len < TypeParam::kSize; ++len) EXPECT_FALSE(TypeParam::parse(bytes, len)) << len;
  EXPECT_TRUE(TypeParam::parse(bytes, TypeParam::kSize));
}

TEST(Bth, FieldsStandWhereTheSpecificationPutsThem) {
  uint8_t b[12];
  Bth{0x0b, true, true, 3, 5, 0x8001, true, false, 0x123456, true, 0xabcdef}.emit(b);
  const uint8_t expected[12] = {0x0b, 0xf5, 0x80, 0x01, 0x80, 0x12, 0x34, 0x56, 0x80, 0xab, 0xcd, 0xef};
  EXPECT_EQ(std::memcmp(b, expected, 12), 0);
}

TEST(Reth, FieldsStandWhereTheSpecificationPutsThem) {
  uint8_t b[16];
  Reth{0x0102030405060708, 0x0a0b0c0d, 0x10203040}.emit(b);
  const uint8_t expected[16] = {1, 2, 3, 4, 5, 6, 7, 8, 0x0a, 0x0b, 0x0c, 0x0d, 0x10, 0x20, 0x30, 0x40};
  EXPECT_EQ(std::memcmp(b, expected, 16), 0);
}

TEST(AtomicEth, FieldsStandWhereTheSpecificationPutsThem) {
  uint8_t b[28];
  AtomicEth{1, 2, 3, 4}.emit(b);
  EXPECT_EQ(b[7], 1);
  EXPECT_EQ(b[11], 2);
  EXPECT_EQ(b[19], 3);
  EXPECT_EQ(b[27], 4);
}

TEST(Deth, SourceQpnIsTheLastThreeBytes) {
  uint8_t b[8];
  Deth{0x80010000, 0x000001}.emit(b);
  const uint8_t expected[8] = {0x80, 0x01, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(std::memcmp(b, expected, 8), 0);
}

TEST(Aeth, RnrTimersAreTheTableOfTheSpecification) {
  EXPECT_EQ(aeth::kRnrTimerUs[0], 655360u);
  EXPECT_EQ(aeth::kRnrTimerUs[1], 10u);
  EXPECT_EQ(aeth::kRnrTimerUs[12], 640u);
  EXPECT_EQ(aeth::kRnrTimerUs[31], 491520u);
}

TEST(Grh, OfAnIpv4PacketEndsWithItsHeader) {
  uint8_t b[40];
  std::memset(b, 0xff, sizeof b);
  Ipv4 ip;
  ip.src = {10, 0, 0, 1};
  emit_grh_ipv4(b, ip);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(b[i], 0);
  EXPECT_EQ(b[20], 0x45);
  EXPECT_EQ(Ipv4::parse(b + 20, 20)->src, ip.src);
}

TEST(Opcodes, HeaderSizesAreThoseOfTheirHeaders) {
  EXPECT_EQ(kOpcodes[opcode::send_only].header_size, 12);
  EXPECT_EQ(kOpcodes[opcode::write_only_imm].header_size, 32);
  EXPECT_EQ(kOpcodes[opcode::read_request].header_size, 28);
  EXPECT_EQ(kOpcodes[opcode::read_response_middle].header_size, 12);
  EXPECT_EQ(kOpcodes[opcode::read_response_only].header_size, 16);
  EXPECT_EQ(kOpcodes[opcode::acknowledge].header_size, 16);
  EXPECT_EQ(kOpcodes[opcode::atomic_acknowledge].header_size, 24);
  EXPECT_EQ(kOpcodes[opcode::compare_swap].header_size, 40);
  EXPECT_EQ(kOpcodes[0x64].header_size, 20);
}

TEST(Opcodes, UnknownOnesSayNothing) {
  EXPECT_FALSE(kOpcodes[0x15].has(OpcodeInfo::known));
  EXPECT_FALSE(kOpcodes[0x40].has(OpcodeInfo::known));
  EXPECT_FALSE(kOpcodes[0xff].has(OpcodeInfo::known));
}

TEST(Opcodes, EachKnownOneHasOnePlaceInItsMessage) {
  for (const OpcodeInfo& info : kOpcodes) {
    if (!info.has(OpcodeInfo::known)) continue;
    const int places = info.has(OpcodeInfo::first) + info.has(OpcodeInfo::middle) +
                       info.has(OpcodeInfo::last) + info.has(OpcodeInfo::only);
    EXPECT_EQ(places, 1) << info.name;
    EXPECT_NE(info.has(OpcodeInfo::request), info.has(OpcodeInfo::response)) << info.name;
  }
}

}  // namespace
}  // namespace uroce::wire
