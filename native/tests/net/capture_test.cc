#include <errno.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "tests/net/packets.h"
#include "uroce/net/host/clock.h"
#include "uroce/net/port/roce_port.h"
#include "uroce/net/tap/pcapng.h"
#include "uroce/net/tap/tap_link.h"
#include "uroce/net/tap/tap_ring.h"
#include "uroce/random.h"

namespace uroce::net::test {
namespace {

CapturedPacket captured(uint32_t length, uint64_t time = 1, uint8_t fill = 0xab) {
  static std::vector<uint8_t> bytes;
  bytes.assign(length, fill);
  CapturedPacket p;
  p.time_ns = time;
  p.header_length = 28;
  std::memset(p.header, 0x45, sizeof p.header);
  p.payload = bytes.data();
  p.payload_length = length;
  return p;
}

std::vector<uroce_tap_record> read_all(TapRing& ring) {
  std::vector<uroce_tap_record> records;
  alignas(8) uint8_t buffer[512];
  std::size_t used = 0;
  while (ring.read(buffer, sizeof buffer, &used) == 0 && used > 0) {
    for (std::size_t at = 0; at < used;) {
      uroce_tap_record record;
      std::memcpy(&record, buffer + at, sizeof record);
      records.push_back(record);
      at += (sizeof record + record.cap_len + 7) & ~std::size_t{7};
    }
  }
  return records;
}

TEST(TapRing, KeepsTheNewestAndCountsTheRest) {
  TapRing ring({.max_packets = 0, .snap_len = 0, .max_bytes = 1000, .mode = UROCE_TAP_RING, .reserved = 0});
  for (uint32_t i = 0; i < 100; ++i) ring.on_packet(captured(10 + i % 50));
  const auto records = read_all(ring);
  ASSERT_FALSE(records.empty());
  EXPECT_EQ(records.back().seq, 99u);
  EXPECT_EQ(records.size() + ring.dropped(), 100u);
  for (std::size_t i = 1; i < records.size(); ++i) EXPECT_EQ(records[i].seq, records[i - 1].seq + 1);
}

TEST(TapRing, KeepsTheOldestIfToldSo) {
  TapRing ring({.max_packets = 3, .snap_len = 0, .max_bytes = 0, .mode = UROCE_TAP_KEEP, .reserved = 0});
  for (uint32_t i = 0; i < 5; ++i) ring.on_packet(captured(10));
  const auto records = read_all(ring);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[2].seq, 2u);
  EXPECT_EQ(ring.dropped(), 2u);
}

TEST(TapRing, CutsAtTheSnapLength) {
  TapRing ring({.max_packets = 0, .snap_len = 40, .max_bytes = 0, .mode = UROCE_TAP_RING, .reserved = 0});
  ring.on_packet(captured(100));
  const auto records = read_all(ring);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].cap_len, 40u);
  EXPECT_EQ(records[0].orig_len, 128u);
}

TEST(TapRing, SaysWhenTheBufferIsTooSmall) {
  TapRing ring({});
  ring.on_packet(captured(100));
  alignas(8) uint8_t buffer[32];
  std::size_t used = 7;
  EXPECT_EQ(ring.read(buffer, sizeof buffer, &used), ENOSPC);
  EXPECT_EQ(used, 0u);
}

TEST(TapRing, SurvivesEverySizeInEveryOrder) {
  TapRing ring({.max_packets = 7, .snap_len = 0, .max_bytes = 700, .mode = UROCE_TAP_RING, .reserved = 0});
  SeededRandom random(7);
  uint64_t read = 0;
  for (uint32_t i = 0; i < 20'000; ++i) {
    ring.on_packet(captured(random.below(800)));
    if (random.below(5) == 0) read += read_all(ring).size();
  }
  read += read_all(ring).size();
  EXPECT_EQ(read + ring.dropped(), 20'000u);
}

class List final : public PacketConsumer {
 public:
  struct Entry {
    uint8_t direction, flags;
    std::vector<uint8_t> bytes;
  };
  void on_packet(const CapturedPacket& p) override {
    Entry e{p.direction, p.flags, {p.header, p.header + p.header_length}};
    e.bytes.insert(e.bytes.end(), p.payload, p.payload + p.payload_length);
    entries.push_back(e);
  }
  std::vector<Entry> entries;
};

TEST(TapLink, ShowsEveryPacketWithTheHeaderItsIcrcWasMadeOn) {
  FakeLink below;
  TapLink tap(below);
  List list;
  tap.add(&list);
  RocePort port(tap, kModern);
  const Flow flow = make_flow(ipv4(10, 0, 0, 1), ipv4(10, 0, 0, 2));
  for (uint32_t psn = 0; psn < 10; ++psn) port.emit(*TestPacket(flow, 0x1002, psn, 100));
  port.flush();
  ASSERT_EQ(list.entries.size(), 10u);
  for (const auto& e : list.entries) {
    EXPECT_EQ(e.direction, UROCE_DIR_TX);
    EXPECT_EQ(*wire::icrc_of_packet(e.bytes.data(), e.bytes.size() - 4), icrc_on_wire(e.bytes));
  }
}

TEST(TapLink, FindsTheIdentificationOfWhatArrives) {
  FakeLink below;
  TapLink tap(below);
  List list;
  tap.add(&list);
  RocePort port(tap, kModern);
  const Flow flow = make_flow(below.source, below.destination);
  for (uint16_t id : {0, 5, 127, 4000}) {
    const auto packet = wire_packet(flow, 1, 50, id);
    below.incoming.emplace_back(packet, static_cast<uint32_t>(packet.size()));
  }
  auto bad = wire_packet(flow, 1, 50, 0);
  bad[20] ^= 1;
  bad[31] ^= 7;
  below.incoming.emplace_back(bad, static_cast<uint32_t>(bad.size()));
  below.same_host = false;
  Collector got;
  port.receive(got, 100);
  ASSERT_EQ(list.entries.size(), 5u);
  for (int i = 0; i < 4; ++i) {
    const auto& bytes = list.entries[i].bytes;
    EXPECT_EQ(list.entries[i].flags, 0);
    EXPECT_EQ(*wire::icrc_of_packet(bytes.data(), bytes.size() - 4), icrc_on_wire(bytes)) << i;
  }
  EXPECT_EQ(list.entries[4].flags, UROCE_PKT_BAD_ICRC);
  EXPECT_EQ(got.psns.size(), 4u);
}

TEST(Pcapng, WritesBlocksThatAddUp) {
  const std::string path = ::testing::TempDir() + "uroce-test.pcapng";
  {
    auto writer = PcapngWriter::open(path);
    ASSERT_TRUE(writer);
    for (uint32_t i = 0; i < 5; ++i) (*writer)->on_packet(captured(33 + i, now_ns()));
    auto dropped = captured(9, now_ns());
    dropped.flags = UROCE_PKT_FAULT_DROP;
    (*writer)->on_packet(dropped);
    EXPECT_EQ((*writer)->flush(), 0);
  }
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const auto word = [&](std::size_t at) {
    uint32_t v;
    std::memcpy(&v, &bytes[at], 4);
    return v;
  };
  std::vector<uint32_t> types;
  for (std::size_t at = 0; at < bytes.size(); at += word(at + 4)) {
    ASSERT_LE(at + word(at + 4), bytes.size());
    EXPECT_EQ(word(at + 4) % 4, 0u);
    EXPECT_EQ(word(at + word(at + 4) - 4), word(at + 4));
    types.push_back(word(at));
  }
  EXPECT_EQ(types, (std::vector<uint32_t>{0x0a0d0d0a, 1, 6, 6, 6, 6, 6}));
  std::remove(path.c_str());
}

TEST(Pcapng, SaysWhyItCannotOpen) { EXPECT_EQ(PcapngWriter::open("/nonexistent/x.pcapng").error(), ENOENT); }

}  // namespace
}  // namespace uroce::net::test
