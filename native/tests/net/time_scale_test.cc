#include "uroce/net/host/time_scale.h"

#include <gtest/gtest.h>

namespace uroce::net::test {
namespace {

TEST(TimeScale, IsOneWhereAnEmptyLookCostsWhatItUsuallyDoes) {
  EXPECT_EQ(time_scale_of(0), 1u);
  EXPECT_EQ(time_scale_of(125), 1u);
  EXPECT_EQ(time_scale_of(400), 1u);
}

TEST(TimeScale, GrowsWithTheCostOfALookAndHasAnEnd) {
  EXPECT_EQ(time_scale_of(760), 31u);
  uint64_t last = 0;
  for (uint64_t look = 0; look < 10'000; look += 50) {
    EXPECT_GE(time_scale_of(look), last);
    last = time_scale_of(look);
  }
  EXPECT_EQ(last, 64u);
  EXPECT_EQ(time_scale_of(UINT64_MAX), 64u);
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
