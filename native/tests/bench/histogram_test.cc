#include "bench/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

namespace vlbench {
namespace {

TEST(HistogramLayout, IndexAndValueAreInverse) {
  for (uint64_t value :
       {0ull, 1ull, 1023ull, 1024ull, 2047ull, 2048ull, 4095ull, 4096ull, 1'000'000ull, 600'000'000'000ull}) {
    const size_t index = hdr::index_of(value);
    EXPECT_LE(hdr::value_of(index), value);
    EXPECT_GE(hdr::highest_of(index), value);
    EXPECT_LT(index, hdr::kSlots);
  }
  // Slots follow each other without gap or overlap.
  for (size_t i = 0; i + 1 < hdr::kSlots; ++i) ASSERT_EQ(hdr::highest_of(i) + 1, hdr::value_of(i + 1)) << i;
}

TEST(HistogramLayout, ThreeDigits) {
  std::mt19937_64 random(20261120);
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t value = random() % hdr::kHighest + 1;
    const size_t index = hdr::index_of(value);
    const double width = static_cast<double>(hdr::highest_of(index) - hdr::value_of(index));
    ASSERT_LE(width / static_cast<double>(value), 0.001) << value;
  }
}

TEST(Histogram, PercentilesAgreeWithSortedValues) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> draw(9, 1.5);
  Histogram histogram;
  std::vector<uint64_t> values;
  for (int i = 0; i < 100'000; ++i) {
    values.push_back(static_cast<uint64_t>(draw(random)));
    histogram.record(values.back());
  }
  std::sort(values.begin(), values.end());
  for (double percent : {0.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const auto rank = std::max<size_t>(
        1, static_cast<size_t>(std::ceil(percent / 100 * static_cast<double>(values.size()) - 1e-6)));
    const auto exact = static_cast<double>(values[rank - 1]);
    EXPECT_NEAR(static_cast<double>(histogram.percentile(percent)), exact, std::max(1.0, exact * 0.001))
        << percent;
  }
  const LatencySummary summary = histogram.summary();
  EXPECT_EQ(summary.count, values.size());
  EXPECT_EQ(summary.p50, histogram.percentile(50));
  EXPECT_EQ(summary.p90, histogram.percentile(90));
  EXPECT_EQ(summary.p99, histogram.percentile(99));
  EXPECT_EQ(summary.p999, histogram.percentile(99.9));
  EXPECT_NEAR(static_cast<double>(summary.max), static_cast<double>(values.back()),
              static_cast<double>(values.back()) * 0.001);
}

TEST(Histogram, APercentileIsTheSmallestValueThatItsShareDoesNotExceed) {
  Histogram histogram;
  for (uint64_t value : {1, 2, 3, 4}) histogram.record(value);
  EXPECT_EQ(histogram.percentile(50), 2u);
  // 2.04 of 4 values: two are too few.
  EXPECT_EQ(histogram.percentile(51), 3u);
}

TEST(Histogram, EmptyHasNoFigures) {
  const Histogram histogram;
  EXPECT_EQ(histogram.percentile(50), 0u);
  EXPECT_EQ(histogram.summary().max, 0u);
  EXPECT_EQ(histogram.encode().size(), 41u);
}

TEST(Histogram, LongerThanTenMinutesCountsAsTenMinutes) {
  Histogram histogram;
  histogram.record(UINT64_MAX);
  EXPECT_EQ(histogram.count(), 1u);
  EXPECT_GE(histogram.percentile(100), hdr::kHighest);
}

TEST(Histogram, MergeIsTheSum) {
  std::mt19937_64 random(3);
  Histogram all, left, right;
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t value = random() % 50'000'000;
    all.record(value);
    (i % 3 == 0 ? left : right).record(value);
  }
  left.merge(right);
  EXPECT_EQ(left.encode(), all.encode());
  EXPECT_EQ(left.count(), all.count());
  left.clear();
  EXPECT_EQ(left.encode(), Histogram().encode());
}

TEST(Histogram, EncodingIsV2) {
  Histogram histogram;
  histogram.record(1);
  histogram.record(5, 300);
  const std::vector<uint8_t> bytes = histogram.encode();
  // Cookie, payload length 6, offset 0, 3 digits, lowest 1, highest 6e11, ratio 1.0; then
  // one zero (0), count 1 (zigzag 2), three zeros (zigzag of -3 is 5), 300 (zigzag 600: d8 04).
  const std::vector<uint8_t> expected = {0x1c, 0x84, 0x93, 0x13, 0,    0,    0,    5,    0,    0,    0, 0,
                                         0,    0,    0,    3,    0,    0,    0,    0,    0,    0,    0, 1,
                                         0,    0,    0,    0x8b, 0xb2, 0xc9, 0x70, 0,    0x3f, 0xf0, 0, 0,
                                         0,    0,    0,    0,    0x00, 0x02, 0x05, 0xd8, 0x04};
  EXPECT_EQ(bytes, expected);
}

TEST(SharedHistogram, IntervalsAddUpWhileAnotherThreadWrites) {
  SharedHistogram shared;
  constexpr uint64_t kCount = 2'000'000;
  std::thread writer([&] {
    for (uint64_t i = 0; i < kCount; ++i) shared.record(i % 5000 * 100);
  });
  Histogram seen, sum;
  while (seen.count() < kCount) {
    Histogram interval;
    shared.read_since(seen, interval);
    sum.merge(interval);
  }
  writer.join();
  EXPECT_EQ(sum.count(), kCount);
  EXPECT_EQ(sum.encode(), seen.encode());
}

}  // namespace
}  // namespace vlbench
