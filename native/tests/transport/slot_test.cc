// Free slots of a work queue: a slot is free when its completion, or a later one in the same queue, was
// polled.
#include <cerrno>

#include "pair.h"

namespace uroce::transport::test {
namespace {

constexpr uint32_t kDepth = 8;

Options small(QpType type = QpType::rc) {
  Options o;
  o.type = type;
  o.cap = {kDepth, kDepth, 2, 2, 64};
  o.cqe = 2 * kDepth;
  return o;
}

// Number of WRITEs that the queue accepts, each carried out before the next.
uint32_t fill(Pair& p, uint32_t flags = send_flag::signaled) {
  for (uint32_t posted = 0;; ++posted) {
    const int error = p.a.post_write(0, 10, flags);
    if (error != 0) {
      EXPECT_EQ(error, ENOMEM);
      return posted;
    }
    p.run();
  }
}

Completion poll_first(Side& side) {
  Completion wc{};
  EXPECT_EQ(side.cq->poll(&wc, 1), 1u);
  return wc;
}

TEST(Slots, OfSendsAreFreeWhenTheirCompletionIsPolled) {
  Pair p(small());
  EXPECT_EQ(fill(p), kDepth);
  EXPECT_TRUE(p.a.qp->send_idle());
  EXPECT_EQ(p.a.qp->send_room(), 0u);
  poll_first(p.a);
  EXPECT_EQ(p.a.qp->send_room(), 1u);
  EXPECT_EQ(fill(p), 1u);
  EXPECT_EQ(p.a.poll().size(), kDepth);
  EXPECT_EQ(fill(p), kDepth);
  EXPECT_EQ(p.a.qp->state(), QpState::rts);
}

TEST(Slots, OfUnsignaledSendsAreFreeWithALaterCompletion) {
  Pair p(small());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(p.a.post_write(0, 10, 0), 0);
  EXPECT_EQ(p.a.post_write(0, 10), 0);
  p.run();
  EXPECT_EQ(fill(p, 0), kDepth - 4);
  EXPECT_EQ(p.a.poll().size(), 1u);
  EXPECT_EQ(p.a.qp->send_room(), 4u);
  EXPECT_EQ(p.a.post_write(0, 10), 0);
  p.run();
  EXPECT_EQ(p.a.qp->send_room(), 3u);
  EXPECT_EQ(p.a.poll().size(), 1u);
  EXPECT_EQ(p.a.qp->send_room(), kDepth);
}

TEST(Slots, OfAQueueWithoutSignaledRequestsAreNeverFree) {
  Pair p(small());
  EXPECT_EQ(fill(p, 0), kDepth);
  EXPECT_TRUE(p.a.poll().empty());
  EXPECT_EQ(fill(p), 0u);
}

TEST(Slots, OfReceivesAreFreeWhenTheirCompletionIsPolled) {
  Pair p(small());
  for (uint32_t i = 0; i < kDepth; ++i) EXPECT_EQ(p.b.post_recv(i * 64, 64), 0);
  for (uint32_t i = 0; i < kDepth; ++i) EXPECT_EQ(p.a.post_send(0, 10), 0);
  p.run();
  EXPECT_EQ(p.b.qp->recv_queued(), 0u);
  EXPECT_EQ(p.b.post_recv(0, 64), ENOMEM);
  poll_first(p.b);
  EXPECT_EQ(p.b.post_recv(0, 64), 0);
  EXPECT_EQ(p.b.post_recv(0, 64), ENOMEM);
}

TEST(Slots, OfASharedQueueAreFreeWhenTheirReceiveIsTaken) {
  Options o = small();
  o.srq_wr = kDepth;
  Pair p(small(), o);
  for (uint32_t i = 0; i < kDepth; ++i) EXPECT_EQ(p.b.post_recv(i * 64, 64), 0);
  EXPECT_EQ(p.b.post_recv(0, 64), ENOMEM);
  EXPECT_EQ(p.a.post_send(0, 10), 0);
  p.run();
  EXPECT_EQ(p.b.post_recv(0, 64), 0);
  EXPECT_EQ(p.b.post_recv(0, 64), ENOMEM);
}

TEST(Slots, OfDatagramsAreFreeWhenTheirCompletionIsPolled) {
  for (const QpType type : {QpType::ud, QpType::uc}) {
    Pair p(small(type));
    uint32_t posted = 0;
    const auto post = [&] {
      return type == QpType::ud ? p.a.post_datagram(0, 10) : p.a.post_op(WrOpcode::send, 0, 10);
    };
    for (; post() == 0; ++posted) p.run();
    EXPECT_EQ(posted, kDepth);
    EXPECT_EQ(p.a.poll().size(), kDepth);
    EXPECT_EQ(post(), 0);
  }
}

// A list is checked as a whole (ibv_wr_complete).
TEST(Slots, AreCountedForAList) {
  Pair p(small());
  EXPECT_EQ(fill(p), kDepth);
  for (int i = 0; i < 3; ++i) poll_first(p.a);
  const Sge s = p.a.sge(0, 10);
  const SendWr w = p.a.wr(WrOpcode::rdma_write, &s, 1, 0, p.b.key);
  EXPECT_EQ(p.a.engine.check_send(*p.a.qp, w, 2), 0);
  EXPECT_EQ(p.a.engine.check_send(*p.a.qp, w, 3), ENOMEM);
}

// A failed QP floods no CQ.
TEST(Slots, OfFlushedRequestsAreInUseUntilPolled) {
  Pair p(small());
  EXPECT_EQ(p.a.to(QpState::err), 0);
  uint32_t sends = 0, receives = 0;
  while (p.a.post_write(0, 10) == 0) ++sends;
  while (p.a.post_recv(0, 10) == 0) ++receives;
  EXPECT_EQ(sends, kDepth);
  EXPECT_EQ(receives, kDepth);
  EXPECT_EQ(p.a.events.cq_errors, 0);
  EXPECT_EQ(p.a.poll().size(), 2 * kDepth);
  EXPECT_EQ(p.a.post_write(0, 10), 0);
  EXPECT_EQ(p.a.post_recv(0, 10), 0);
}

// An unsignaled WR that fails has a completion.
TEST(Slots, OfAFailedRequestAndThoseBeforeItAreFreeWithItsCompletion) {
  Pair p(small());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(p.a.post_write(0, 10, 0), 0);
  const Sge s = p.a.sge(0, 10);
  SendWr bad = p.a.wr(WrOpcode::rdma_write, &s, 1, 0, p.b.key + 1);
  bad.flags = 0;
  EXPECT_EQ(p.a.post(bad), 0);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::rem_access_err);
  EXPECT_EQ(p.a.qp->send_room(), kDepth);
}

TEST(Slots, AreAllFreeAfterAReset) {
  Pair p(small());
  EXPECT_EQ(fill(p), kDepth);
  for (uint32_t i = 0; i < kDepth; ++i) EXPECT_EQ(p.a.post_recv(0, 64), 0);
  EXPECT_EQ(p.a.to(QpState::reset), 0);
  p.a.cq->purge(p.a.qp->qpn());
  EXPECT_EQ(p.a.qp->send_room(), kDepth);
  EXPECT_EQ(p.a.to_init(), 0);
  for (uint32_t i = 0; i < kDepth; ++i) EXPECT_EQ(p.a.post_recv(0, 64), 0);
  EXPECT_EQ(p.a.post_recv(0, 64), ENOMEM);
}

// Completions from before a reset that are polled after it free no slots of later posts.
TEST(Slots, AreNotFreedByCompletionsFromBeforeAReset) {
  Pair p(small());
  EXPECT_EQ(fill(p), kDepth);
  EXPECT_EQ(p.a.to(QpState::reset), 0);
  EXPECT_EQ(p.a.to_init(), 0);
  EXPECT_EQ(p.a.to_rtr(p.b, 1000), 0);
  EXPECT_EQ(p.a.to_rts(), 0);
  for (uint32_t i = 0; i < kDepth; ++i) EXPECT_EQ(p.a.post_write(0, 10), 0);
  EXPECT_EQ(p.a.poll().size(), kDepth);
  EXPECT_EQ(p.a.post_write(0, 10), ENOMEM);
}

// Two QPs complete into one CQ: the completions of each free only its own slots, also after the other is
// gone and the CQ was resized.
TEST(Slots, OfTwoQpsOnOneCqAreTheirOwn) {
  Pair p(small());
  Qp* first = p.a.qp;
  p.a.qp =
      *p.a.engine.create_qp({QpType::rc, p.a.pd, p.a.cq, p.a.cq, {kDepth, kDepth, 2, 2, 0}, false, nullptr});
  Qp* second = p.a.qp;
  EXPECT_EQ(p.a.to_init(), 0);
  EXPECT_EQ(p.a.to(QpState::err), 0);
  for (uint32_t i = 0; i < kDepth / 2; ++i) {
    p.a.qp = first;
    EXPECT_EQ(p.a.post_write(0, 10), 0);
    p.run();
    p.a.qp = second;
    EXPECT_EQ(p.a.post_write(0, 10), 0);  // flushed
  }
  p.a.qp = first;
  EXPECT_EQ(first->send_room(), kDepth / 2);
  EXPECT_EQ(second->send_room(), kDepth / 2);
  EXPECT_EQ(p.a.cq->resize(3 * kDepth), 0);
  const uint32_t gone = second->qpn();
  EXPECT_EQ(p.a.engine.destroy_qp(second), 0);
  p.a.cq->purge(gone);
  poll_first(p.a);
  EXPECT_EQ(first->send_room(), kDepth / 2 + 1);
  EXPECT_EQ(p.a.poll().size(), kDepth / 2 - 1);
  EXPECT_EQ(first->send_room(), kDepth);
}

TEST(Slots, OfAQueueWithoutEntriesAreNone) {
  Options o = small();
  o.cap = {0, 0, 1, 1, 0};
  Pair p(o);
  EXPECT_EQ(p.a.post_write(0, 10), ENOMEM);
  EXPECT_EQ(p.a.post_recv(0, 10), ENOMEM);
}

// The maximum number of outstanding requests, at every moment of a long exchange.
TEST(Slots, KeepACqAsLargeAsItsQueuesFromOverrunning) {
  Pair p(small());
  SeededRandom random(7);
  uint64_t polled = 0;
  for (int round = 0; round < 20'000; ++round) {
    p.advance(ms(1));  // a receive may come late
    for (Side* side : {&p.a, &p.b}) {
      while (side->post_recv(0, 64) == 0) {
      }
      while (random.next() % 4 != 0 &&
             side->post_op(WrOpcode::send, 0, 10, random.next() % 8 == 0 ? 0 : send_flag::signaled) == 0) {
      }
      if (random.next() % 3 == 0) p.run();
      Completion wcs[5];
      polled += side->cq->poll(wcs, random.next() % 6);
    }
    ASSERT_EQ(p.a.events.cq_errors, 0);
    ASSERT_EQ(p.b.events.cq_errors, 0);
  }
  EXPECT_GT(polled, 1000u);
}

}  // namespace
}  // namespace uroce::transport::test
