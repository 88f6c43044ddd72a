// Lost and late packets.
#include "pair.h"

namespace uroce::transport::test {
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

// Resending the whole window would lengthen the queue of a slow path, and cause an answer for each
// duplicate.
TEST(AckTimeout, SendsEverLessAgainAndGrowsWithEveryAnswer) {
  Options o;
  o.engine.window_packets = 64;
  Pair p(o);
  p.a.post_write(0, 64 * 1024);
  EXPECT_EQ(p.a.take().size(), 64u);
  for (const uint32_t again : {8u, 1u, 1u}) {  // all lost
    ASSERT_TRUE(p.advance_to_wake());
    EXPECT_EQ(p.a.take().size(), again);
  }
  p.advance_to_wake();
  uint32_t allowed = 1;
  for (uint32_t left = 64; left > 0; allowed *= 2) {
    const auto packets = p.a.take();
    ASSERT_EQ(packets.size(), std::min(allowed, left));
    left -= allowed > left ? left : allowed;
    p.b.give(packets);
    p.a.give(p.b.take());
  }
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 4u);
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

// A QP with timeout 0 only reports, once, that it has waited for long.
TEST(AckTimeout, ZeroNeverComes) {
  Options o;
  o.timeout = 0;
  Pair p(o);
  p.a.post_write(0, 10);
  p.a.take();
  p.advance(2'000'000'000);
  EXPECT_EQ(p.a.events.waiting, 1);
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
  p.advance(100'000'000'000);
  EXPECT_EQ(p.a.events.waiting, 1);
  EXPECT_TRUE(p.a.take().empty());
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
    EXPECT_EQ(p.a.now - start, (retry == 0 ? 1 : 4 * retry - 1) * ack_timeout(14));  // 1, 2, 4, 4 …
    const auto wcs = p.a.poll();
    ASSERT_EQ(wcs.size(), 2u);
    EXPECT_EQ(wcs[0].status, WcStatus::retry_exc_err);
    EXPECT_EQ(wcs[0].wr_id, 1u);
    EXPECT_EQ(wcs[1].status, WcStatus::wr_flush_err);
    EXPECT_EQ(p.a.qp->state(), QpState::err);
    EXPECT_EQ(p.a.engine.counters().retry_exceeded_err, 1u);
  }
}

// t = 14, eight tries: 27 times 67 ms before wc status 12.
TEST(RetryExceeded, WithSevenRetriesTakesAlmostTwoSeconds) {
  Pair p;
  const uint64_t start = p.a.now;
  p.a.post_write(0, 10);
  do {
    p.a.take();
  } while (p.advance_to_wake());
  EXPECT_EQ((p.a.now - start) / 1'000'000, 1811u);
  EXPECT_EQ(p.a.wc().status, WcStatus::retry_exc_err);
}

// With a long timeout every doubling would cost a program seconds until it sees that its peer is dead.
TEST(RetryExceeded, ALongTimeoutIsNotMadeLongerForADeadPeer) {
  Options o;
  o.timeout = 18;
  Pair p(o);
  const uint64_t start = p.a.now;
  p.a.post_write(0, 10);
  do {
    p.a.take();
  } while (p.advance_to_wake());
  EXPECT_EQ(p.a.now - start, 8 * ack_timeout(18));
  EXPECT_EQ(p.a.wc().status, WcStatus::retry_exc_err);
}

TEST(AckTimeout, DoublesWhileThePeerIsHeard) {
  Options o;
  o.timeout = 18;
  Pair p(o);
  p.a.post_write(0, 10);
  p.b.post_write(0, 10);
  p.a.take();
  p.a.give(p.b.take());  // a request of the peer: it lives, but has not answered
  EXPECT_EQ(p.a.take_one().opcode(), op::acknowledge);
  p.advance(ack_timeout(18));
  EXPECT_EQ(p.a.take().size(), 1u);
  p.advance(ack_timeout(18));
  EXPECT_TRUE(p.a.take().empty());
  p.advance(ack_timeout(18));
  EXPECT_EQ(p.a.take().size(), 1u);
  // No packet since: not extended any more.
  p.advance(2 * ack_timeout(18));
  EXPECT_EQ(p.a.take().size(), 1u);
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
    p.advance(4 * ack_timeout(14));
  }
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
}  // namespace uroce::transport::test
