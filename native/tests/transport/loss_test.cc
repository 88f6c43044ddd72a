// What happens when packets are lost, repeated or late.
#include "pair.h"

namespace uroce::test {
namespace {

namespace op = wire::opcode;
namespace aeth = wire::aeth;

TEST(SequenceNak, OneForAGapAndThenSilence) {
  Pair p;
  p.a.post_write(0, 4096);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 4u);
  p.b.give(packets[0]);
  p.b.give(packets[2]);
  p.b.give(packets[3]);
  const auto answers = p.b.take();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].aeth().syndrome, aeth::kNakSequence);
  EXPECT_EQ(answers[0].psn(), 1001u);
  EXPECT_EQ(p.b.engine.counters().out_of_seq_request, 1u);
}

TEST(SequenceNak, MakesTheRequesterGoBack) {
  Pair p;
  p.a.fill(0, 4096, 1);
  p.a.post_write(0, 4096);
  const auto packets = p.a.take();
  p.b.give(packets[0]);
  p.b.give(packets[2]);
  p.a.give(p.b.take());
  const auto again = p.a.take();
  ASSERT_EQ(again.size(), 3u);
  EXPECT_EQ(again[0].psn(), 1001u);
  EXPECT_EQ(again[0].opcode(), op::write_middle);
  EXPECT_EQ(again[0].bytes, packets[1].bytes);
  p.b.give(again);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 4096), 0);
  EXPECT_EQ(p.a.engine.counters().packet_seq_err, 1u);
  EXPECT_EQ(p.a.engine.counters().retransmitted_pkts, 3u);
}

TEST(SequenceNak, AcknowledgesAllBeforeIt) {
  Pair p;
  p.a.post_write(0, 10);
  p.a.post_write(0, 10);
  p.a.post_write(0, 10);
  const auto packets = p.a.take();
  p.b.give(packets[0]);
  p.b.give(packets[2]);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().wr_id, 1u);
}

TEST(SequenceNak, ACopyOfItDoesNotGoBackAgain) {
  Pair p;
  p.a.post_write(0, 4096);
  const auto packets = p.a.take();
  p.b.give(packets[1]);
  const auto nak = p.b.take();
  p.a.give(nak);
  EXPECT_EQ(p.a.take().size(), 4u);
  p.a.give(nak);
  EXPECT_TRUE(p.a.take().empty());
}

TEST(SequenceNak, AfterATimeoutIsNews) {
  Pair p;
  p.a.post_write(0, 4096);
  p.a.take();  // all lost
  p.advance(ack_timeout(14));
  const auto second = p.a.take();
  p.b.give(second[1]);  // the first one lost again
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take().size(), 4u);
}

TEST(SequenceNak, IsWithdrawnWhenTheMissingPacketComesFirst) {
  Pair p;
  p.a.post_write(0, 2048);
  const auto packets = p.a.take();
  p.b.give(packets[1]);
  p.b.give(packets[0]);
  p.b.give(packets[1]);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.a.engine.counters().packet_seq_err, 0u);
}

TEST(AckTimeout, SendsAgainAfterTheTime) {
  Pair p;
  p.a.post_write(0, 100);
  const Packet lost = p.a.take_one();
  p.advance(ack_timeout(14) - 1);
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.engine.next_wake(), p.a.now + 1);
  p.advance(1);
  EXPECT_EQ(p.a.take_one().bytes, lost.bytes);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 1u);
}

TEST(AckTimeout, ProgressStartsItAnew) {
  Pair p;
  p.a.post_write(0, 10);
  p.a.post_write(0, 10);
  const auto packets = p.a.take();
  p.b.give(packets[0]);
  p.advance(ack_timeout(14) - 1);
  p.a.give(p.b.take());
  p.advance(ack_timeout(14) - 1);
  EXPECT_TRUE(p.a.take().empty());
  p.advance(1);
  EXPECT_EQ(p.a.take_one().psn(), 1001u);
}

TEST(AckTimeout, ZeroNeverComes) {
  Options o;
  o.timeout = 0;
  Pair p(o);
  p.a.post_write(0, 10);
  p.a.take();
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
}

TEST(AckTimeout, NoTimerWhenAllIsAcknowledged) {
  Pair p;
  p.a.post_write(0, 10);
  p.run();
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
  EXPECT_EQ(p.b.engine.next_wake(), kNever);
}

TEST(RetryExceeded, AfterRetryCountMoreTries) {
  for (uint8_t retry : {0, 1, 7}) {
    Options o;
    o.retry_cnt = retry;
    Pair p(o);
    const uint64_t start = p.a.now;
    p.a.post_write(0, 10);
    p.a.post_write(0, 10, 0);
    size_t tries = 0;
    while (!p.a.take().empty()) {
      ++tries;
      ASSERT_TRUE(p.advance_to_wake());
    }
    EXPECT_EQ(tries, retry + 1u);
    EXPECT_EQ(p.a.now - start, (retry + 1) * ack_timeout(14));
    const auto wcs = p.a.poll();
    ASSERT_EQ(wcs.size(), 2u);
    EXPECT_EQ(wcs[0].status, WcStatus::retry_exc_err);
    EXPECT_EQ(wcs[0].wr_id, 1u);
    EXPECT_EQ(wcs[1].status, WcStatus::wr_flush_err);
    EXPECT_EQ(p.a.qp->state(), QpState::err);
    EXPECT_EQ(p.a.engine.counters().retry_exceeded_err, 1u);
  }
}

// t = 14, eight tries: about 0.54 s before wc status 12.
TEST(RetryExceeded, WithSevenRetriesTakesHalfASecond) {
  Pair p;
  const uint64_t start = p.a.now;
  p.a.post_write(0, 10);
  do {
    p.a.take();
  } while (p.advance_to_wake());
  EXPECT_EQ((p.a.now - start) / 1'000'000, 536u);
  EXPECT_EQ(p.a.wc().status, WcStatus::retry_exc_err);
}

TEST(RetryExceeded, ProgressGivesTheRetriesBack) {
  Options o;
  o.retry_cnt = 1;
  Pair p(o);
  p.a.post_write(0, 10);
  p.a.post_write(0, 10);
  p.a.take();
  p.advance(ack_timeout(14));
  const auto again = p.a.take();
  p.b.give(again[0]);
  p.a.give(p.b.take());
  p.advance(ack_timeout(14));
  EXPECT_FALSE(p.a.take().empty());
  EXPECT_EQ(p.a.qp->state(), QpState::rts);
}

TEST(RetryExceeded, NeverComesWhenSevenIsEndless) {
  Options o;
  o.engine.retry_seven_is_endless = true;
  Pair p(o);
  p.a.post_write(0, 10);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(p.a.take().size(), 1u);
    p.advance(ack_timeout(14));
  }
}

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

TEST(Gap, InReadResponsesIsAnImpliedNak) {
  Pair p;
  p.b.fill(0, 4096, 1);
  p.a.post_read(0, 4096);
  p.b.give(p.a.take_one());
  const auto responses = p.b.take();
  p.a.give(responses[0]);
  p.a.give(responses[2]);
  EXPECT_EQ(p.a.engine.counters().implied_nak_seq_err, 1u);
  const Packet again = p.a.take_one();
  EXPECT_EQ(again.opcode(), op::read_request);
  EXPECT_EQ(again.psn(), 1001u);
  p.a.give(responses[3]);  // shows the same gap: no second request
  EXPECT_TRUE(p.a.take().empty());
  p.b.give(again);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 4096), 0);
}

TEST(Gap, AnAckBehindAnUnansweredReadIsAnImpliedNak) {
  Pair p;
  p.a.post_read(0, 100);
  p.a.post_write(200, 10);
  p.b.give(p.a.take());
  const auto answers = p.b.take();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[1].opcode(), op::acknowledge);
  p.a.give(answers[1]);
  EXPECT_TRUE(p.a.poll().empty());
  const auto again = p.a.take();
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].opcode(), op::read_request);
}

TEST(LateAck, ForWhatIsAboutToBeSentAgainStopsTheResend) {
  Pair p;
  p.a.post_write(0, 10);
  p.b.give(p.a.take_one());
  const auto ack = p.b.take();
  p.advance(ack_timeout(14));
  p.a.give(ack);
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(StrayResponse, ToNothingSentIsIgnored) {
  Pair p;
  p.b.post_write(0, 10);
  p.a.give(p.b.take_one());
  const Packet ack = p.a.take_one();
  Packet stray = ack;
  stray.bytes[11] += 5;  // a PSN not yet sent
  p.b.give(stray);
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_EQ(p.b.qp->state(), QpState::rts);
  p.b.give(ack);
  EXPECT_EQ(p.b.wc().status, WcStatus::success);
  p.b.give(ack);
  EXPECT_TRUE(p.b.poll().empty());
}

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

TEST(Psn, LossAroundTheWrapIsRecovered) {
  Options o;
  o.sq_psn = 0xfffffd;
  Pair p(o);
  p.a.fill(0, 8192, 1);
  p.a.post_write(0, 8192);
  auto packets = p.a.take();
  packets.erase(packets.begin() + 3);  // PSN 0
  p.b.give(packets);
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.psn(), 0u);
  p.a.give(nak);
  const auto again = p.a.take();
  EXPECT_EQ(again.size(), 5u);
  EXPECT_EQ(again[0].psn(), 0u);
  p.b.give(again);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 8192), 0);
}

}  // namespace
}  // namespace uroce::test
