// Selective repeat between two queue pairs that use it, or of which one does not.
#include <algorithm>
#include <cstring>

#include "pair.h"
#include "uroce/transport/rc/arrived_header.h"

namespace uroce::transport::test {
namespace {

Options selective() {
  Options o;
  o.engine.policy.recovery = RecoveryKind::selective_repeat;
  return o;
}

// All but those at these places.
std::deque<Packet> without(const std::deque<Packet>& packets, std::initializer_list<size_t> lost) {
  std::deque<Packet> rest;
  for (size_t i = 0; i < packets.size(); ++i) {
    if (std::find(lost.begin(), lost.end(), i) == lost.end()) rest.push_back(packets[i]);
  }
  return rest;
}

TEST(SelectiveRepeat, ALossCostsOnePacket) {
  Pair p(selective());
  p.a.fill(0, 8192, 5);
  ASSERT_EQ(p.b.post_recv(0, 8192), 0);
  ASSERT_EQ(p.a.post_send(0, 8192), 0);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 8u);
  for (const Packet& packet : packets) EXPECT_TRUE(packet.bth().selective);
  p.b.give(without(packets, {2, 5}));
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.aeth().syndrome, wire::aeth::kNakSequence);
  EXPECT_EQ(nak.psn(), 1002u);
  EXPECT_EQ(ArrivedHeader::parse(nak.bytes.data() + 16, nak.bytes.size() - 16)->bits[0], 0b11011u);
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_FALSE(p.a.qp->repeats_selectively());
  p.a.give(nak);
  EXPECT_TRUE(p.a.qp->repeats_selectively());
  const auto again = p.a.take();
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].psn(), 1002u);
  EXPECT_EQ(again[1].psn(), 1005u);
  p.b.give(again);
  const Packet ack = p.b.take_one();
  EXPECT_EQ(ack.psn(), 1007u);
  EXPECT_EQ(ack.aeth().msn, 1u);
  p.a.give(ack);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.wc().byte_len, 8192u);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 8192), 0);
  EXPECT_EQ(p.a.engine.counters().retransmitted_pkts, 2u);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 0u);
}

TEST(SelectiveRepeat, AMessageIsWholeThoughItsFirstPacketComesLast) {
  Pair p(selective());
  p.a.fill(0, 4096, 6);
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  ASSERT_EQ(p.a.post_write(8192, 1024), 0);
  auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 5u);
  p.b.give({packets.rbegin(), packets.rend()});
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.poll().size(), 2u);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 4096), 0);
  EXPECT_TRUE(p.a.take().empty());
}

TEST(SelectiveRepeat, TheLastPacketLostCostsATimeoutAndOnePacket) {
  Pair p(selective());
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  const auto packets = p.a.take();
  p.b.give(without(packets, {7}));
  p.a.give(p.b.take());  // the first message's ACK
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  p.advance(ack_timeout(14));
  p.b.give(p.a.take_one());
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(SelectiveRepeat, ATimeoutSendsOnlyWhatIsMissing) {
  Pair p(selective());
  ASSERT_EQ(p.a.post_write(0, 8192), 0);
  p.b.give(without(p.a.take(), {0, 4}));
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take().size(), 2u);  // lost as well
  p.advance(ack_timeout(14));
  const auto again = p.a.take();
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].psn(), 1000u);
  EXPECT_EQ(again[1].psn(), 1004u);
  p.b.give(again);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(SelectiveRepeat, AThirdTimeoutInARowGoesBack) {
  Options o = selective();
  o.engine.timeout_window_cut = 1;
  Pair p(o);
  ASSERT_EQ(p.a.post_write(0, 8192), 0);
  p.b.give(without(p.a.take(), {0}));
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take().size(), 1u);
  std::vector<size_t> sent;
  for (int i = 0; i < 4; ++i) {
    while (p.a.engine.counters().local_ack_timeout_err == static_cast<uint64_t>(i)) p.advance_to_wake();
    sent.push_back(p.a.take().size());
  }
  EXPECT_EQ(sent, (std::vector<size_t>{1, 1, 8, 8}));
  p.advance_to_wake();
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(SelectiveRepeat, LostNaksAndAcksAreSentAgain) {
  Pair p(selective());
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  auto packets = p.a.take();
  p.b.give(packets[1]);
  p.b.take();  // lost
  p.b.give(packets[2]);
  p.a.give(p.b.take_one());
  packets = p.a.take();
  ASSERT_EQ(packets.size(), 1u) << "each NAK names all that has come";
  p.b.give(packets);
  p.a.give(p.b.take());
  p.advance(ack_timeout(14));  // the last packet's timeout
  p.b.give(p.a.take());
  p.b.take();  // the ACK is lost
  p.advance_to_wake();
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(SelectiveRepeat, ALostRetransmissionIsFoundByNewerPackets) {
  Pair p(selective());
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  p.b.give(without(p.a.take(), {1}));
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take_one().psn(), 1001u);  // lost
  ASSERT_EQ(p.a.post_write(0, 1024), 0);
  p.b.give(p.a.take_one());
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take_one().psn(), 1001u);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 0u);
}

TEST(SelectiveRepeat, AFullPoolGoesBack) {
  Options o = selective();
  o.engine.reorder_packets = 2;
  Pair p(o);
  p.a.fill(0, 8192, 7);
  ASSERT_EQ(p.a.post_write(0, 8192), 0);
  p.b.give(without(p.a.take(), {2}));
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.bytes.size(), 16u) << "as the specification has it";
  p.a.give(nak);
  EXPECT_EQ(p.a.take().front().psn(), 1002u);
  p.advance_to_wake();
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 8192), 0);
}

TEST(SelectiveRepeat, TowardsAPeerWithoutItIsGoBackN) {
  const auto again = [](const Options& a, const Options& b) {
    Pair p(a, b);
    EXPECT_EQ(p.a.post_write(0, 8192), 0);
    p.b.give(without(p.a.take(), {2}));
    const Packet nak = p.b.take_one();
    EXPECT_EQ(nak.bytes.size(), 16u);
    p.a.give(nak);
    EXPECT_FALSE(p.a.qp->repeats_selectively());
    EXPECT_FALSE(p.b.qp->repeats_selectively());
    return p.a.take().size();
  };
  EXPECT_EQ(again(selective(), {}), 6u);
  EXPECT_EQ(again({}, selective()), 6u);
}

TEST(SelectiveRepeat, AQueuePairWithoutItTakesItsNakAsAnyOther) {
  Pair p;
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  p.a.take();
  Packet nak;
  nak.bytes.resize(24);
  wire::Bth bth;
  bth.opcode = wire::opcode::acknowledge;
  bth.selective = true;
  bth.dest_qpn = p.a.qp->qpn();
  bth.psn = 1001;
  bth.emit(nak.bytes.data());
  wire::Aeth{wire::aeth::kNakSequence, 0}.emit(nak.bytes.data() + 12);
  nak.bytes[23] = 1;
  p.a.give(nak);
  EXPECT_EQ(p.a.take().size(), 3u);
  bth.selective = false;
  bth.emit(nak.bytes.data());
  p.a.give(nak);
  EXPECT_EQ(p.a.engine.counters().malformed_pkts, 1u) << "no ACK is that long";
}

TEST(SelectiveRepeat, WithoutAReceiveWhatWasHeldIsGivenUp) {
  Pair p(selective());
  p.a.fill(0, 8192, 8);
  ASSERT_EQ(p.b.post_recv(0, 2048), 0);
  for (uint32_t i = 0; i < 4; ++i) ASSERT_EQ(p.a.post_send(2048 * i, 2048), 0);
  p.b.give(without(p.a.take(), {1}));
  p.a.give(p.b.take());
  p.b.give(p.a.take_one());
  const Packet rnr = p.b.take_one();
  EXPECT_EQ(rnr.aeth().syndrome & wire::aeth::kKindMask, wire::aeth::kRnrNak);
  EXPECT_EQ(rnr.psn(), 1002u);
  EXPECT_EQ(p.b.wc().byte_len, 2048u);
  for (uint32_t i = 1; i < 4; ++i) ASSERT_EQ(p.b.post_recv(2048 * i, 2048), 0);
  // Also if the NAK is lost: the requester learns that what it knew is wrong.
  p.advance(ack_timeout(14));
  p.run();
  EXPECT_EQ(p.a.poll().size(), 4u);
  EXPECT_EQ(p.b.poll().size(), 3u);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 8192), 0);
  EXPECT_EQ(p.a.engine.counters().rcvd_rnr_err, 0u);
}

TEST(SelectiveRepeat, ReadsAndAtomicsWaitForTheirTurn) {
  Pair p(selective());
  p.b.fill(0, 4096, 9);
  p.b.set_word(8192, 41);
  ASSERT_EQ(p.a.post_write(16384, 2048), 0);
  ASSERT_EQ(p.a.post_read(0, 4096), 0);
  ASSERT_EQ(p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 32768, 8192, 1), 0);
  ASSERT_EQ(p.a.post_write(20480, 2048), 0);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 6u);
  p.b.give(without(packets, {0, 2}));
  EXPECT_EQ(p.b.word(8192), 41u);
  p.a.give(p.b.take_one());
  const auto again = p.a.take();
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[1].opcode(), wire::opcode::read_request);
  p.b.give(again);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.poll().size(), 4u);
  EXPECT_EQ(p.b.word(8192), 42u);
  EXPECT_EQ(p.a.word(32768), 41u);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 4096), 0);
}

TEST(SelectiveRepeat, ALostReadResponseIsAskedForAndNoWriteSentAgain) {
  Pair p(selective());
  p.b.fill(0, 8192, 10);
  ASSERT_EQ(p.a.post_read(0, 4096), 0);
  ASSERT_EQ(p.a.post_read(4096, 4096), 0);
  ASSERT_EQ(p.a.post_write(16384, 4096), 0);
  p.b.give(p.a.take());
  const auto responses = p.b.take();
  ASSERT_EQ(responses.size(), 9u);
  p.a.give(without(responses, {1}));
  const auto again = p.a.take();
  ASSERT_EQ(again.size(), 2u) << "the rest of the first READ, and the second";
  EXPECT_EQ(again[0].psn(), 1001u);
  p.b.give(again);
  p.a.give(p.b.take());
  p.advance(ack_timeout(14));
  p.run();
  EXPECT_EQ(p.a.poll().size(), 3u);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 8192), 0);
}

TEST(SelectiveRepeat, AnErrorAndAResetGiveTheRoomBack) {
  Options o = selective();
  o.engine.reorder_packets = 3;
  Pair p(o);
  for (const QpState state : {QpState::reset, QpState::err}) {
    ASSERT_EQ(p.a.post_write(0, 4096), 0);
    p.b.give(without(p.a.take(), {0}));
    EXPECT_GT(p.b.take_one().bytes.size(), 16u) << "all three are held";
    ASSERT_EQ(p.b.to(state), 0);
    EXPECT_TRUE(p.b.take().empty());
    for (Side* side : {&p.a, &p.b}) ASSERT_EQ(side->to(QpState::reset), 0);
    p.a.poll();
    p.connect();
  }
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  p.b.give(without(p.a.take(), {0}));
  EXPECT_GT(p.b.take_one().bytes.size(), 16u);
}

TEST(SelectiveRepeat, TheWindowIsNoLargerThanANakCanName) {
  Options o = selective();
  o.engine.window_packets = 1 << 16;
  o.engine.window_bytes = 1 << 30;
  o.engine.engine_window_bytes = 1 << 30;
  Pair p(o);
  ASSERT_EQ(p.a.post_write(0, 1 << 20), 0);
  EXPECT_EQ(p.a.take().size(), SelectiveRepeat::kReach);
}

TEST(SelectiveRepeat, WorksForHeadersAlone) {
  Options o = selective();
  o.engine.carry_payload = false;
  Pair p(o);
  ASSERT_EQ(p.b.post_recv(0, 4096), 0);
  ASSERT_EQ(p.a.post_send(0, 4096), 0);
  const auto give = [&p](const std::deque<Packet>& packets) {
    for (const Packet& packet : packets) {
      const auto length = static_cast<uint32_t>(packet.bytes.size());
      std::vector<uint8_t> headers(packet.bytes.begin(),
                                   packet.bytes.begin() + wire::kOpcodes[packet.opcode()].header_size);
      p.b.engine.on_packet(p.b.now, {headers.data(), length, &p.a.address, &p.b.address});
    }
  };
  give(without(p.a.take(), {1}));
  p.a.give(p.b.take_one());
  give(p.a.take());
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.wc().byte_len, 4096u);
}

}  // namespace
}  // namespace uroce::transport::test
