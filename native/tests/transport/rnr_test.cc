// Receiver not ready: the NAK, its timer and its retries.
#include "pair.h"

namespace uroce::transport::test {
namespace {

namespace op = wire::opcode;
namespace aeth = wire::aeth;

TEST(Rnr, SendWithoutAReceiveIsNaked) {
  Pair p;
  p.a.post_send(0, 2000);
  p.b.give(p.a.take());
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.aeth().syndrome, aeth::kRnrNak | 12);
  EXPECT_EQ(nak.psn(), 1000u);
  EXPECT_EQ(p.b.engine.counters().send_rnr_err, 1u);
}

TEST(Rnr, IsTriedAgainAfterTheTimer) {
  Pair p;
  p.a.post_send(0, 2000);
  p.b.give(p.a.take());
  p.a.give(p.b.take());
  EXPECT_TRUE(p.a.take().empty());
  p.b.post_recv(5000, 4000);
  p.advance(us(640) - 1);
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.engine.next_wake(), p.a.now + 1);
  p.advance(1);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.wc().byte_len, 2000u);
  EXPECT_EQ(p.a.engine.counters().rcvd_rnr_err, 1u);
}

TEST(Rnr, WriteWithImmediateIsRefusedAtItsLastPacket) {
  Pair p;
  p.a.post_op(WrOpcode::rdma_write_with_imm, 0, 3000);
  p.b.give(p.a.take());
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.aeth().syndrome & aeth::kKindMask, aeth::kRnrNak);
  EXPECT_EQ(nak.psn(), 1002u);
  p.a.give(nak);
  p.b.post_recv(0, 0);
  p.advance(us(640));
  const Packet again = p.a.take_one();
  EXPECT_EQ(again.opcode(), op::write_last_imm);
  p.b.give(again);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.wc().byte_len, 3000u);
}

TEST(Rnr, RetriesRunOutWithStatusThirteen) {
  Options o;
  o.rnr_retry = 2;
  Pair p(o);
  p.a.post_send(0, 10);
  int tries = 0;
  for (auto sent = p.a.take(); !sent.empty(); sent = p.a.take()) {
    ++tries;
    p.b.give(sent);
    p.a.give(p.b.take());
    p.advance(us(640));
  }
  EXPECT_EQ(tries, 3);
  EXPECT_EQ(p.a.wc().status, WcStatus::rnr_retry_exc_err);
  EXPECT_EQ(p.a.qp->state(), QpState::err);
  EXPECT_EQ(p.b.qp->state(), QpState::rts);
  EXPECT_EQ(p.a.engine.counters().retry_rnr_exceeded_err, 1u);
}

TEST(Rnr, RetrySevenIsForEver) {
  Pair p;
  p.a.post_send(0, 10);
  for (int i = 0; i < 100; ++i) {
    p.b.give(p.a.take());
    p.a.give(p.b.take());
    p.advance(us(640));
  }
  p.b.post_recv(0, 10);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(Rnr, DoesNotSpendTheOtherRetries) {
  Options o;
  o.retry_cnt = 0;
  Pair p(o);
  p.a.post_send(0, 10);
  p.b.give(p.a.take());
  p.a.give(p.b.take());
  p.advance(us(640));
  EXPECT_EQ(p.a.qp->state(), QpState::rts);
  EXPECT_EQ(p.a.take().size(), 1u);
}

TEST(Rnr, AcknowledgesWhatCameBefore) {
  Pair p;
  p.a.post_write(0, 10);
  p.a.post_send(0, 10);
  p.b.give(p.a.take());
  p.a.give(p.b.take_one());
  EXPECT_EQ(p.a.wc().opcode, WcOpcode::rdma_write);
}

}  // namespace
}  // namespace uroce::transport::test
