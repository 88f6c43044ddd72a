#include "uroce/wire/icrc.h"

#include <gtest/gtest.h>

#include <map>

#include "capture.h"
#include "uroce/random.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ip.h"
#include "uroce/wire/opcode.h"

namespace uroce::wire {
namespace {

using test::Bytes;

Bytes hex(const char* text) {
  Bytes out;
  for (int high = -1; *text; ++text) {
    if (*text == ' ') continue;
    const int v = *text <= '9' ? *text - '0' : *text - 'a' + 10;
    if (high < 0) {
      high = v;
    } else {
      out.push_back(static_cast<uint8_t>(high << 4 | v));
      high = -1;
    }
  }
  return out;
}

Bytes random_bytes(SeededRandom& random, size_t n) {
  Bytes out(n);
  for (auto& b : out) b = static_cast<uint8_t>(random.next());
  return out;
}

void expect_icrc_right(const Bytes& packet) {
  const auto icrc = icrc_of_packet(packet.data(), packet.size() - kIcrcSize);
  ASSERT_TRUE(icrc);
  EXPECT_EQ(*icrc, icrc_load(packet.data() + packet.size() - kIcrcSize));
}

TEST(Crc32, GivesTheCheckValueOfItsDefinition) {
  const auto* text = reinterpret_cast<const uint8_t*>("123456789");
  EXPECT_EQ(~crc_update_table(0xffffffff, text, 9), 0xcbf43926u);
  EXPECT_EQ(~crc_update_sparse(0xffffffff, text, 9), 0xcbf43926u);
  EXPECT_EQ(~crc_update_isal(0xffffffff, text, 9), 0xcbf43926u);
}

TEST(Crc32, AllLoopsAgreeAtEveryLengthAndAlignment) {
  SeededRandom random(3);
  const Bytes bytes = random_bytes(random, 700);
  for (size_t offset = 0; offset < 17; ++offset) {
    for (size_t n = 0; n < 600; ++n) {
      const uint32_t state = random.next();
      const uint32_t after = crc_update_table(state, &bytes[offset], n);
      ASSERT_EQ(crc_update_isal(state, &bytes[offset], n), after) << offset << " " << n;
      ASSERT_EQ(crc_update_sparse(state, &bytes[offset], n), after) << offset << " " << n;
    }
  }
}

TEST(Crc32, CopyingChecksumsTheCopy) {
  SeededRandom random(4);
  for (size_t n : {0u, 1u, 63u, 4095u, 4096u, 4097u, 20000u}) {
    const Bytes from = random_bytes(random, n);
    Bytes to(n + 1, 0xee);
    EXPECT_EQ(crc_copy(77, to.data(), from.data(), n), crc_update_table(77, from.data(), n));
    EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
    EXPECT_EQ(to[n], 0xee);
  }
}

TEST(Crc32, DifferencesTravelForwardAndBack) {
  SeededRandom random(5);
  for (size_t n : {0u, 1u, 7u, 100u, 4133u, 65535u}) {
    const Bytes bytes = random_bytes(random, n);
    const uint32_t a = random.next(), b = random.next();
    const uint32_t after = crc_update_table(a, bytes.data(), n) ^ crc_update_table(b, bytes.data(), n);
    EXPECT_EQ(crc_advance(a ^ b, n), after) << n;
    EXPECT_EQ(crc_rewind(after, n), a ^ b) << n;
  }
}

TEST(Crc32, SeedIsTheStateAfterEightBytesOfOnes) {
  const uint8_t ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  EXPECT_EQ(crc_update(0xffffffff, ones, 8), kIcrcSeed);
}

TEST(Crc32, TheLoopCanBeExchanged) {
  const uint8_t byte = 1;
  const uint32_t before = crc_update(5, &byte, 1);
  crc_use(&crc_update_table);
  EXPECT_EQ(crc_update(5, &byte, 1), before);
  crc_use(&crc_update_isal);
}

// A clock that runs fast for one of the two decides.
TEST(Crc32, TheFasterLoopIsChosen) {
  static uint64_t now;
  static bool shifts_slow;
  static int call;
  const auto clock = +[]() -> uint64_t {
    // Ten calls for the shifts, ten for ISA-L.
    const bool shifts = call++ < 10;
    return now += shifts == shifts_slow ? 1000 : 10;
  };
  for (bool slow : {true, false}) {
    call = 0;
    shifts_slow = slow;
    EXPECT_EQ(crc_choose(clock), slow ? &crc_update_isal : &crc_update_sparse);
    const uint8_t byte = 1;
    EXPECT_EQ(crc_update(5, &byte, 1), crc_update_table(5, &byte, 1));
  }
  crc_use(&crc_update_isal);
}

// UC SEND Only, identification 1144.
TEST(Icrc, OfAKnownUcSend) {
  expect_icrc_right(
      hex("450100400478400040 11b4d5c0a80007c0a80007c00012b7002caca2"
          "2460ffff000000d300cf17104630818be28935d90e9a95505401be885e50000078f353f3"));
}

// Captured on a ConnectX-4 Lx.
TEST(Icrc, OfAKnownCnp) {
  expect_icrc_right(
      hex("45c2003c718c4000401191610a0011010a001201000012b700280000"
          "8100ffff40000118000000000000000000000000000000000000000082fd002a"));
}

TEST(Icrc, OfEveryPacketOfTheKernelsCaptures) {
  for (const char* name : test::kCaptures) {
    const auto packets = test::roce_packets(name);
    EXPECT_GT(packets.size(), 280u) << name;
    for (const Bytes& p : packets) expect_icrc_right(p);
  }
}

TEST(Icrc, EveryPacketOfTheKernelsCapturesHasAKnownOpcodeAndFittingLength) {
  for (const char* name : test::kCaptures) {
    for (const Bytes& p : test::roce_packets(name)) {
      const size_t at = (p[0] >> 4 == 4 ? 20 : 40) + 8;
      const auto bth = Bth::parse(&p[at], p.size() - at);
      ASSERT_TRUE(bth);
      const OpcodeInfo& info = kOpcodes[bth->opcode];
      ASSERT_TRUE(info.has(OpcodeInfo::known)) << int(bth->opcode);
      EXPECT_GE(p.size() - at, info.header_size + bth->pad + kIcrcSize);
      EXPECT_EQ((p.size() - at) % 4, 0u);
      uint8_t again[12];
      bth->emit(again);
      EXPECT_EQ(std::memcmp(again, &p[at], 12), 0);
    }
  }
}

// The steps of a sender give the same result as a receiver's computation over the whole.
TEST(Icrc, StepsOfASenderMatchTheWhole) {
  for (const char* name : test::kCaptures) {
    for (const Bytes& p : test::roce_packets(name)) {
      const bool v4 = p[0] >> 4 == 4;
      const size_t udp = v4 ? 20 : 40;
      const auto u16 = [&](size_t i) { return static_cast<uint16_t>(p[i] << 8 | p[i + 1]); };
      uint32_t state = v4 ? icrc_begin_ipv4(&p[12], &p[16], u16(udp), u16(udp + 2), u16(udp + 4))
                          : icrc_begin_ipv6(&p[8], &p[24], u16(udp), u16(udp + 2), u16(udp + 4));
      if (v4) state ^= icrc_id_difference(u16(4));
      if (v4) {
        EXPECT_EQ(state, icrc_begin_ipv4(&p[12], &p[16], u16(udp), u16(udp + 2), u16(udp + 4), u16(4)));
      }
      // Payload in two pieces.
      const size_t headers = kOpcodes[p[udp + 8]].header_size;
      state = icrc_headers(state, &p[udp + 8], headers);
      const size_t rest = p.size() - kIcrcSize - (udp + 8 + headers);
      state = crc_update(state, &p[udp + 8 + headers], rest / 2);
      state = crc_update(state, &p[udp + 8 + headers + rest / 2], rest - rest / 2);
      uint8_t stored[4];
      icrc_store(stored, icrc_end(state));
      EXPECT_EQ(std::memcmp(stored, &p[p.size() - 4], 4), 0);
    }
  }
}

TEST(Icrc, HeadersOfAnyLengthAreMaskedOnce) {
  SeededRandom random(8);
  for (size_t n = 12; n < 400; ++n) {
    Bytes b = random_bytes(random, n);
    const uint32_t one = icrc_headers(9, b.data(), n);
    b[4] = 0xff;
    ASSERT_EQ(one, crc_update_table(9, b.data(), n)) << n;
  }
}

TEST(Icrc, FieldsThatRoutersChangeDoNotMatter) {
  Bytes p = test::roce_packets(test::kCaptures[0]).front();
  p[1] ^= 0xff;   // TOS
  p[8] ^= 0x7f;   // TTL
  p[10] ^= 0x55;  // checksum
  p[26] ^= 0x55;  // UDP checksum
  p[32] ^= 0xc0;  // FECN, BECN
  expect_icrc_right(p);
}

TEST(Icrc, EveryBitThatIsCoveredMatters) {
  const Bytes p = test::roce_packets(test::kCaptures[0]).front();
  const uint32_t icrc = icrc_load(&p[p.size() - 4]);
  for (size_t i = 0; i < p.size() - 4; ++i) {
    const bool masked = i == 1 || i == 8 || i == 10 || i == 11 || i == 26 || i == 27 || i == 32;
    if (masked || i == 0) continue;
    Bytes damaged = p;
    damaged[i] ^= 0x10;
    EXPECT_NE(icrc_of_packet(damaged.data(), damaged.size() - 4), icrc) << i;
  }
}

TEST(Icrc, OfWhatIsNoPacketIsNothing) {
  const Bytes p = test::roce_packets(test::kCaptures[0]).front();
  EXPECT_FALSE(icrc_of_packet(p.data(), 0));
  EXPECT_FALSE(icrc_of_packet(p.data(), 20 + 8 + 11));
  Bytes options = p;
  options[0] = 0x46;
  EXPECT_FALSE(icrc_of_packet(options.data(), options.size() - 4));
}

TEST(IpId, IsFoundFromTheMismatch) {
  for (const Bytes& p : test::roce_packets(test::kCaptures[1])) {
    const uint16_t id = static_cast<uint16_t>(p[4] << 8 | p[5]);
    Bytes zero = p;
    zero[4] = zero[5] = 0;
    const uint32_t difference = *icrc_of_packet(zero.data(), zero.size() - 4) ^ icrc_load(&p[p.size() - 4]);
    EXPECT_EQ(explain_ip_id(difference, static_cast<uint16_t>(p.size() - 20)), id);
  }
}

TEST(IpId, ZeroExplainsNoMismatch) { EXPECT_EQ(explain_ip_id(0, 100), 0); }

TEST(IpId, DamageIsHardlyEverExplained) {
  SeededRandom random(11);
  int explained = 0;
  for (int i = 0; i < 200'000; ++i) explained += explain_ip_id(random.next(), 4128).has_value();
  EXPECT_LT(explained, 20);  // 2^-16 of them: about 3
}

TEST(IpId, OneDamagedBitIsNeverExplained) {
  Bytes p = test::roce_packets(test::kCaptures[1]).front();
  p[4] = p[5] = 0;
  icrc_store(&p[p.size() - 4], *icrc_of_packet(p.data(), p.size() - 4));
  for (size_t bit = 28 * 8; bit < p.size() * 8; ++bit) {
    if (bit / 8 == 32) continue;  // masked
    p[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    const uint32_t difference = *icrc_of_packet(p.data(), p.size() - 4) ^ icrc_load(&p[p.size() - 4]);
    EXPECT_FALSE(explain_ip_id(difference, static_cast<uint16_t>(p.size() - 20)).has_value()) << bit;
    p[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
}

}  // namespace
}  // namespace uroce::wire
