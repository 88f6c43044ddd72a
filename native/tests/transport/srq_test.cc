// Shared receive queues: who takes a receive and when, what runs dry, what a failing QP leaves behind.
#include <cerrno>

#include "pair.h"

namespace uroce::transport::test {
namespace {

namespace aeth = wire::aeth;

Options on_srq(uint32_t wrs = 16) {
  Options o;
  o.srq_wr = wrs;
  return o;
}

// A second QP of each side, connected to the other's, on the same queues.
struct Second {
  explicit Second(Pair& p) : pair(p) {
    for (Side* s : {&p.a, &p.b}) {
      first.push_back(s->qp);
      s->qp = *s->engine.create_qp({QpType::rc, s->pd, s->cq, s->cq, s->options.cap, false, nullptr, s->srq});
    }
    p.connect();
    swap();
  }
  void swap() {
    std::swap(pair.a.qp, first[0]);
    std::swap(pair.b.qp, first[1]);
  }
  Pair& pair;
  std::vector<Qp*> first;  // those not in use
};

TEST(SharedReceives, ServeEveryQueuePairInTheOrderOfMessages) {
  Pair p(on_srq());
  Second second(p);
  for (uint32_t i = 0; i < 4; ++i) p.b.post_recv(i * 4096, 4096);
  p.a.fill(0, 1000, 7);
  p.a.post_send(0, 100);
  p.run();
  second.swap();
  p.a.post_send(0, 200);
  p.run();
  second.swap();
  p.a.post_send(0, 300);
  p.run();
  const auto wcs = p.b.poll();
  ASSERT_EQ(wcs.size(), 3u);
  const uint32_t lengths[] = {100, 200, 300};
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(wcs[i].status, WcStatus::success);
    EXPECT_EQ(wcs[i].wr_id, 1001u + i);
    EXPECT_EQ(wcs[i].byte_len, lengths[i]);
  }
  EXPECT_EQ(wcs[0].qp_num, p.b.qp->qpn());
  EXPECT_EQ(wcs[1].qp_num, second.first[1]->qpn());
  EXPECT_EQ(p.b.srq->queued(), 1u);
  EXPECT_EQ(std::memcmp(p.a.base(), &p.b.byte(2 * 4096), 300), 0);
}

TEST(SharedReceives, BelongToTheMessageThatTookThemWhileOthersPass) {
  Pair p(on_srq());
  Second second(p);
  p.b.post_recv(0, 4096);
  p.b.post_recv(8192, 4096);
  p.a.fill(0, 3000, 1);
  p.a.fill(4096, 3000, 2);
  p.a.post_send(0, 3000);
  const auto first = p.a.take();
  second.swap();
  p.a.post_send(4096, 3000);
  const auto other = p.a.take();
  ASSERT_EQ(first.size(), 3u);
  ASSERT_EQ(other.size(), 3u);
  // Packet by packet in turns; the second message is complete first.
  p.b.give(first[0]);
  for (const Packet& packet : other) p.b.give(packet);
  p.b.give(first[1]);
  p.b.give(first[2]);
  const auto wcs = p.b.poll();
  ASSERT_EQ(wcs.size(), 2u);
  EXPECT_EQ(wcs[0].wr_id, 1002u);
  EXPECT_EQ(wcs[1].wr_id, 1001u);
  EXPECT_EQ(std::memcmp(&p.a.byte(0), &p.b.byte(0), 3000), 0);
  EXPECT_EQ(std::memcmp(&p.a.byte(4096), &p.b.byte(8192), 3000), 0);
}

TEST(SharedReceives, AnEmptyQueueIsReceiverNotReady) {
  Pair p(on_srq());
  p.a.post_send(0, 10);
  p.b.give(p.a.take());
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.aeth().syndrome, aeth::kRnrNak | 12);
  p.a.give(nak);
  p.b.post_recv(0, 10);
  p.advance(us(640));
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.wc().status, WcStatus::success);
}

TEST(SharedReceives, AWriteWithImmediateTakesOne) {
  Pair p(on_srq());
  p.b.post_recv(0, 0);
  p.a.post_op(WrOpcode::rdma_write_with_imm, 0, 5000);
  p.run();
  EXPECT_EQ(p.b.wc().opcode, WcOpcode::recv_rdma_with_imm);
  EXPECT_EQ(p.b.srq->queued(), 0u);
}

TEST(SharedReceives, AreTheirOwnDomainsToLandIn) {
  // The queue lives in another PD than the queue pair: its keys count, not the queue pair's.
  Pair p;
  const uint32_t other = p.b.engine.alloc_pd();
  const uint32_t key = *p.b.engine.reg_mr(other, p.b.base(), 0, 4096, access_flag::local_write);
  Srq* srq = *p.b.engine.create_srq(other, {4, 1, 0});
  EXPECT_EQ(p.b.engine.destroy_qp(p.b.qp), 0);
  p.b.qp = *p.b.engine.create_qp({QpType::rc, p.b.pd, p.b.cq, p.b.cq, p.b.options.cap, false, nullptr, srq});
  EXPECT_EQ(p.a.to(QpState::reset), 0);
  p.connect();
  const Sge good{0, 100, key}, bad{Side::va(0), 100, p.b.key};
  EXPECT_EQ(srq->post({1, &good, 1}), 0);
  EXPECT_EQ(srq->post({2, &bad, 1}), 0);
  p.a.post_send(0, 100);
  p.run();
  EXPECT_EQ(p.b.wc().status, WcStatus::success);
  p.a.post_send(0, 100);
  p.run();
  EXPECT_EQ(p.b.wc().status, WcStatus::loc_prot_err);
}

TEST(SharedReceives, AFailedQueuePairFlushesOnlyWhatItHadTaken) {
  Pair p(on_srq());
  p.b.post_recv(0, 4096);
  p.b.post_recv(4096, 4096);
  p.a.post_send(0, 3000);
  const auto packets = p.a.take();
  p.b.give(packets[0]);
  EXPECT_EQ(p.b.srq->queued(), 1u);
  EXPECT_EQ(p.b.to(QpState::err), 0);
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.status, WcStatus::wr_flush_err);
  EXPECT_EQ(wc.wr_id, 1001u);
  EXPECT_EQ(p.b.srq->queued(), 1u);
  ASSERT_EQ(p.b.events.qp.size(), 1u);
  EXPECT_EQ(p.b.events.qp[0], EventType::last_wqe_reached);
}

TEST(SharedReceives, OfAFailingQueuePairEndWithItsStatusAndTheLastWqeEvent) {
  Pair p(on_srq());
  p.b.post_recv(0, 10);
  p.a.post_send(0, 100);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::rem_inv_req_err);
  EXPECT_EQ(p.b.wc().status, WcStatus::loc_len_err);
  const std::vector<EventType> expected{EventType::last_wqe_reached, EventType::qp_req_err};
  EXPECT_EQ(p.b.events.qp, expected);
}

TEST(SharedReceives, StayThroughAResetAndServeTheNextConnection) {
  Pair p(on_srq());
  for (uint32_t i = 0; i < 3; ++i) p.b.post_recv(i * 4096, 4096);
  EXPECT_EQ(p.a.to(QpState::reset), 0);
  EXPECT_EQ(p.b.to(QpState::reset), 0);
  p.connect();
  p.a.post_send(0, 10);
  p.run();
  EXPECT_EQ(p.b.wc().wr_id, 1001u);
  EXPECT_TRUE(p.b.events.qp.empty());
}

TEST(SharedReceives, TheLimitIsToldOnce) {
  Pair p(on_srq());
  for (uint32_t i = 0; i < 6; ++i) p.b.post_recv(0, 64);
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {0, 0, 4}, srq_mask::limit), 0);
  for (uint32_t i = 0; i < 2; ++i) p.a.post_send(0, 10);
  p.run();
  EXPECT_EQ(p.b.srq->queued(), 4u);
  EXPECT_TRUE(p.b.events.srq.empty()) << "not below the limit yet";
  p.a.post_send(0, 10);
  p.run();
  ASSERT_EQ(p.b.events.srq.size(), 1u);
  EXPECT_EQ(p.b.events.srq[0], EventType::srq_limit_reached);
  EXPECT_EQ(p.b.srq->query().limit, 0u) << "disarmed";
  p.a.post_send(0, 10);
  p.run();
  EXPECT_EQ(p.b.events.srq.size(), 1u);
}

TEST(SharedReceives, ALimitArmedOnAnEmptyQueueIsToldWhenAMessageFindsItSo) {
  Pair p(on_srq());
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {0, 0, 1}, srq_mask::limit), 0);
  EXPECT_TRUE(p.b.events.srq.empty());
  p.a.post_send(0, 10);
  p.b.give(p.a.take());
  EXPECT_EQ(p.b.events.srq.size(), 1u);
}

TEST(SharedReceives, CanBeResizedAroundWhatIsPosted) {
  Pair p(on_srq(4));
  for (uint32_t i = 0; i < 3; ++i) p.b.post_recv(i * 64, 64);
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {2, 0, 0}, srq_mask::max_wr), EINVAL);
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {0, 0, 0}, srq_mask::max_wr), EINVAL);
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {1u << 30, 0, 0}, srq_mask::max_wr), EINVAL);
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {0, 0, 5}, srq_mask::limit), EINVAL) << "more than fit";
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {100, 0, 50}, srq_mask::max_wr | srq_mask::limit), 0);
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {49, 0, 0}, srq_mask::max_wr), EINVAL) << "less than the limit";
  EXPECT_EQ(p.b.srq->query().max_wr, 100u);
  EXPECT_EQ(p.b.engine.modify_srq(*p.b.srq, {0, 0, 0}, srq_mask::limit), 0);
  for (uint32_t i = 3; i < 100; ++i) EXPECT_EQ(p.b.post_recv(i * 64, 64), 0);
  EXPECT_EQ(p.b.post_recv(0, 64), ENOMEM);
  for (uint64_t i = 0; i < 10; ++i) {
    p.a.post_send(0, 10);
    p.run();
    EXPECT_EQ(p.b.wc().wr_id, 1001 + i);
  }
}

TEST(SharedReceives, HoldTheirDomainAndAreHeldByTheirQueuePairs) {
  Pair p(on_srq());
  EXPECT_EQ(p.b.engine.destroy_srq(p.b.srq), EBUSY);
  EXPECT_EQ(p.b.engine.destroy_qp(p.b.qp), 0);
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), 0);
  EXPECT_EQ(p.b.engine.dealloc_pd(p.b.pd), EBUSY);
  EXPECT_EQ(p.b.engine.destroy_srq(p.b.srq), 0);
  EXPECT_EQ(p.b.engine.destroy_srq(p.b.srq), EINVAL);
  EXPECT_EQ(p.b.engine.dealloc_pd(p.b.pd), 0);
}

TEST(SharedReceives, AreRefusedOutsideTheLimits) {
  Pair p(on_srq());
  Engine& e = p.b.engine;
  EXPECT_EQ(e.create_srq(p.b.pd, {0, 1, 0}).error(), EINVAL);
  EXPECT_EQ(e.create_srq(p.b.pd, {e.config().max_srq_wr + 1, 1, 0}).error(), EINVAL);
  EXPECT_EQ(e.create_srq(p.b.pd, {1, kMaxSge + 1, 0}).error(), EINVAL);
  EXPECT_EQ(e.create_srq(999, {1, 1, 0}).error(), EINVAL);
  const Sge list[5] = {};
  EXPECT_EQ(p.b.srq->post({1, list, 5}), EINVAL);
  EXPECT_EQ(e.post_recv(*p.b.qp, {1, list, 1}), EINVAL) << "the queue pair has no queue of its own";
  EXPECT_EQ(p.b.qp->query().cap.max_recv_wr, 0u);
}

}  // namespace
}  // namespace uroce::transport::test
