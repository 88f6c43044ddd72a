// A record buffer keeps accepted records whole, never waits, and counts the rest.
#include "uroce/feed/record_buffer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace uroce::feed {
namespace {

uint64_t word(std::span<const uint8_t> bytes, std::size_t i) {
  uint64_t value;
  std::memcpy(&value, bytes.data() + 8 * i, sizeof value);
  return value;
}

TEST(RecordBuffer, KeepsRecordsInOrderOnMultiplesOfEight) {
  RecordBuffer buffer(1024, 10, 10);
  const char head[] = {'a', 'b', 'c'};
  const char body[] = {'d', 'e', 'f', 'g', 'h', 'i'};
  EXPECT_TRUE(buffer.put(head, sizeof head, body, sizeof body));
  EXPECT_TRUE(buffer.put(head, sizeof head));
  uint64_t dropped;
  const auto taken = buffer.swap_out(&dropped);
  EXPECT_EQ(dropped, 0u);
  EXPECT_EQ(std::string(taken.begin(), taken.end()), std::string("abcdefghi\0\0\0\0\0\0\0abc\0\0\0\0\0", 24));
  EXPECT_TRUE(buffer.swap_out(&dropped).empty());
}

TEST(RecordBuffer, CountsWhatHasNoRoomOrIsBeyondTheNumber) {
  RecordBuffer buffer(64, 4, 4);
  const uint8_t record[24] = {};
  EXPECT_TRUE(buffer.put(record, sizeof record));
  EXPECT_TRUE(buffer.put(record, sizeof record));
  EXPECT_FALSE(buffer.put(record, sizeof record));  // 16 bytes are left
  EXPECT_TRUE(buffer.put(record, 8));
  EXPECT_TRUE(buffer.open());
  EXPECT_TRUE(buffer.put(record, 8));
  EXPECT_FALSE(buffer.open());
  EXPECT_FALSE(buffer.put(record, 0));
  buffer.drop(5);
  uint64_t dropped;
  EXPECT_EQ(buffer.swap_out(&dropped).size(), 64u);
  EXPECT_EQ(dropped, 7u);
  EXPECT_TRUE(buffer.open());
  EXPECT_TRUE(buffer.put(record, 8));
}

TEST(RecordBuffer, SavesUpWhatIsNotUsed) {
  RecordBuffer buffer(1024, 2, 5);
  uint64_t dropped;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(buffer.put("x", 1));
  EXPECT_FALSE(buffer.put("x", 1));
  buffer.swap_out(&dropped);
  EXPECT_EQ(dropped, 1u);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(buffer.put("x", 1));
  EXPECT_FALSE(buffer.put("x", 1));
  for (int i = 0; i < 9; ++i) buffer.swap_out(&dropped);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(buffer.put("x", 1));
  EXPECT_FALSE(buffer.put("x", 1));
}

TEST(RecordBuffer, LetsNothingInOnceClosed) {
  RecordBuffer buffer(64, 4, 4);
  buffer.close();
  EXPECT_FALSE(buffer.open());
  EXPECT_FALSE(buffer.put("x", 1));
  uint64_t dropped;
  EXPECT_TRUE(buffer.swap_out(&dropped).empty());
  EXPECT_FALSE(buffer.open());
}

// Every record is either taken, whole and once, or counted.
TEST(RecordBuffer, LosesNothingUncountedAmongThreads) {
  constexpr uint64_t kThreads = 4, kEach = 50'000;
  RecordBuffer buffer(16 * 1024, 1000, 1000);
  std::atomic<uint64_t> running{kThreads}, put{0}, taken{0};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      // If the collector loses its core while it holds the buffer, all of kEach may find no room.
      uint64_t i = 0;
      for (; i < kEach || (taken.load() == 0 && i < 100 * kEach); ++i) {
        const uint64_t record[2] = {t << 32 | i, ~(t << 32 | i)};
        buffer.put(record, sizeof record[0], &record[1], sizeof record[1]);
      }
      put += i;
      --running;
    });
  }
  uint64_t lost = 0;
  std::vector<int64_t> last(kThreads, -1);
  const auto collect = [&] {
    uint64_t dropped;
    const auto records = buffer.swap_out(&dropped);
    lost += dropped;
    for (std::size_t i = 0; i + 1 < records.size() / 8; i += 2) {
      ASSERT_EQ(word(records, i), ~word(records, i + 1));
      const auto number = static_cast<int64_t>(word(records, i) & 0xffff'ffff);
      int64_t& before = last[word(records, i) >> 32];
      ASSERT_LT(before, number);
      before = number;
      ++taken;
    }
  };
  while (running.load() > 0) collect();
  for (std::thread& thread : threads) thread.join();
  collect();
  EXPECT_EQ(taken.load() + lost, put.load());
  EXPECT_GT(taken.load(), 0u);
}

}  // namespace
}  // namespace uroce::feed
