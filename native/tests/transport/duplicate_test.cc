// Requests that come twice: what is executed again, and what is only answered again.
#include "pair.h"

namespace uroce::transport::test {
namespace {

namespace op = wire::opcode;

TEST(Duplicate, WriteIsAcknowledgedButNotExecuted) {
  Pair p;
  p.a.fill(0, 10, 1);
  p.a.post_write(0, 10);
  const Packet w = p.a.take_one();
  p.b.give(w);
  p.b.take();
  p.b.byte(0) ^= 0xff;
  const uint8_t changed = p.b.byte(0);
  p.b.give(w);
  const Packet ack = p.b.take_one();
  EXPECT_EQ(ack.opcode(), op::acknowledge);
  EXPECT_EQ(ack.psn(), 1000u);
  EXPECT_EQ(p.b.byte(0), changed);
  EXPECT_EQ(p.b.engine.counters().duplicate_request, 1u);
}

TEST(Duplicate, SendConsumesNoSecondReceive) {
  Pair p;
  p.b.post_recv(0, 100);
  p.b.post_recv(0, 100);
  p.a.post_send(0, 10);
  const Packet s = p.a.take_one();
  p.b.give(s);
  p.b.give(s);
  EXPECT_EQ(p.b.poll().size(), 1u);
  EXPECT_EQ(p.b.qp->recv_queued(), 1u);
}

TEST(Duplicate, ReadIsReadAgain) {
  Pair p;
  p.b.fill(0, 3000, 1);
  p.a.post_read(0, 3000);
  const Packet r = p.a.take_one();
  p.b.give(r);
  EXPECT_EQ(p.b.take().size(), 3u);
  p.b.give(r);
  const auto again = p.b.take();
  ASSERT_EQ(again.size(), 3u);
  EXPECT_EQ(again[0].opcode(), op::read_response_first);
  p.a.give(again);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 3000), 0);
}

TEST(Duplicate, ReadMayAskForTheRestOnly) {
  Pair p;
  p.b.fill(0, 4096, 1);
  p.a.post_read(0, 4096);
  p.b.give(p.a.take_one());
  const auto responses = p.b.take();
  p.a.give(responses[0]);
  p.a.give(responses[1]);
  p.advance(ack_timeout(14));
  const Packet rest = p.a.take_one();
  EXPECT_EQ(rest.psn(), 1002u);
  const auto reth = *wire::BthView::of(rest.bytes.data(), rest.bytes.size());
  EXPECT_EQ(reth.opcode(), op::read_request);
  p.b.give(rest);
  const auto again = p.b.take();
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].opcode(), op::read_response_first);
  EXPECT_EQ(again[0].psn(), 1002u);
  EXPECT_EQ(again[1].opcode(), op::read_response_last);
  p.a.give(again);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 4096), 0);
}

TEST(Duplicate, ReadBeyondWhatWasAskedIsDropped) {
  Pair p;
  p.a.post_read(0, 2048);
  Packet r = p.a.take_one();
  p.b.give(r);
  p.b.take();
  r.bytes[12 + 15] = 0xff;  // a longer range than the first time
  p.b.give(r);
  EXPECT_TRUE(p.b.take().empty());
}

TEST(Duplicate, AtomicIsAnsweredFromItsSavedResult) {
  Pair p;
  p.b.set_word(0, 10);
  p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 8, 0, 5);
  const Packet r = p.a.take_one();
  p.b.give(r);
  const Packet first = p.b.take_one();
  p.b.give(r);
  EXPECT_EQ(p.b.take_one().bytes, first.bytes);
  EXPECT_EQ(p.b.word(0), 15u);
}

TEST(Duplicate, AtomicOlderThanTheSavedOnesIsDropped) {
  Options o;
  o.rd_atomic = 2;
  Pair p(o);
  p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 8, 0, 1);
  const Packet oldest = p.a.take_one();
  p.b.give(oldest);
  p.a.give(p.b.take());
  for (int i = 0; i < 2; ++i) {
    p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 8, 0, 1);
    p.run();
  }
  p.b.give(oldest);
  EXPECT_TRUE(p.b.take().empty());
  EXPECT_EQ(p.b.word(0), 3u);
}

}  // namespace
}  // namespace uroce::transport::test
