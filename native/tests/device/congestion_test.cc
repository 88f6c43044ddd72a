// Packets marked by the fault injector, through a whole device: the mark is in the IP header at both ends, over
// sockets and through shared memory.
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/device/fixture.h"
#include "uroce/ext/uroce.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/opcode.h"

namespace uroce::verbs::test {
namespace {

constexpr uint8_t kEcn = 3;

struct Seen {
  uint8_t direction, opcode, ecn, flags;
  uint32_t length;  // from BTH to ICRC
};

class CongestionTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    connect();
    const uroce_tap_attr attr{};
    ASSERT_EQ(uroce_tap_start(context, &attr), 0);
  }
  std::vector<Seen> seen() {
    std::vector<uint64_t> buffer(1 << 20);
    std::size_t used = 0;
    EXPECT_EQ(uroce_tap_read(context, buffer.data(), buffer.size() * 8, &used, nullptr), 0);
    std::vector<Seen> packets;
    const auto* bytes = reinterpret_cast<const uint8_t*>(buffer.data());
    for (std::size_t at = 0; at < used;) {
      uroce_tap_record record;
      std::memcpy(&record, bytes + at, sizeof record);
      const uint8_t* ip = bytes + at + sizeof record;
      const bool ipv4 = ip[0] >> 4 == 4;
      const uint32_t headers = (ipv4 ? 20 : 40) + 8;
      const auto ecn = static_cast<uint8_t>((ipv4 ? ip[1] : ip[1] >> 4) & kEcn);
      packets.push_back({record.direction, ip[headers], ecn, record.flags, record.orig_len - headers});
      at += sizeof record + (record.cap_len + 7) / 8 * 8;
    }
    return packets;
  }
  // A CNP leaves after the packet that it answers has been executed.
  bool handled(uint64_t cnps) {
    const auto end = std::chrono::steady_clock::now() + kTimeout;
    while (counters().at("rp_cnp_handled") < cnps && std::chrono::steady_clock::now() < end) {
      ibv_wc wc;
      ibv_poll_cq(cq_a, 1, &wc);
    }
    return counters().at("rp_cnp_handled") >= cnps;
  }
};

TEST_F(CongestionTest, ARuleMarksOnePacketAndItsSenderIsNotified) {
  // Lone small packets, after which a device on loopback stops to look at IP headers.
  for (int i = 0; i < 40; ++i) write_to_b(8);
  uroce_fault_rule rule{};
  rule.match = UROCE_MATCH_QPN | UROCE_MATCH_ITER;
  rule.qpn = qp_b->qp_num;
  rule.iter = 3;
  rule.action = UROCE_FAULT_MARK;
  ASSERT_EQ(uroce_set_faults(context, nullptr, &rule, 1), 0);
  const auto before = counters();
  for (int i = 0; i < 5; ++i) write_to_b(8);
  ASSERT_TRUE(handled(before.at("rp_cnp_handled") + 1));
  uint64_t marked = 0;
  ASSERT_EQ(uroce_query_fault_marks(context, &marked), 0);
  EXPECT_EQ(marked, 1u);
  const auto after = counters();
  for (const char* name : {"np_ecn_marked_roce_packets", "np_cnp_sent", "rp_cnp_handled"}) {
    EXPECT_EQ(after.at(name) - before.at(name), 1u) << name;
  }
  int out = 0, in = 0, cnps = 0;
  for (const Seen& packet : seen()) {
    const bool mark = packet.ecn == kEcn;
    (packet.direction == UROCE_DIR_TX ? out : in) += mark;
    EXPECT_EQ((packet.flags & UROCE_PKT_FAULT_MARK) != 0, mark && packet.direction == UROCE_DIR_TX);
    if (packet.opcode != wire::opcode::cnp) continue;
    ++cnps;
    EXPECT_EQ(packet.length, 12u + 16u + 4u);
  }
  EXPECT_EQ(out, 1);
  EXPECT_EQ(in, 1);
  EXPECT_EQ(cnps, 2) << "sent and received";
}

TEST_F(CongestionTest, AShareOfALongMessageIsMarked) {
  uroce_shaping shaping{};
  shaping.mark_ppm = 200'000;
  uroce_fault_rates rates{};
  rates.seed = 7;
  ASSERT_EQ(uroce_set_shaped_faults(context, &rates, nullptr, 0, &shaping), 0);
  for (int i = 0; i < 4; ++i) write_to_b(kBuffer);
  uint64_t marked = 0;
  ASSERT_EQ(uroce_query_fault_marks(context, &marked), 0);
  EXPECT_GT(marked, 4u * kBuffer / 4096 / 10);
  uint64_t out = 0, in = 0;
  for (const Seen& packet : seen()) (packet.direction == UROCE_DIR_TX ? out : in) += packet.ecn == kEcn;
  // The last ACKs may not have left, or not have arrived.
  EXPECT_LE(out, marked);
  EXPECT_GE(out, marked * 9 / 10);
  EXPECT_LE(in, out);
  EXPECT_GE(in, marked * 8 / 10);
  EXPECT_GE(counters().at("np_cnp_sent"), 1u);
}

TEST_F(CongestionTest, RefusesAShareAboveAll) {
  uroce_shaping shaping{};
  shaping.mark_ppm = 1'000'001;
  EXPECT_EQ(uroce_set_shaped_faults(context, nullptr, nullptr, 0, &shaping), EINVAL);
  EXPECT_EQ(uroce_query_fault_marks(context, nullptr), EINVAL);
}

}  // namespace
}  // namespace uroce::verbs::test
