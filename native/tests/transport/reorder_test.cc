// The pool of packets that came ahead of their turn.
#include "uroce/transport/policy/reorder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "uroce/transport/rc/arrived_header.h"

namespace uroce::transport::test {
namespace {

using Result = ReorderPool::Result;

class Reorder : public testing::Test {
 protected:
  Reorder() { pool.open(4, 16); }
  Result hold(HeldPackets& list, uint64_t psn) {
    std::array<uint8_t, 16> bytes;
    bytes.fill(static_cast<uint8_t>(psn));
    return pool.hold(list, psn, bytes, 100);
  }
  ReorderPool pool;
  HeldPackets list, other;
};

TEST_F(Reorder, GivesPacketsBackInTheirOrder) {
  for (const uint64_t psn : {13u, 12u, 15u, 14u}) EXPECT_EQ(hold(list, psn), Result::kept);
  EXPECT_EQ(pool.take(list, 11), HeldPackets::kNone) << "it has not come";
  for (uint64_t psn = 12; psn <= 15; ++psn) {
    const uint16_t place = pool.take(list, psn);
    ASSERT_NE(place, HeldPackets::kNone);
    EXPECT_EQ(pool.at(place).psn, psn);
    EXPECT_EQ(pool.at(place).len, 100u);
    EXPECT_EQ(*pool.bytes(place), psn);
    pool.give_back(place);
  }
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(pool.held(), 0u);
}

TEST_F(Reorder, KeepsOneCopyAndNoMoreThanItHasRoomFor) {
  EXPECT_EQ(hold(list, 20), Result::kept);
  EXPECT_EQ(hold(list, 20), Result::there);
  EXPECT_EQ(hold(list, 18), Result::kept);
  EXPECT_EQ(hold(list, 18), Result::there);
  EXPECT_EQ(hold(other, 20), Result::kept) << "of another queue pair";
  EXPECT_EQ(hold(list, 19), Result::kept);
  EXPECT_EQ(hold(list, 21), Result::full);
  EXPECT_EQ(hold(list, 19), Result::there) << "also when it is full";
  pool.release(list);
  EXPECT_EQ(pool.held(), 1u);
  EXPECT_EQ(hold(other, 21), Result::kept);
  const std::array<uint8_t, 17> longer{};
  EXPECT_EQ(pool.hold(other, 22, longer, 17), Result::full) << "longer than a place";
}

TEST_F(Reorder, DropsWhatIsBehind) {
  for (const uint64_t psn : {30u, 31u, 35u}) hold(list, psn);
  const uint16_t place = pool.take(list, 35);
  ASSERT_NE(place, HeldPackets::kNone);
  pool.give_back(place);
  EXPECT_EQ(pool.held(), 0u);
}

TEST_F(Reorder, NamesWhatHasArrived) {
  EXPECT_EQ(pool.arrived(list, 10).words, 0u);
  for (const uint64_t psn : {11u, 74u, 75u, 300u}) hold(list, psn);
  const Arrived arrived = pool.arrived(list, 10);
  ASSERT_EQ(arrived.words, 2u) << "300 is too far ahead to be named";
  EXPECT_EQ(arrived.bits[0], 1u | 1ull << 63);
  EXPECT_EQ(arrived.bits[1], 1u);
  uint8_t bytes[32];
  const uint32_t length = ArrivedHeader::emit(arrived, bytes);
  EXPECT_EQ(length, 16u);
  EXPECT_EQ(bytes[7], 1) << "big-endian";
  EXPECT_EQ(ArrivedHeader::parse(bytes, length), arrived);
  for (const size_t wrong : {0u, 4u, 12u, 40u}) EXPECT_FALSE(ArrivedHeader::parse(bytes, wrong)) << wrong;
}

TEST_F(Reorder, WithoutRoomHoldsNothing) {
  ReorderPool none;
  EXPECT_EQ(none.hold(list, 1, {}, 0), Result::full);
  none.open(0, 16);
  EXPECT_EQ(none.hold(list, 1, {}, 0), Result::full);
}

}  // namespace
}  // namespace uroce::transport::test
