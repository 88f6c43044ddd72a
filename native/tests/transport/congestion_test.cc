// Packets that a switch has marked, and the notifications that answer them.
#include "pair.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::transport::test {
namespace {

constexpr uint8_t kCongestionExperienced = 3;

void give_marked(Side& side, const Packet& packet) {
  side.engine.on_packet(side.now, {packet.bytes.data(), static_cast<uint32_t>(packet.bytes.size()),
                                   &side.peer->address, &side.address, kCongestionExperienced});
}

std::deque<Packet> cnps(Side& side) {
  std::deque<Packet> found;
  for (const Packet& packet : side.take()) {
    if (packet.opcode() == wire::opcode::cnp) found.push_back(packet);
  }
  return found;
}

TEST(Congestion, AMarkIsAnsweredWithACnp) {
  Pair p;
  p.a.post_write(0, 10);
  give_marked(p.b, p.a.take_one());
  const auto sent = cnps(p.b);
  ASSERT_EQ(sent.size(), 1u);
  const Packet& cnp = sent.front();
  EXPECT_EQ(cnp.bth(), wire::cnp_bth(p.a.qp->qpn()));
  EXPECT_TRUE(cnp.bth().becn);
  EXPECT_EQ(cnp.bytes.size(), wire::Bth::kSize + 16);
  EXPECT_TRUE(std::all_of(cnp.bytes.begin() + wire::Bth::kSize, cnp.bytes.end(),
                          [](uint8_t byte) { return byte == 0; }));
  EXPECT_EQ(p.b.engine.counters().np_ecn_marked_roce_packets, 1u);
  EXPECT_EQ(p.b.engine.counters().np_cnp_sent, 1u);

  // The CNP itself may be marked, too: it is not answered.
  give_marked(p.a, cnp);
  EXPECT_EQ(p.a.engine.counters().rp_cnp_handled, 1u);
  EXPECT_EQ(p.a.engine.counters().np_ecn_marked_roce_packets, 0u);
  EXPECT_TRUE(cnps(p.a).empty());
}

TEST(Congestion, OneCnpInAnInterval) {
  Pair p;
  const auto marked_write = [&p] {
    p.a.post_write(0, 10);
    give_marked(p.b, p.a.take_one());
    return cnps(p.b).size();
  };
  p.a.now = p.b.now = 1'000'000;
  EXPECT_EQ(marked_write(), 1u);
  p.b.now += p.b.engine.config().cnp_interval_ns - 1;
  EXPECT_EQ(marked_write(), 0u);
  p.b.now += 1;
  EXPECT_EQ(marked_write(), 1u);
  EXPECT_EQ(p.b.engine.counters().np_ecn_marked_roce_packets, 3u);
  EXPECT_EQ(p.b.engine.counters().np_cnp_sent, 2u);
}

TEST(Congestion, ACnpNeedsRoomAndALivingQp) {
  Pair p;
  p.a.post_write(0, 10);
  give_marked(p.b, p.a.take_one());
  EXPECT_TRUE(p.b.engine.tx_pending());
  ASSERT_EQ(p.b.to(QpState::reset), 0);
  EXPECT_FALSE(p.b.engine.tx_pending());
  EXPECT_TRUE(cnps(p.b).empty());
}

}  // namespace
}  // namespace uroce::transport::test
