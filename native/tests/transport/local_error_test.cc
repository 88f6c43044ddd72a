// Errors that a QP finds on its own side, and their effect on its queues: wrong local keys, wrong
// responses, flushing, a CQ without room.
#include "pair.h"

namespace uroce::transport::test {
namespace {

namespace op = wire::opcode;

TEST(LocalProtection, BadLkeyFailsBeforeAnythingIsSent) {
  Pair p;
  const Sge s{Side::va(0), 10, p.a.key ^ 1};
  p.a.post(write_of(p, s, 0, p.b.key));
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.wc().status, WcStatus::loc_prot_err);
  EXPECT_EQ(p.a.qp->state(), QpState::err);
  EXPECT_EQ(p.b.qp->state(), QpState::rts);
  EXPECT_EQ(p.a.engine.counters().send_err, 1u);
}

// Local keys for an answer are checked when it arrives, as in adapters and rxe: an error of the peer counts
// first.
TEST(LocalProtection, ReadAndAtomicNeedLocalWriteWhenTheAnswerComes) {
  for (const WrOpcode opcode : {WrOpcode::rdma_read, WrOpcode::atomic_cmp_and_swp}) {
    for (const bool bad_rkey : {false, true}) {
      Options oa;
      oa.access = access_flag::remote_read;
      Pair p(oa, Options{});
      const Sge s = p.a.sge(0, 8);
      SendWr w = p.a.wr(opcode, &s, 1, 0, p.b.key ^ (bad_rkey ? 0x100 : 0));
      w.swap = 3;
      p.a.post(w);
      p.run();
      EXPECT_EQ(p.a.wc().status, bad_rkey ? WcStatus::rem_access_err : WcStatus::loc_prot_err);
      EXPECT_EQ(p.b.word(0), opcode == WrOpcode::rdma_read || bad_rkey ? 0u : 3u);
    }
  }
}

TEST(LocalProtection, FailsInOrderBehindWhatWasSent) {
  Pair p;
  p.a.post_write(0, 10);
  const Sge s{Side::va(0), 10, p.a.key ^ 1};
  p.a.post(write_of(p, s, 0, p.b.key));
  p.a.post_write(0, 10);
  const auto sent = p.a.take();
  EXPECT_EQ(sent.size(), 1u);
  EXPECT_TRUE(p.a.poll().empty());
  p.b.give(sent);
  p.a.give(p.b.take());
  const auto wcs = p.a.poll();
  ASSERT_EQ(wcs.size(), 3u);
  EXPECT_EQ(wcs[0].status, WcStatus::success);
  EXPECT_EQ(wcs[1].status, WcStatus::loc_prot_err);
  EXPECT_EQ(wcs[2].status, WcStatus::wr_flush_err);
}

TEST(LocalProtection, IsCountedOnceHoweverOftenTheQpGoesBack) {
  Pair p;
  p.a.post_write(0, 10);
  const Sge s{Side::va(0), 10, p.a.key ^ 1};
  p.a.post(write_of(p, s, 0, p.b.key));
  EXPECT_EQ(p.a.take().size(), 1u);  // lost
  for (const bool lost : {true, false}) {
    ASSERT_TRUE(p.advance_to_wake());
    const auto again = p.a.take();
    ASSERT_EQ(again.size(), 1u);
    if (!lost) p.b.give(again);
  }
  EXPECT_EQ(p.a.engine.counters().completer_retry_err, 2u);
  p.a.give(p.b.take());
  const auto wcs = p.a.poll();
  ASSERT_EQ(wcs.size(), 2u);
  EXPECT_EQ(wcs[1].status, WcStatus::loc_prot_err);
  EXPECT_EQ(p.a.engine.counters().send_err, 1u);
}

TEST(LocalProtection, FailsInTheMiddleOfAMessage) {
  Pair p;
  const Sge list[] = {p.a.sge(0, 1500), {Side::va(0), 1500, p.a.key ^ 1}};
  p.a.post(p.a.wr(WrOpcode::rdma_write, list, 2, 0, p.b.key));
  p.a.take();
  EXPECT_EQ(p.a.wc().status, WcStatus::loc_prot_err);
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
}

TEST(LocalProtection, RegionTakenAwayBeforeTheReadResponse) {
  Pair p;
  p.a.post_read(0, 100);
  p.b.give(p.a.take());
  EXPECT_EQ(p.a.engine.dereg_mr(p.a.key), 0);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::loc_prot_err);
}

TEST(LocalOperation, ReadWithoutPermissionToHaveOneOutstanding) {
  Options oa;
  oa.rd_atomic = 0;
  Pair p(oa, Options{});
  p.a.post_read(0, 100);
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.wc().status, WcStatus::loc_qp_op_err);
}

TEST(BadResponse, ReadResponseOfTheWrongLength) {
  Pair p;
  p.a.post_read(0, 100);
  p.b.give(p.a.take());
  Packet r = p.b.take_one();
  r.bytes.resize(r.bytes.size() - 4);
  p.a.give(r);
  EXPECT_EQ(p.a.wc().status, WcStatus::bad_resp_err);
  EXPECT_EQ(p.a.qp->state(), QpState::err);
}

TEST(BadResponse, ReadResponseInAnotherPlaceThanItsOpcodeSays) {
  struct Case {
    size_t response;
    uint8_t opcode;
  };
  for (const Case c : {Case{0, op::read_response_only}, Case{1, op::read_response_last}}) {
    Pair p;
    p.a.post_read(0, 3000);
    p.b.give(p.a.take());
    auto responses = p.b.take();
    ASSERT_EQ(responses.size(), 3u);
    Packet& r = responses[c.response];
    if (c.opcode == op::read_response_last) r.bytes.insert(r.bytes.begin() + 12, 4, 0);  // an AETH
    r.bytes[0] = c.opcode;
    p.a.give(responses);
    EXPECT_EQ(p.a.wc().status, WcStatus::bad_resp_err) << int{c.opcode};
  }
}

TEST(BadResponse, ReadResponseWithASyndromeThatIsNoAck) {
  Pair p;
  p.a.post_read(0, 100);
  p.b.give(p.a.take());
  Packet r = p.b.take_one();
  r.bytes[12] = wire::aeth::kNakRemoteAccess;
  p.a.give(r);
  EXPECT_EQ(p.a.wc().status, WcStatus::bad_resp_err);
}

TEST(Flush, QpToErrorFlushesBothQueues) {
  Pair p;
  p.a.post_recv(0, 10);
  p.a.post_recv(0, 10);
  p.a.post_write(0, 10, 0);
  p.a.post_write(0, 10);
  EXPECT_EQ(p.a.to(QpState::err), 0);
  const auto wcs = p.a.poll();
  ASSERT_EQ(wcs.size(), 4u);
  for (const Completion& wc : wcs) {
    EXPECT_EQ(wc.status, WcStatus::wr_flush_err);
    EXPECT_EQ(wc.qp_num, p.a.qp->qpn());
  }
  EXPECT_EQ(wcs[0].wr_id, 1u);
  EXPECT_EQ(wcs[2].wr_id, 1001u);
  EXPECT_TRUE(p.a.take().empty());
}

TEST(Flush, PostsInErrorCompleteAtOnce) {
  Pair p;
  p.a.to(QpState::err);
  EXPECT_EQ(p.a.post_write(0, 10), 0);
  EXPECT_EQ(p.a.wc().status, WcStatus::wr_flush_err);
  EXPECT_EQ(p.a.post_recv(0, 10), 0);
  EXPECT_EQ(p.a.wc().status, WcStatus::wr_flush_err);
}

TEST(Flush, ReceiveUnderWayIsFlushed) {
  Pair p;
  p.b.post_recv(0, 5000);
  p.a.post_send(0, 3000);
  p.b.give(p.a.take()[0]);
  p.b.to(QpState::err);
  EXPECT_EQ(p.b.wc().status, WcStatus::wr_flush_err);
}

TEST(Flush, ErrorStateIgnoresPackets) {
  Pair p;
  p.a.post_write(0, 10);
  const Packet w = p.a.take_one();
  p.b.to(QpState::err);
  p.b.give(w);
  EXPECT_TRUE(p.b.take().empty());
  EXPECT_EQ(p.b.engine.counters().wrong_state_pkts, 1u);
}

TEST(CqOverrun, RaisesAnEventAndFailsTheQp) {
  Options oa;
  oa.cqe = 2;
  Pair p(oa, Options{});
  for (int i = 0; i < 4; ++i) p.a.post_write(0, 10);
  p.run();
  EXPECT_EQ(p.a.events.cq_errors, 1);
  EXPECT_EQ(p.a.qp->state(), QpState::err);
  EXPECT_EQ(p.a.events.qp, std::vector{EventType::qp_fatal});
  EXPECT_EQ(p.a.poll().size(), 2u);
}

TEST(CqOverrun, OnTheReceivingSide) {
  Options ob;
  ob.cqe = 1;
  Pair p(Options{}, ob);
  p.b.post_recv(0, 10);
  p.b.post_recv(0, 10);
  p.a.post_send(0, 10);
  p.a.post_send(0, 10);
  p.b.give(p.a.take());
  EXPECT_EQ(p.b.events.cq_errors, 1);
  EXPECT_EQ(p.b.qp->state(), QpState::err);
}

}  // namespace
}  // namespace uroce::transport::test
