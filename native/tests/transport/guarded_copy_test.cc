// Copies from and to registered memory: every byte, and no other.
#include "uroce/transport/memory/guarded_copy.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace uroce::transport {
namespace {

constexpr uint32_t kMost = 600;  // short ones, and some that are not

class GuardedCopy : public ::testing::Test {
 protected:
  static constexpr uint32_t kAround = 32;
  static constexpr uint8_t kUntouched = 0xee;
  using Bytes = std::array<uint8_t, kMost + 2 * kAround>;

  template <class Copy>
  static void check(Copy copy) {
    alignas(64) Bytes from, to;
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint8_t>(i * 7 + i / 256 + 1);
    for (uint32_t length = 0; length <= kMost; ++length) {
      for (uint32_t at = 0; at < 9; ++at) {
        const uint8_t* source = &from[kAround + 8 - at];
        to.fill(kUntouched);
        Bytes expected = to;
        std::memcpy(&expected[kAround + at], source, length);
        ASSERT_TRUE(copy(&to[kAround + at], source, length));
        ASSERT_EQ(to, expected) << length << " bytes to " << at;
      }
    }
  }
};

TEST_F(GuardedCopy, Fetches) { check(fetch); }

TEST_F(GuardedCopy, Places) { check(place); }

}  // namespace
}  // namespace uroce::transport
