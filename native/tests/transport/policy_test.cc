// Policies of a queue pair: who may have which, pacing on the wire, and go-back-0.
#include <cerrno>

#include "pair.h"
#include "uroce/transport/policy/pacer.h"

namespace uroce::transport::test {
namespace {

constexpr uint64_t kLine = 100'000'000'000;

Options with(const QpPolicy& policy) {
  Options o;
  o.engine.policy = policy;
  o.mtu = 4096;
  return o;
}

Options dcqcn() { return with({.congestion = DcqcnParameters::paper(kLine)}); }

// Gives a side a CNP of its peer.
void notify(Side& side) {
  Packet cnp;
  cnp.bytes.resize(wire::Bth::kSize + wire::kCnpReserved);
  wire::cnp_bth(side.qp->qpn()).emit(cnp.bytes.data());
  side.give(cnp);
}

TEST(Policy, IsChosenBeforeTheQpIsConnected) {
  Options o;
  o.connect = false;
  Pair p(o);
  const QpPolicy swift{.congestion = SwiftParameters{}};
  EXPECT_EQ(p.a.engine.set_policy(*p.a.qp, swift), 0);
  ASSERT_EQ(p.a.to_init(), 0);
  EXPECT_EQ(p.a.engine.set_policy(*p.a.qp, {.recovery = RecoveryKind::go_back_0}), 0);
  EXPECT_EQ(p.a.qp->recovery(), RecoveryKind::go_back_0);
  ASSERT_EQ(p.a.to_rtr(p.b, 1000), 0);
  EXPECT_EQ(p.a.engine.set_policy(*p.a.qp, swift), EINVAL);
  ASSERT_EQ(p.a.to(QpState::reset), 0);
  EXPECT_EQ(p.a.qp->recovery(), RecoveryKind::go_back_0) << "RESET keeps it";
  EXPECT_EQ(p.a.engine.set_policy(*p.a.qp, {.congestion = DcqcnParameters{}}), EINVAL) << "no line rate";
  Options ud;
  ud.type = QpType::ud;
  ud.connect = false;
  Pair u(ud);
  EXPECT_EQ(u.a.engine.set_policy(*u.a.qp, swift), EINVAL);
}

TEST(Pacer, HoldsAPacketNoLongerThanItMay) {
  Pacer pacer;
  pacer.sent(1'000, 4096, 1, 0, 50'000);  // a bit per second
  EXPECT_EQ(pacer.next(), 51'000u);
  pacer.sent(51'000, 4096, 1, 0, 50'000);
  EXPECT_EQ(pacer.next(), 101'000u) << "what is held back does not add up";
}

TEST(Pacer, CarriesTheRemainderAndEarnsNothingWhileIdle) {
  Pacer pacer;
  const uint64_t rate = 50'000'000'000;
  const uint32_t bytes = 4112;  // 4096 B in BTH and ICRC: 668.48 ns with what is around it
  uint64_t now = 1'000'000;
  for (int n = 1; n <= 1000; ++n) {
    pacer.sent(now, bytes, rate, 0);
    now = pacer.next();
    EXPECT_EQ(now, 1'000'000 + n * 66848ull / 100) << n;
  }
  now += 10'000'000;
  pacer.sent(now, bytes, rate, 0);
  EXPECT_GE(pacer.next(), now + 668) << "no burst after a pause";
  // A late owner may catch up with what it missed, up to its slack.
  Pacer late;
  late.sent(1'000'000, bytes, rate, 50'000);
  EXPECT_EQ(late.next(), 950'668u);
}

struct Departure {
  uint64_t time;
  uint32_t bytes;
};

// Runs both sides in virtual time until nothing is left; what side `from` sent, and when.
std::vector<Departure> departures(Pair& p, Side& from) {
  std::vector<Departure> out;
  for (int rounds = 0; rounds < 100'000; ++rounds) {
    auto from_a = p.a.take();
    auto from_b = p.b.take();
    for (const Packet& packet : &from == &p.a ? from_a : from_b) {
      if (packet.payload() != 0)
        out.push_back({p.a.now, static_cast<uint32_t>(packet.bytes.size() + 4 + kLinkOverhead)});
    }
    p.b.give(from_a);
    p.a.give(from_b);
    if (from_a.empty() && from_b.empty() && !p.advance_to_wake()) return out;
  }
  ADD_FAILURE() << "it does not end";
  return out;
}

// Bits per second between the first packet and the last.
double rate_of(const std::vector<Departure>& packets) {
  uint64_t bytes = 0;
  for (size_t i = 0; i + 1 < packets.size(); ++i) bytes += packets[i].bytes;
  return static_cast<double>(bytes) * 8e9 / static_cast<double>(packets.back().time - packets.front().time);
}

TEST(Pacing, ARequesterThatWasNotifiedSendsAtItsRate) {
  Pair p(dcqcn());
  notify(p.a);
  EXPECT_EQ(p.a.qp->congestion(p.a.now).rate, kLine / 2);
  p.a.fill(0, 1 << 18, 3);
  ASSERT_EQ(p.a.post_write(0, 1 << 18), 0);  // 43 us at half the line: within the first period
  const auto packets = departures(p, p.a);
  ASSERT_EQ(packets.size(), 64u);
  EXPECT_NEAR(rate_of(packets), kLine / 2, kLine / 2 * 0.002);
  for (size_t i = 1; i < packets.size(); ++i) EXPECT_GT(packets[i].time, packets[i - 1].time);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 1 << 18), 0);
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
}

TEST(Pacing, ARequesterThatWasNotNotifiedSendsAtOnce) {
  Pair p(dcqcn());
  ASSERT_EQ(p.a.post_write(0, 1 << 17), 0);
  EXPECT_EQ(p.a.take().size(), 32u);
}

TEST(Pacing, ReadResponsesArePacedByTheirSender) {
  Pair p(dcqcn());
  notify(p.b);
  p.b.fill(0, 1 << 18, 4);
  ASSERT_EQ(p.a.post_read(0, 1 << 18), 0);
  const auto packets = departures(p, p.b);
  ASSERT_EQ(packets.size(), 64u);
  EXPECT_NEAR(rate_of(packets), kLine / 2, kLine / 2 * 0.002);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 1 << 18), 0);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 0u);
}

TEST(Pacing, AnAckBehindPacedResponsesWakesNobody) {
  Pair p(dcqcn());
  notify(p.b);
  ASSERT_EQ(p.a.post_write(0, 8), 0);
  ASSERT_EQ(p.a.post_read(0, 1 << 16), 0);
  p.b.give(p.a.take());
  const auto first = p.b.take(kDeferAcks);
  ASSERT_FALSE(first.empty());
  EXPECT_GT(p.b.engine.next_wake(), p.b.now);
}

TEST(Pacing, ASlowRateIsNoReasonForATimeout) {
  Options o = dcqcn();
  o.timeout = 10;  // 4.2 ms; a packet takes 33 ms of a link of 1 Mb/s
  Pair p(o);
  for (int n = 0; n < 20; ++n) notify(p.a);
  EXPECT_EQ(p.a.qp->congestion(p.a.now).rate, 1'000'000u);
  ASSERT_EQ(p.a.post_write(0, 1 << 17), 0);
  departures(p, p.a);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 0u);
}

TEST(Pacing, OtherQpsGoOnMeanwhile) {
  Pair p(dcqcn());
  Qp* other = *p.a.engine.create_qp(p.a.qp->init());
  ASSERT_NE(other, nullptr);
  for (int n = 0; n < 20; ++n) notify(p.a);
  ASSERT_EQ(p.a.post_write(0, 1 << 16), 0);
  EXPECT_EQ(p.a.take().size(), 1u);
  EXPECT_FALSE(p.a.engine.tx_pending()) << "a paced QP is on no list";
}

TEST(DelayLaw, MeasuresRoundTripsAndIsAcknowledgedAtOnce) {
  Pair p(with({.congestion = SwiftParameters{}}));
  ASSERT_EQ(p.a.post_write(0, 100), 0);
  const auto packets = p.a.take();
  p.a.now += 7'000;
  p.b.now += 7'000;
  p.b.give(packets);
  const auto ack = p.b.take(kDeferAcks);
  ASSERT_EQ(ack.size(), 1u) << "not deferred";
  p.a.give(ack);
  EXPECT_EQ(p.a.qp->congestion(p.a.now).rtt, 7'000u);
}

TEST(DelayLaw, LimitsWhatIsInFlight) {
  Pair p(with({.congestion = SwiftParameters{}}));
  ASSERT_EQ(p.a.post_write(0, 1 << 17), 0);
  EXPECT_EQ(p.a.take().size(), 12u);
}

TEST(Timeouts, NeitherStretchNorCutTheWindowIfTheEngineSaysSo) {
  Options o;
  o.timeout = 8;
  o.engine.timeout_stretch = 0;
  o.engine.timeout_window_cut = 1;
  Pair p(o);
  ASSERT_EQ(p.a.post_write(0, 100 * 1024), 0);
  ASSERT_EQ(p.a.take().size(), 100u);
  for (int n = 1; n <= 7; ++n) {
    p.a.now += ack_timeout(8) - 1;
    p.a.engine.on_time(p.a.now);
    EXPECT_TRUE(p.a.take().empty()) << n;
    p.a.now += 1;
    p.a.engine.on_time(p.a.now);
    EXPECT_EQ(p.a.take().size(), 100u) << n;
  }
}

Options go_back_zero() {
  Options o = with({.recovery = RecoveryKind::go_back_0});
  o.mtu = 1024;
  return o;
}

TEST(GoBackZero, ALossCostsTheWholeMessage) {
  Pair p(go_back_zero());
  p.a.fill(0, 8192, 5);
  ASSERT_EQ(p.b.post_recv(0, 8192), 0);
  ASSERT_EQ(p.a.post_send(0, 8192), 0);
  auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 8u);
  packets.erase(packets.begin() + 5);
  p.b.give(packets);
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.aeth().syndrome, wire::aeth::kNakSequence);
  EXPECT_EQ(nak.psn(), 1000u) << "the first of the message";
  p.a.give(nak);
  const auto again = p.a.take();
  ASSERT_EQ(again.size(), 8u);
  EXPECT_EQ(again.front().psn(), 1000u);
  p.b.give(again);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  const Completion got = p.b.wc();
  EXPECT_EQ(got.byte_len, 8192u);
  EXPECT_EQ(got.wr_id, 1001u);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 8192), 0);
  EXPECT_EQ(p.a.engine.counters().retransmitted_pkts, 8u);
}

TEST(GoBackZero, TakesBackAcknowledgmentsWithinTheMessage) {
  Options o = go_back_zero();
  o.engine.ack_request_packets = 2;
  Pair p(o);
  ASSERT_EQ(p.a.post_write(0, 1024), 0);
  p.run();
  ASSERT_EQ(p.a.post_write(0, 8192), 0);
  auto packets = p.a.take();
  p.b.give({packets.begin(), packets.begin() + 4});
  const Packet ack = p.b.take_one();
  EXPECT_EQ(ack.psn(), 1004u);
  p.a.give(ack);
  p.b.give({packets.begin() + 5, packets.end()});
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.psn(), 1001u);
  p.a.give(nak);
  EXPECT_EQ(p.a.take().size(), 8u);
  // A copy of the NAK costs another round, and a late ACK of what was forgotten no more than that.
  p.a.give(nak);
  packets = p.a.take();
  p.a.give(ack);
  EXPECT_TRUE(p.a.poll().size() == 1) << "only the first WRITE is done";
  p.b.give(packets);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(GoBackZero, ATimeoutRestartsAndTheResponderForgets) {
  Pair p(go_back_zero());
  p.a.fill(0, 4096, 6);
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  auto packets = p.a.take();
  packets.pop_back();
  p.b.give(packets);  // the last is lost: nothing shows a gap
  EXPECT_TRUE(p.b.take().empty());
  p.advance(ack_timeout(14));
  const auto again = p.a.take();
  ASSERT_EQ(again.size(), 4u);
  p.b.give(again);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 4096), 0);
}

TEST(GoBackZero, ALostAckIsAnsweredAgain) {
  Pair p(go_back_zero());
  ASSERT_EQ(p.a.post_write(0, 4096), 0);
  p.b.give(p.a.take());
  EXPECT_EQ(p.b.take().size(), 1u);  // lost
  p.advance(ack_timeout(14));
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.engine.counters().naks_sent, 0u);
}

TEST(GoBackZero, ReadsGoBackToTheMissingResponse) {
  Pair p(go_back_zero());
  ASSERT_EQ(p.a.post_read(0, 8192), 0);
  p.b.give(p.a.take());
  auto responses = p.b.take();
  ASSERT_EQ(responses.size(), 8u);
  responses.erase(responses.begin() + 5);
  p.a.give(responses);
  p.b.give(p.a.take());
  EXPECT_EQ(p.b.take().size(), 3u);
}

}  // namespace
}  // namespace uroce::transport::test
