// Each operation once, end to end, without loss.
#include "pair.h"

namespace uroce::transport::test {
namespace {

namespace op = wire::opcode;

TEST(Write, MovesBytesAndCompletes) {
  Pair p;
  p.a.fill(0, 5000, 7);
  ASSERT_EQ(p.a.post_write(0, 5000), 0);
  p.run();
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 5000), 0);
  const Completion wc = p.a.wc();
  EXPECT_EQ(wc.status, WcStatus::success);
  EXPECT_EQ(wc.opcode, WcOpcode::rdma_write);
  EXPECT_EQ(wc.wr_id, 1u);
  EXPECT_EQ(wc.byte_len, 5000u);
  EXPECT_EQ(wc.qp_num, p.a.qp->qpn());
  EXPECT_TRUE(p.b.poll().empty());
}

TEST(Write, IsSegmentedAtThePathMtu) {
  Pair p;
  ASSERT_EQ(p.a.post_write(0, 1024 * 2 + 1), 0);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets[0].opcode(), op::write_first);
  EXPECT_EQ(packets[1].opcode(), op::write_middle);
  EXPECT_EQ(packets[2].opcode(), op::write_last);
  EXPECT_EQ(packets[0].payload(), 1024u);
  EXPECT_EQ(packets[2].payload(), 1u);
  EXPECT_EQ(packets[2].bth().pad, 3);
  EXPECT_FALSE(packets[1].bth().ack_req);
  EXPECT_TRUE(packets[2].bth().ack_req);
  EXPECT_EQ(packets[0].psn(), 1000u);
  EXPECT_EQ(packets[2].psn(), 1002u);
}

TEST(Write, OfAWholeMtuIsOnePacket) {
  Pair p;
  ASSERT_EQ(p.a.post_write(0, 1024), 0);
  EXPECT_EQ(p.a.take_one().opcode(), op::write_only);
}

TEST(Write, OfZeroBytesNeedsNoKey) {
  Pair p;
  SendWr w = p.a.wr(WrOpcode::rdma_write, nullptr, 0, 0, 0xdead);
  w.remote_addr = 1;
  ASSERT_EQ(p.a.post(w), 0);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(Write, WithImmediateCompletesAReceive) {
  Pair p;
  p.a.fill(100, 3000, 3);
  ASSERT_EQ(p.b.post_recv(0, 0), 0);
  ASSERT_EQ(p.a.post_op(WrOpcode::rdma_write_with_imm, 100, 3000), 0);
  p.run();
  EXPECT_EQ(p.a.wc().opcode, WcOpcode::rdma_write);
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.opcode, WcOpcode::recv_rdma_with_imm);
  EXPECT_EQ(wc.byte_len, 3000u);
  EXPECT_EQ(wc.imm_data, 0x04030201u);
  EXPECT_EQ(wc.wc_flags, wc_flag::with_imm);
  EXPECT_EQ(std::memcmp(&p.a.byte(100), &p.b.byte(100), 3000), 0);
}

TEST(Send, LandsInTheReceiveBuffer) {
  Pair p;
  p.a.fill(0, 2500, 9);
  ASSERT_EQ(p.b.post_recv(5000, 4000), 0);
  ASSERT_EQ(p.a.post_send(0, 2500), 0);
  p.run();
  EXPECT_EQ(p.a.wc().opcode, WcOpcode::send);
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.opcode, WcOpcode::recv);
  EXPECT_EQ(wc.wr_id, 1001u);
  EXPECT_EQ(wc.byte_len, 2500u);
  EXPECT_EQ(wc.wc_flags, 0u);
  EXPECT_EQ(std::memcmp(&p.a.byte(0), &p.b.byte(5000), 2500), 0);
}

TEST(Send, WithImmediateCarriesItInNetworkOrder) {
  Pair p;
  ASSERT_EQ(p.b.post_recv(0, 64), 0);
  ASSERT_EQ(p.a.post_op(WrOpcode::send_with_imm, 0, 10), 0);
  p.run();
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.imm_data, 0x04030201u);
  EXPECT_EQ(wc.wc_flags, wc_flag::with_imm);
}

TEST(Send, OfZeroBytesStillConsumesAReceive) {
  Pair p;
  ASSERT_EQ(p.b.post_recv(0, 64), 0);
  ASSERT_EQ(p.a.post_send(0, 0), 0);
  p.run();
  EXPECT_EQ(p.b.wc().byte_len, 0u);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(Send, GathersAndScatters) {
  Pair p;
  p.a.fill(0, 10000, 11);
  const Sge from[] = {p.a.sge(0, 700), p.a.sge(9000, 0), p.a.sge(2000, 1500), p.a.sge(5000, 1)};
  const Sge to[] = {p.b.sge(100, 1), p.b.sge(200, 1199), p.b.sge(3000, 5000)};
  ASSERT_EQ(p.b.engine.post_recv(*p.b.qp, {1, to, 3}), 0);
  ASSERT_EQ(p.a.post(p.a.wr(WrOpcode::send, from, 4, 0, 0)), 0);
  p.run();
  EXPECT_EQ(p.b.wc().byte_len, 2201u);
  std::vector<uint8_t> sent, got;
  for (const auto& s : from)
    sent.insert(sent.end(), &p.a.byte(s.addr - Side::va(0)), &p.a.byte(s.addr - Side::va(0)) + s.length);
  for (const auto& s : to)
    got.insert(got.end(), &p.b.byte(s.addr - Side::va(0)), &p.b.byte(s.addr - Side::va(0)) + s.length);
  got.resize(sent.size());
  EXPECT_EQ(sent, got);
}

TEST(Read, FetchesBytes) {
  Pair p;
  p.b.fill(0, 4096, 21);
  ASSERT_EQ(p.a.post_read(0, 4096), 0);
  p.b.give(p.a.take());
  const auto responses = p.b.take();
  ASSERT_EQ(responses.size(), 4u);
  EXPECT_EQ(responses[0].opcode(), op::read_response_first);
  EXPECT_EQ(responses[1].opcode(), op::read_response_middle);
  EXPECT_EQ(responses[2].opcode(), op::read_response_middle);
  EXPECT_EQ(responses[3].opcode(), op::read_response_last);
  p.a.give(responses);
  EXPECT_EQ(p.a.wc().opcode, WcOpcode::rdma_read);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 4096), 0);
  EXPECT_TRUE(p.b.poll().empty());
}

TEST(Read, OfZeroBytesIsAnsweredByOnePacket) {
  Pair p;
  ASSERT_EQ(p.a.post(p.a.wr(WrOpcode::rdma_read, nullptr, 0, 0, 0)), 0);
  p.b.give(p.a.take());
  const Packet r = p.b.take_one();
  EXPECT_EQ(r.opcode(), op::read_response_only);
  EXPECT_EQ(r.payload(), 0u);
  p.a.give(r);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(Read, UsesOnePsnForEachResponse) {
  Pair p;
  ASSERT_EQ(p.a.post_read(0, 3000), 0);
  ASSERT_EQ(p.a.post_write(0, 10), 0);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_EQ(packets[0].psn(), 1000u);
  EXPECT_EQ(packets[1].psn(), 1003u);
}

TEST(Read, IsSplitIntoRequestsOfBoundedSize) {
  Options o;
  o.engine.read_request_bytes = 2500;  // two packets of 1024
  Pair p(o);
  p.b.fill(0, 5000, 4);
  ASSERT_EQ(p.a.post_read(0, 5000), 0);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets[1].psn(), 1002u);
  EXPECT_EQ(packets[2].psn(), 1004u);
  p.b.give(packets);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 5000), 0);
}

TEST(Atomic, FetchAndAddReturnsTheOldValue) {
  Pair p;
  p.b.set_word(64, 40);
  ASSERT_EQ(p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 8, 64, 2), 0);
  p.run();
  EXPECT_EQ(p.a.wc().opcode, WcOpcode::fetch_add);
  EXPECT_EQ(p.a.word(8), 40u);
  EXPECT_EQ(p.b.word(64), 42u);
}

TEST(Atomic, CompareAndSwapSwapsOnlyWhenEqual) {
  Pair p;
  p.b.set_word(64, 5);
  ASSERT_EQ(p.a.post_atomic(WrOpcode::atomic_cmp_and_swp, 8, 64, 5, 77), 0);
  ASSERT_EQ(p.a.post_atomic(WrOpcode::atomic_cmp_and_swp, 16, 64, 5, 99), 0);
  p.run();
  EXPECT_EQ(p.a.poll().size(), 2u);
  EXPECT_EQ(p.a.word(8), 5u);
  EXPECT_EQ(p.a.word(16), 77u);
  EXPECT_EQ(p.b.word(64), 77u);
}

TEST(Inline, DataMayBeReusedAtOnce) {
  Pair p;
  uint8_t data[100];
  std::memset(data, 0x5a, sizeof data);
  const Sge s{reinterpret_cast<uintptr_t>(data), sizeof data, 0};
  SendWr w = p.a.wr(WrOpcode::rdma_write, &s, 1, 0, p.b.key);
  w.flags |= send_flag::inline_data;
  ASSERT_EQ(p.a.post(w), 0);
  std::memset(data, 0, sizeof data);
  p.run();
  EXPECT_EQ(p.b.byte(0), 0x5a);
  EXPECT_EQ(p.b.byte(99), 0x5a);
}

TEST(Signaling, OnlySignaledRequestsComplete) {
  Pair p;
  ASSERT_EQ(p.a.post_write(0, 10, 0), 0);
  ASSERT_EQ(p.a.post_write(0, 10, send_flag::signaled), 0);
  p.run();
  EXPECT_EQ(p.a.wc().wr_id, 2u);
  EXPECT_EQ(p.a.qp->send_queued(), 0u);
}

TEST(Signaling, SqSigAllCompletesEveryRequest) {
  Options o;
  o.sig_all = true;
  Pair p(o);
  ASSERT_EQ(p.a.post_write(0, 10, 0), 0);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(Psn, WrapsInTheMiddleOfAMessage) {
  for (WrOpcode opcode : {WrOpcode::rdma_write, WrOpcode::rdma_read, WrOpcode::send}) {
    Options o;
    o.sq_psn = 0xfffffe;
    Pair p(o);
    p.a.fill(0, 5000, 1);
    if (opcode == WrOpcode::rdma_read) p.b.fill(0, 5000, 1);
    ASSERT_EQ(p.b.post_recv(0, 5000), 0);
    ASSERT_EQ(p.a.post_op(opcode, 0, 5000), 0);
    p.run();
    EXPECT_EQ(p.a.wc().status, WcStatus::success);
    EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 5000), 0);
    EXPECT_EQ(p.a.qp->query().sq_psn, 3u);
    EXPECT_EQ(p.b.qp->query().rq_psn, 3u);
  }
}

TEST(Mtu, EveryPathMtuCarriesAMessage) {
  for (uint16_t mtu : {256, 512, 1024, 2048, 4096}) {
    Options o;
    o.mtu = mtu;
    Pair p(o);
    p.a.fill(0, 10001, mtu);
    ASSERT_EQ(p.a.post_write(0, 10001), 0);
    p.run();
    EXPECT_EQ(p.a.wc().status, WcStatus::success) << mtu;
    EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 10001), 0) << mtu;
  }
}

TEST(Solicited, BitStandsOnTheLastPacketOfASend) {
  Pair p;
  ASSERT_EQ(p.a.post_op(WrOpcode::send, 0, 2000, send_flag::signaled | send_flag::solicited), 0);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_FALSE(packets[0].bth().solicited);
  EXPECT_TRUE(packets[1].bth().solicited);
}

}  // namespace
}  // namespace uroce::transport::test
