#include "uroce/net/host/tempo.h"

#include <gtest/gtest.h>

namespace uroce::test {
namespace {

TEST(Tempo, IsOneWhereAnEmptyLookCostsWhatItUsuallyDoes) {
  EXPECT_EQ(tempo_of(0), 1u);
  EXPECT_EQ(tempo_of(125), 1u);
  EXPECT_EQ(tempo_of(400), 1u);
}

TEST(Tempo, GrowsWithTheCostOfALookAndHasAnEnd) {
  EXPECT_EQ(tempo_of(760), 31u);
  uint64_t last = 0;
  for (uint64_t look = 0; look < 10'000; look += 50) {
    EXPECT_GE(tempo_of(look), last);
    last = tempo_of(look);
  }
  EXPECT_EQ(last, 64u);
  EXPECT_EQ(tempo_of(UINT64_MAX), 64u);
}

TEST(Tempo, IsMeasuredOnce) {
  EXPECT_EQ(paced(10), 10u);
  measure_tempo();
  const uint64_t tempo = paced(1);
  EXPECT_GE(tempo, 1u);
  EXPECT_LE(tempo, 64u);
  measure_tempo();
  EXPECT_EQ(paced(1000), 1000 * tempo);
}

}  // namespace
}  // namespace uroce::test
