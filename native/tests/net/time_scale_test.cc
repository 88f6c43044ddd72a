#include "uroce/net/host/time_scale.h"

#include <gtest/gtest.h>

namespace uroce::net::test {
namespace {

constexpr uint64_t kNative = 90, kEmulated = 10'000;  // ns, of 4 KiB

TEST(TimeScale, IsOneWhereAnEmptyLookCostsWhatItUsuallyDoes) {
  for (const uint64_t crc : {kNative, kEmulated}) {
    EXPECT_EQ(time_scale_of({0, crc}), 1u);
    EXPECT_EQ(time_scale_of({125, crc}), 1u);
    EXPECT_EQ(time_scale_of({400, crc}), 1u);
  }
}

TEST(TimeScale, GrowsInProportionWhereOnlyCallsAreSlow) {
  EXPECT_EQ(time_scale_of({1'050, kNative}), 2u);
  EXPECT_EQ(time_scale_of({2'000, kNative}), 5u);
  EXPECT_EQ(time_scale_of({UINT64_MAX, kNative}), 8u);
}

TEST(TimeScale, GrowsSteeplyOnAnEmulatedProcessor) {
  EXPECT_EQ(time_scale_of({760, kEmulated}), 31u);
  EXPECT_EQ(time_scale_of({UINT64_MAX, kEmulated}), 64u);
}

TEST(TimeScale, NeverShrinksWithTheCostOfALook) {
  for (const uint64_t crc : {kNative, kEmulated}) {
    uint64_t last = 0;
    for (uint64_t look = 0; look < 10'000; look += 50) {
      EXPECT_GE(time_scale_of({look, crc}), last);
      last = time_scale_of({look, crc});
    }
  }
}

TEST(TimeScale, IsMeasuredOnce) {
  EXPECT_EQ(scaled(10), 10u);
  measure_time_scale();
  const uint64_t scale = scaled(1);
  EXPECT_GE(scale, 1u);
  EXPECT_LE(scale, 64u);
  measure_time_scale();
  EXPECT_EQ(scaled(1000), 1000 * scale);
}

}  // namespace
}  // namespace uroce::net::test
