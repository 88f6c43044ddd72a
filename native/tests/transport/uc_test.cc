// Unreliable connections: outgoing packets, received packets, and the cost of a gap.
#include <cerrno>

#include "pair.h"

namespace uroce::transport::test {
namespace {

Options uc(uint16_t mtu = 1024) {
  Options o;
  o.type = QpType::uc;
  o.mtu = mtu;
  return o;
}

TEST(Uc, SendIsWholeAndNobodyAnswers) {
  Pair p(uc(256));
  p.a.fill(0, 1000, 5);
  ASSERT_EQ(p.b.post_recv(5000, 2000), 0);
  ASSERT_EQ(p.a.post_send(0, 1000), 0);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 4u);
  EXPECT_EQ(packets[0].opcode(), 0x20);
  EXPECT_EQ(packets[1].opcode(), 0x21);
  EXPECT_EQ(packets[3].opcode(), 0x22);
  for (const Packet& packet : packets) EXPECT_FALSE(packet.bth().ack_req);
  p.b.give(packets);
  EXPECT_TRUE(p.b.take().empty());
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.status, WcStatus::success);
  EXPECT_EQ(wc.opcode, WcOpcode::recv);
  EXPECT_EQ(wc.byte_len, 1000u);
  EXPECT_EQ(std::memcmp(&p.a.byte(0), &p.b.byte(5000), 1000), 0);
}

TEST(Uc, CompletesWhenTheLastPacketLeaves) {
  Pair p(uc(256));
  ASSERT_EQ(p.a.post_send(0, 600), 0);
  CollectingSink sink;
  sink.limit = 2;
  EXPECT_TRUE(p.a.engine.transmit(p.a.now, sink));
  EXPECT_TRUE(p.a.poll().empty());
  sink.limit = 3;
  p.a.engine.transmit(p.a.now, sink);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_TRUE(p.a.qp->send_idle());
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
}

TEST(Uc, WriteAndWriteWithImmediate) {
  Pair p(uc(256));
  p.a.fill(0, 700, 6);
  ASSERT_EQ(p.a.post_write(0, 700), 0);
  ASSERT_EQ(p.b.post_recv(9000, 10), 0);
  ASSERT_EQ(p.a.post_op(WrOpcode::rdma_write_with_imm, 100, 50), 0);
  EXPECT_EQ(p.run(), 4u);
  EXPECT_EQ(std::memcmp(&p.a.byte(0), &p.b.byte(0), 700), 0);
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.opcode, WcOpcode::recv_rdma_with_imm);
  EXPECT_EQ(wc.byte_len, 50u);
  EXPECT_EQ(wc.imm_data, 0x04030201u);
  EXPECT_EQ(wc.wc_flags, wc_flag::with_imm);
  EXPECT_EQ(p.a.poll().size(), 2u);
}

TEST(Uc, AMessageWithAGapIsNotReceivedAndTheNextOneIs) {
  for (size_t missing = 0; missing < 3; ++missing) {
    Pair p(uc(256));
    ASSERT_EQ(p.b.post_recv(5000, 2000), 0);
    ASSERT_EQ(p.a.post_send(0, 700), 0);
    auto packets = p.a.take();
    packets.erase(packets.begin() + static_cast<long>(missing));
    p.b.give(packets);
    EXPECT_TRUE(p.b.poll().empty()) << missing;
    p.a.fill(1000, 300, 9);
    ASSERT_EQ(p.a.post_send(1000, 300), 0);
    p.b.give(p.a.take());
    EXPECT_EQ(p.b.wc().byte_len, 300u) << missing;
    EXPECT_EQ(std::memcmp(&p.a.byte(1000), &p.b.byte(5000), 300), 0);
  }
}

TEST(Uc, PacketsInTheWrongOrderDropTheMessage) {
  Pair p(uc(256));
  ASSERT_EQ(p.b.post_recv(0, 2000), 0);
  ASSERT_EQ(p.a.post_send(0, 1000), 0);
  auto packets = p.a.take();
  std::swap(packets[1], packets[2]);
  p.b.give(packets);
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_EQ(p.b.engine.counters().dropped_messages, 1u);
  EXPECT_EQ(p.b.engine.counters().out_of_sequence, 1u);
  EXPECT_EQ(p.b.qp->state(), QpState::rts);
  EXPECT_EQ(p.b.qp->recv_queued(), 1u);
}

// A packet dropped for another reason has still come in order. So have the packets behind it.
TEST(Uc, OnlyGapsCountAsOutOfSequence) {
  Pair p(uc(256));
  ASSERT_EQ(p.a.post_send(0, 2000), 0);  // no receive
  p.run();
  for (int i = 0; i < 3; ++i) ASSERT_EQ(p.a.post_send(0, 10), 0);
  p.run();
  const Sge s = p.a.sge(0, 600);
  p.a.post(p.a.wr(WrOpcode::rdma_write, &s, 1, 0, p.b.key + 1));  // no right
  p.run();
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  ASSERT_EQ(p.a.post_send(0, 1000), 0);  // too long
  p.run();
  ASSERT_EQ(p.a.post_write(0, 600), 0);
  p.run();
  EXPECT_EQ(p.b.engine.counters().out_of_buffer, 4u);
  EXPECT_EQ(p.b.engine.counters().dropped_messages, 2u);
  EXPECT_EQ(p.b.engine.counters().out_of_sequence, 0u);

  ASSERT_EQ(p.a.post_write(0, 2000), 0);
  auto packets = p.a.take();
  packets.erase(packets.begin() + 1);
  p.b.give(packets);
  EXPECT_EQ(p.b.engine.counters().out_of_sequence, 1u);
  ASSERT_EQ(p.a.post_write(0, 600), 0);
  packets = p.a.take();
  packets.pop_front();
  p.b.give(packets);
  EXPECT_EQ(p.b.engine.counters().out_of_sequence, 2u);
  p.b.give(packets);  // late copies
  ASSERT_EQ(p.a.post_write(0, 600), 0);
  p.run();
  EXPECT_EQ(p.b.engine.counters().out_of_sequence, 2u);
}

TEST(Uc, WithoutAReceiveTheMessageIsDropped) {
  Pair p(uc());
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.engine.counters().out_of_buffer, 1u);
  ASSERT_EQ(p.b.post_recv(0, 10), 0);
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  p.run();
  EXPECT_EQ(p.b.wc().byte_len, 10u);
}

TEST(Uc, TooLongForTheReceiveIsDropped) {
  Pair p(uc(256));
  ASSERT_EQ(p.b.post_recv(5000, 300), 0);
  const uint8_t before = p.b.byte(5300);
  p.a.fill(0, 700, 1);
  ASSERT_EQ(p.a.post_send(0, 700), 0);
  p.run();
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_EQ(p.b.byte(5300), before);
  EXPECT_EQ(p.b.qp->state(), QpState::rts);
  EXPECT_EQ(p.b.engine.counters().dropped_messages, 1u);
}

TEST(Uc, AWriteWithoutTheRightIsDropped) {
  Pair p(uc());
  const Sge s = p.a.sge(0, 100);
  SendWr wr = p.a.wr(WrOpcode::rdma_write, &s, 1, 0, p.b.key + 1);
  p.a.fill(0, 100, 4);
  ASSERT_EQ(p.a.post(wr), 0);
  wr.rkey = p.b.key;
  wr.remote_addr = p.b.va(Side::kMemory - 50);
  ASSERT_EQ(p.a.post(wr), 0);
  p.run();
  EXPECT_EQ(p.b.byte(0), 0);
  EXPECT_EQ(p.b.qp->state(), QpState::rts);
  EXPECT_EQ(p.b.engine.counters().dropped_messages, 2u);
  EXPECT_TRUE(p.b.events.qp.empty());
}

TEST(Uc, WhatNeedsAnAnswerCompletesInError) {
  for (const WrOpcode opcode :
       {WrOpcode::rdma_read, WrOpcode::atomic_fetch_and_add, WrOpcode::send_with_inv}) {
    Pair p(uc());
    EXPECT_EQ(p.a.post_write(0, 8), 0);
    EXPECT_EQ(p.a.post_op(opcode, 0, 8), 0);
    EXPECT_EQ(p.a.take().size(), 1u);
    const auto wcs = p.a.poll();
    ASSERT_EQ(wcs.size(), 2u);
    EXPECT_EQ(wcs[0].status, WcStatus::success);
    EXPECT_EQ(wcs[1].status, WcStatus::loc_qp_op_err);
    EXPECT_EQ(p.a.qp->state(), QpState::sqe);
  }
  Pair p(uc());
  EXPECT_EQ(p.a.post_op(WrOpcode::local_inv, 0, 0), EINVAL);
}

TEST(Uc, AnAckRequestIsNotAnswered) {
  Pair p(uc());
  ASSERT_EQ(p.b.post_recv(0, 10), 0);
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  Packet packet = p.a.take_one();
  packet.bytes[8] |= 0x80;
  p.b.give(packet);
  EXPECT_EQ(p.b.wc().status, WcStatus::success);
  EXPECT_TRUE(p.b.take().empty());
}

TEST(Uc, ABadLocalKeyMovesTheQpToSqe) {
  Pair p(uc());
  Sge s = p.a.sge(0, 10);
  s.lkey += 1;
  ASSERT_EQ(p.a.post(p.a.wr(WrOpcode::send, &s, 1, 0, 0)), 0);
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  EXPECT_TRUE(p.a.take().empty());
  const auto all = p.a.poll();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].status, WcStatus::loc_prot_err);
  EXPECT_EQ(all[1].status, WcStatus::wr_flush_err);
  EXPECT_EQ(p.a.qp->state(), QpState::sqe);
  // The receive side goes on, posted requests are flushed, and RTS brings the QP back.
  ASSERT_EQ(p.a.post_recv(0, 10), 0);
  ASSERT_EQ(p.b.post_send(0, 10), 0);
  p.run();
  EXPECT_EQ(p.a.wc().opcode, WcOpcode::recv);
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  EXPECT_EQ(p.a.wc().status, WcStatus::wr_flush_err);
  ASSERT_EQ(p.a.to(QpState::rts), 0);
  ASSERT_EQ(p.b.post_recv(0, 10), 0);
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.poll().size(), 2u);
}

TEST(Uc, ABadReceiveFailsTheQp) {
  Pair p(uc());
  Sge s = p.b.sge(0, 10);
  s.lkey += 1;
  ASSERT_EQ(p.b.engine.post_recv(*p.b.qp, {7, &s, 1}), 0);
  ASSERT_EQ(p.b.post_recv(0, 10), 0);
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  p.run();
  const auto all = p.b.poll();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].wr_id, 7u);
  EXPECT_EQ(all[0].status, WcStatus::loc_prot_err);
  EXPECT_EQ(all[1].status, WcStatus::wr_flush_err);
  EXPECT_EQ(p.b.qp->state(), QpState::err);
  EXPECT_EQ(p.b.events.qp, std::vector{EventType::qp_fatal});
}

TEST(Uc, DrainsToSqd) {
  Pair p(uc(256));
  ASSERT_EQ(p.a.post_send(0, 700), 0);
  ASSERT_EQ(p.a.post_send(0, 700), 0);
  CollectingSink sink;
  sink.limit = 1;
  p.a.engine.transmit(p.a.now, sink);
  ASSERT_EQ(p.a.to(QpState::sqd, qp_mask::en_sqd_async_notify), 0);
  EXPECT_EQ(p.a.qp->query().sq_draining, 1);
  EXPECT_EQ(p.a.take().size(), 2u);  // the rest of the first one
  EXPECT_EQ(p.a.events.qp, std::vector{EventType::sq_drained});
  EXPECT_EQ(p.a.qp->query().sq_draining, 0);
  ASSERT_EQ(p.a.to(QpState::rts), 0);
  EXPECT_EQ(p.a.take().size(), 3u);
}

TEST(Uc, PacketsOfAnotherTransportAreCounted) {
  Pair p(uc());
  ASSERT_EQ(p.b.post_recv(0, 10), 0);
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  Packet packet = p.a.take_one();
  packet.bytes[0] = wire::opcode::send_only;
  p.b.give(packet);
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_EQ(p.b.engine.counters().wrong_transport_pkts, 1u);
  EXPECT_TRUE(p.b.take().empty());
}

// A sink that has no room at the receiver for a while.
class FullSink final : public PacketSink {
 public:
  uint32_t room() override { return 1000; }
  bool admit(const Path&, uint32_t qpn, uint32_t bytes) override {
    asked_qpn = qpn;
    if (bytes > allowance) return false;
    allowance -= bytes;
    return true;
  }
  bool emit(const TxPacket& p) override {
    sent += udp_length(p);
    return true;
  }
  uint32_t allowance = 0, asked_qpn = 0, sent = 0;
};

TEST(Uc, WaitsWhileTheReceiverHasNoRoom) {
  Pair p(uc());
  ASSERT_EQ(p.a.post_send(0, 3000), 0);
  FullSink sink;
  sink.allowance = 2500;
  EXPECT_FALSE(p.a.engine.transmit(p.a.now, sink));
  EXPECT_EQ(sink.asked_qpn, p.b.qp->qpn());
  EXPECT_EQ(sink.sent, 2u * (1024 + 16));
  EXPECT_TRUE(p.a.poll().empty());
  const uint64_t wake = p.a.engine.next_wake();
  ASSERT_NE(wake, kNever);
  p.a.engine.transmit(p.a.now, sink);  // too early
  sink.allowance = 5000;
  p.a.engine.transmit(p.a.now, sink);
  EXPECT_TRUE(p.a.poll().empty());
  p.a.now = wake;
  p.a.engine.on_time(wake);
  EXPECT_FALSE(p.a.engine.transmit(wake, sink));
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
}

// A receiver without room may have stopped: repeated checks must not keep a core busy.
TEST(Uc, AsksLessAndLessOftenWhileTheReceiverHasNoRoom) {
  Pair p(uc());
  ASSERT_EQ(p.a.post_send(0, 3000), 0);
  FullSink sink;
  const uint64_t begin = p.a.now;
  int asked = 0;
  for (; p.a.now < begin + ms(500); ++asked) {
    p.a.engine.transmit(p.a.now, sink);
    ASSERT_NE(p.a.engine.next_wake(), kNever);
    p.a.now = p.a.engine.next_wake();
    p.a.engine.on_time(p.a.now);
  }
  EXPECT_LT(asked, 520);
  // Once there was room, the next wait is short again.
  sink.allowance = 1024 + 16;
  p.a.engine.transmit(p.a.now, sink);
  EXPECT_LE(p.a.engine.next_wake(), p.a.now + us(20));
}

TEST(Uc, AWaitingQpCanBeResetAndDestroyed) {
  Pair p(uc());
  ASSERT_EQ(p.a.post_send(0, 3000), 0);
  FullSink sink;
  p.a.engine.transmit(p.a.now, sink);
  ASSERT_EQ(p.a.to(QpState::err), 0);
  EXPECT_EQ(p.a.wc().status, WcStatus::wr_flush_err);
  p.a.engine.on_time(p.a.engine.next_wake());
  ASSERT_EQ(p.a.to(QpState::reset), 0);
  EXPECT_EQ(p.a.engine.destroy_qp(p.a.qp), 0);
}

TEST(Uc, ReceivesFromASharedQueue) {
  Options o = uc(256);
  o.srq_wr = 8;
  Pair p(o);
  p.a.fill(0, 1000, 3);
  ASSERT_EQ(p.b.post_recv(5000, 1000), 0);
  ASSERT_EQ(p.a.post_send(0, 1000), 0);
  auto packets = p.a.take();
  packets.pop_back();
  p.b.give(packets);  // dropped half way: the receive is there for the next one
  ASSERT_EQ(p.a.post_send(0, 1000), 0);
  p.run();
  EXPECT_EQ(p.b.wc().byte_len, 1000u);
  EXPECT_EQ(std::memcmp(&p.a.byte(0), &p.b.byte(5000), 1000), 0);
}

TEST(Uc, PsnsWrap) {
  Options o = uc(256);
  o.sq_psn = kPsnMask - 1;
  Pair p(o);
  p.a.fill(0, 1500, 3);
  ASSERT_EQ(p.b.post_recv(3000, 1500), 0);
  ASSERT_EQ(p.a.post_send(0, 1500), 0);
  p.run();
  EXPECT_EQ(p.b.wc().byte_len, 1500u);
  EXPECT_EQ(std::memcmp(&p.a.byte(0), &p.b.byte(3000), 1500), 0);
}

}  // namespace
}  // namespace uroce::transport::test
