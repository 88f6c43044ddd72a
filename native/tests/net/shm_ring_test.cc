// The ring between two processes: order, wrap, room, and what a hostile writer or reader can do. One process
// and two threads stand for the two; shm_link_test.cc has real ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "uroce/net/shm/ring.h"

using namespace uroce::net::shm;

namespace {

class Memory {
 public:
  explicit Memory(uint32_t bytes)
      : size_(ring_memory(bytes)),
        data_(static_cast<uint8_t*>(::operator new(size_, std::align_val_t{kLine}))) {
    std::memset(data_, 0, size_);
  }
  ~Memory() { ::operator delete(data_, std::align_val_t{kLine}); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  std::span<uint8_t> span() const { return {data_, size_}; }
  RingControl& control() const { return *reinterpret_cast<RingControl*>(data_); }

 private:
  std::size_t size_;
  uint8_t* data_;
};

std::vector<uint8_t> packet_of(std::mt19937& random, uint32_t length) {
  std::vector<uint8_t> packet(length, static_cast<uint8_t>(random()));
  packet[random() % length] = static_cast<uint8_t>(random());
  return packet;
}

bool write(RingWriter& writer, const std::vector<uint8_t>& packet, const PacketInfo& info = {}) {
  uint8_t* place = writer.reserve(static_cast<uint32_t>(packet.size()));
  if (place == nullptr) return false;
  std::memcpy(place, packet.data(), packet.size());
  writer.publish(static_cast<uint32_t>(packet.size()), info);
  return true;
}

TEST(ShmRing, IsEmptyAtFirst) {
  Memory memory(kMinRing);
  RingReader reader(memory.span());
  RingReader::Packet packet;
  EXPECT_FALSE(reader.ready());
  EXPECT_FALSE(reader.pop(&packet));
  EXPECT_FALSE(reader.broken());
}

TEST(ShmRing, HandsOverThePacketAndItsIpFields) {
  Memory memory(kMinRing);
  RingWriter writer(memory.span());
  RingReader reader(memory.span());
  std::mt19937 random(1);
  const auto sent = packet_of(random, 96);
  ASSERT_TRUE(write(writer, sent, {.tos = 0xb8, .ttl = 3, .flow_label = 0xabcde}));
  EXPECT_TRUE(reader.ready());
  RingReader::Packet got;
  ASSERT_TRUE(reader.pop(&got));
  EXPECT_EQ(std::vector(got.data, got.data + got.length), sent);
  EXPECT_EQ(got.info.tos, 0xb8);
  EXPECT_EQ(got.info.ttl, 3);
  EXPECT_EQ(got.info.flow_label, 0xabcdeu);
  EXPECT_FALSE(reader.pop(&got));
}

TEST(ShmRing, ShowsNothingBeforeItIsPublished) {
  Memory memory(kMinRing);
  RingWriter writer(memory.span());
  RingReader reader(memory.span());
  ASSERT_NE(writer.reserve(4096), nullptr);
  EXPECT_FALSE(reader.ready());
}

// Random packets with random pauses on either side, against a queue.
TEST(ShmRing, HandsOverABatchAtOnce) {
  Memory memory(kMinRing);
  RingWriter writer(memory.span());
  RingReader reader(memory.span());
  RingReader::Packet packet;
  for (uint32_t i = 0; i < 3; ++i) {
    uint8_t* place = writer.reserve(96);
    ASSERT_NE(place, nullptr);
    std::memset(place, static_cast<int>(i), 96);
    writer.append(96, {});
    EXPECT_FALSE(reader.ready());
  }
  writer.release();
  for (uint32_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(reader.pop(&packet));
    EXPECT_EQ(packet.length, 96u);
    EXPECT_EQ(packet.data[0], i);
  }
  EXPECT_FALSE(reader.pop(&packet));
  writer.release();  // nothing waits
  EXPECT_FALSE(reader.ready());
}

TEST(ShmRing, HoldsBackNoMoreThanABatch) {
  Memory memory(kMinRing);
  RingWriter writer(memory.span());
  RingReader reader(memory.span());
  uint32_t held = 0;
  for (; !reader.ready() && held < 2 * kHeld; held += 128) {
    ASSERT_NE(writer.reserve(96), nullptr);
    writer.append(96, {});
  }
  EXPECT_EQ(held, kHeld);
  Memory other(kMinRing);
  RingWriter large(other.span());
  ASSERT_NE(large.reserve(kMaxPacket), nullptr);
  large.append(kMaxPacket, {});
  EXPECT_TRUE(RingReader(other.span()).ready());
}

TEST(ShmRing, NamesTheLastPacketOfEachBatch) {
  Memory memory(kMinRing);
  RingWriter writer(memory.span());
  RingReader reader(memory.span());
  const auto append = [&](uint32_t length) {
    ASSERT_NE(writer.reserve(length), nullptr);
    writer.append(length, {.tos = 7, .flow_label = 0xfffff});
  };
  for (int i = 0; i < 3; ++i) append(20);
  writer.release();
  append(20);
  writer.release();
  for (uint32_t bytes = 0; bytes < kHeld + 1024; bytes += 1024) append(1000);  // more than is held back
  writer.release();
  RingReader::Packet packet;
  std::vector<bool> last;
  while (reader.pop(&packet)) {
    EXPECT_EQ(packet.info.tos, 7);
    EXPECT_EQ(packet.info.flow_label, 0xfffffu);
    last.push_back(packet.last);
  }
  EXPECT_EQ(last, (std::vector<bool>{false, false, true, true, false, false, false, true, true}));
}

TEST(ShmRing, KeepsOrderAndBytesOverManyLaps) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Memory memory(kMinRing << (seed % 3));
    RingWriter writer(memory.span());
    RingReader reader(memory.span());
    std::deque<std::vector<uint8_t>> expected;
    uint64_t refused = 0;
    for (int step = 0; step < 20'000; ++step) {
      if (random() % 16 == 0) {
        RingReader::Packet got;
        for (uint32_t n = random() % 40; n > 0 && reader.pop(&got); --n) {
          ASSERT_FALSE(expected.empty());
          ASSERT_EQ(std::vector(got.data, got.data + got.length), expected.front());
          expected.pop_front();
        }
        if (random() % 2 == 0) reader.give_back(false);
        continue;
      }
      const uint32_t length = kMinPacket + random() % (kMaxPacket - kMinPacket + 1);
      const uint32_t room = writer.room(length, 1);
      auto packet = packet_of(random, length);
      const bool written = write(writer, packet);
      ASSERT_TRUE(written || room == 0) << "room() promised what reserve() did not keep";
      if (written) {
        expected.push_back(std::move(packet));
      } else {
        ++refused;
      }
    }
    EXPECT_GT(refused, 0u);
    EXPECT_FALSE(writer.broken());
    EXPECT_FALSE(reader.broken());
  }
}

TEST(ShmRing, HoldsTheWriterBackUntilRoomIsGivenBack) {
  Memory memory(kMinRing);
  RingWriter writer(memory.span());
  RingReader reader(memory.span());
  std::mt19937 random(7);
  const auto packet = packet_of(random, 4112);
  uint32_t written = 0;
  while (write(writer, packet)) ++written;
  EXPECT_GE(written, 14u);
  EXPECT_EQ(writer.room(4112, 1), 0u);
  RingReader::Packet got;
  while (reader.pop(&got)) {
  }
  EXPECT_EQ(writer.room(4112, 1), 0u) << "taken, not given back";
  EXPECT_FALSE(reader.give_back(false));
  EXPECT_GE(writer.room(4112, 1), 13u);
  writer.set_waiting(true);
  ASSERT_TRUE(write(writer, packet));
  ASSERT_TRUE(reader.pop(&got));
  EXPECT_TRUE(reader.give_back(false)) << "the writer waits for room";
}

// A packet whose bytes look like words of the ring, many laps long.
TEST(ShmRing, IgnoresWhatEarlierLapsLeft) {
  Memory memory(kMinRing);
  RingWriter writer(memory.span());
  RingReader reader(memory.span());
  std::vector<uint8_t> packet(4112);
  for (std::size_t at = 0; at + 8 <= packet.size(); at += 8) {
    const uint64_t word = 96 | 64ull << 24;  // a record of 96 bytes
    std::memcpy(&packet[at], &word, sizeof word);
  }
  std::mt19937 random(9);
  for (int i = 0; i < 10'000; ++i) {
    packet.resize(kMinPacket + random() % 4096, 0x60);
    ASSERT_TRUE(write(writer, packet));
    RingReader::Packet got;
    ASSERT_TRUE(reader.pop(&got));
    ASSERT_EQ(got.length, packet.size());
    ASSERT_FALSE(reader.pop(&got));
    reader.give_back(false);
  }
}

TEST(ShmRing, ClosesOnAnImpossibleReadIndex) {
  for (const uint64_t head : {uint64_t{64} << 40, uint64_t{1}, ~uint64_t{0}}) {
    Memory memory(kMinRing);
    RingWriter writer(memory.span());
    std::mt19937 random(3);
    const auto packet = packet_of(random, 4112);
    while (write(writer, packet)) {
    }
    ASSERT_FALSE(writer.broken());
    memory.control().head = head;
    EXPECT_EQ(writer.reserve(4112), nullptr);
    EXPECT_TRUE(writer.broken()) << head;
    EXPECT_EQ(writer.room(64, 1), 0u);
  }
}

TEST(ShmRing, ClosesOnAnImpossibleWriteIndex) {
  const uint64_t words[] = {1, 15, kMaxPacket + 1, 0xffff, 1ull << 53 | 96, 1ull << 63, ~0ull};
  for (const uint64_t word : words) {
    Memory memory(kMinRing);
    RingReader reader(memory.span());
    std::memcpy(memory.span().data() + kRecords, &word, sizeof word);
    RingReader::Packet got;
    EXPECT_TRUE(reader.ready());
    EXPECT_FALSE(reader.pop(&got));
    EXPECT_TRUE(reader.broken()) << std::hex << word;
  }
}

// Random bytes in a live ring: the reader takes or gives up, the writer writes or gives up, and neither leaves
// the memory of the ring (the sanitizers watch) or goes on without end.
TEST(ShmRing, SurvivesAnyBytes) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Memory memory(kMinRing);
    RingWriter writer(memory.span());
    RingReader reader(memory.span());
    for (int step = 0; step < 2'000 && !reader.broken() && !writer.broken(); ++step) {
      if (random() % 4 == 0) {
        uint8_t* at = memory.span().data() + random() % memory.span().size();
        *at = static_cast<uint8_t>(random());
      }
      const auto length = static_cast<uint32_t>(kMinPacket + random() % 4096);
      if (uint8_t* place = writer.reserve(length)) {
        std::memset(place, static_cast<int>(step), length);
        writer.publish(length, {});
      }
      RingReader::Packet got;
      if (reader.pop(&got)) {
        ASSERT_GE(got.length, kMinPacket);
        ASSERT_LE(got.length, kMaxPacket);
      }
      reader.give_back(false);
    }
  }
}

TEST(ShmRing, CarriesPacketsBetweenThreads) {
  Memory memory(kMinRing);
  constexpr uint32_t kPackets = 100'000;
  // Long ones, and runs of short ones that share a batch.
  const auto length_of = [](uint32_t i) { return kMinPacket + i * 37 % (i / 64 % 2 == 0 ? 4000 : 200); };
  std::thread sender([&] {
    RingWriter writer(memory.span());
    for (uint32_t i = 0; i < kPackets; ++i) {
      const uint32_t length = length_of(i);
      uint8_t* place;
      while ((place = writer.reserve(length)) == nullptr) {
        writer.release();
        std::this_thread::yield();
      }
      std::memset(place, static_cast<int>(i), length);
      writer.append(length, {});
      if (i % 7 == 0) writer.release();
    }
    writer.release();
  });
  RingReader reader(memory.span());
  for (uint32_t i = 0; i < kPackets;) {
    RingReader::Packet got;
    if (!reader.pop(&got)) {
      reader.give_back(false);
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(got.length, length_of(i));
    const auto all = static_cast<uint8_t>(i);
    ASSERT_TRUE(std::all_of(got.data, got.data + got.length, [all](uint8_t b) { return b == all; })) << i;
    ++i;
  }
  sender.join();
}

}  // namespace
