#include "bench/ring.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace vlbench {
namespace {

std::vector<uint32_t> make_words(uint32_t capacity) {
  std::vector<uint32_t> words(kRingHeaderWords + size_t{capacity} * kRecordWords);
  words[48] = capacity;
  return words;
}

CompletionRecord record(uint32_t n) {
  return {
      .t_ns = uint64_t{n} << 20, .wr_id = n, .batch = 1, .qpn = 7, .meta = 0, .byte_len = n, .latency_ns = n};
}

TEST(Ring, RefusesWhenFullAndCountsDrops) {
  auto words = make_words(64);
  RingWriter ring(words);
  ASSERT_TRUE(ring);
  for (uint32_t i = 0; i < 64; ++i) ASSERT_TRUE(ring.push(record(i)));
  EXPECT_FALSE(ring.push(record(64)));
  ring.drop();
  EXPECT_EQ(ring.dropped(), 1u);
  EXPECT_EQ(words[32], 1u);
  EXPECT_EQ(words[0], 64u);
  words[16] = 10;  // the reader took ten
  for (uint32_t i = 0; i < 10; ++i) ASSERT_TRUE(ring.push(record(100 + i)));
  EXPECT_FALSE(ring.push(record(0)));
  EXPECT_EQ(ring.written(), 74u);
}

TEST(Ring, RefusesMemoryThatIsNoRing) {
  std::vector<uint32_t> words(100);
  EXPECT_FALSE(RingWriter(words));
  words[48] = 3;
  EXPECT_FALSE(RingWriter(words));
  words[48] = 1024;  // more than there is
  EXPECT_FALSE(RingWriter(words));
}

TEST(Ring, LosesNothingBetweenThreads) {
  constexpr uint32_t kCount = 1'000'000;
  auto words = make_words(256);
  std::thread writer([&] {
    RingWriter ring(words);
    for (uint32_t i = 0; i < kCount;) {
      if (ring.push(record(i))) {
        ++i;
      } else {
        std::this_thread::yield();
      }
    }
  });
  std::atomic_ref<uint32_t> written(words[0]);
  std::atomic_ref<uint32_t> read(words[16]);
  for (uint32_t next = 0; next < kCount;) {
    const uint32_t end = written.load(std::memory_order_acquire);
    if (end == next) std::this_thread::yield();
    for (; next != end; ++next) {
      const uint32_t* at = words.data() + kRingHeaderWords + size_t{next & 255} * kRecordWords;
      ASSERT_EQ(at[2], next);
      ASSERT_EQ(at[7], next);
    }
    read.store(next, std::memory_order_release);
  }
  writer.join();
}

}  // namespace
}  // namespace vlbench
