// modify_qp and the states: allowed and refused calls, and their effects.
#include <cerrno>

#include "pair.h"
#include "uroce/transport/qp_state.h"

namespace uroce::transport::test {
namespace {

namespace m = qp_mask;

Options unconnected() {
  Options o;
  o.connect = false;
  return o;
}

TEST(Modify, TheMasksThatProgramsUseAreAccepted) {
  EXPECT_TRUE(modify_mask_ok(QpType::rc, QpState::reset, QpState::init, 0x39));
  EXPECT_TRUE(modify_mask_ok(QpType::rc, QpState::init, QpState::rtr, 0x129181));
  EXPECT_TRUE(modify_mask_ok(QpType::rc, QpState::rtr, QpState::rts, 0x12e01));
  EXPECT_TRUE(modify_mask_ok(QpType::rc, QpState::rts, QpState::sqd, m::state));
  EXPECT_TRUE(modify_mask_ok(QpType::rc, QpState::rts, QpState::sqd, m::state | m::en_sqd_async_notify));
  EXPECT_TRUE(modify_mask_ok(QpType::rc, QpState::sqd, QpState::rts, m::state));
}

TEST(Modify, EachRequiredAttributeIsRequired) {
  const struct {
    QpState from, to;
    uint32_t mask;
  } cases[] = {{QpState::reset, QpState::init, 0x39},
               {QpState::init, QpState::rtr, 0x129181},
               {QpState::rtr, QpState::rts, 0x12e01}};
  for (const auto& c : cases) {
    for (uint32_t bit = 2; bit <= 1 << 20; bit <<= 1) {
      const bool required = c.mask & bit;
      EXPECT_EQ(modify_mask_ok(QpType::rc, c.from, c.to, c.mask & ~bit), !required) << bit;
    }
  }
}

TEST(Modify, AttributesThatDoNotBelongAreRefused) {
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::reset, QpState::init, 0x39 | m::qkey));
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::init, QpState::rtr, 0x129181 | m::timeout));
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::rtr, QpState::rts, 0x12e01 | m::path_mtu));
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::rts, QpState::rts, m::state | m::sq_psn));
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::rts, QpState::err, m::state | m::access_flags));
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::init, QpState::init, m::state | m::cur_state));
}

TEST(Modify, OnlyTheKernelsTransitionsExist) {
  const QpState all[] = {QpState::reset, QpState::init, QpState::rtr, QpState::rts,
                         QpState::sqd,   QpState::sqe,  QpState::err};
  for (QpState from : all) {
    EXPECT_TRUE(modify_mask_ok(QpType::rc, from, QpState::reset, m::state));
    EXPECT_EQ(modify_mask_ok(QpType::rc, from, QpState::err, m::state), from != QpState::reset);
  }
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::reset, QpState::rtr, 0x129181));
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::init, QpState::rts, 0x12e01));
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::rtr, QpState::rtr, m::state));
  EXPECT_FALSE(modify_mask_ok(QpType::rc, QpState::err, QpState::init, 0x39));
}

TEST(Modify, ValuesOutOfRangeAreRefusedAndChangeNothing) {
  Pair p(unconnected());
  Side& a = p.a;
  ASSERT_EQ(a.to_init(), 0);
  const auto rtr = [&](auto change) {
    QpAttr attr;
    attr.qp_state = QpState::rtr;
    attr.path_mtu = 1024;
    change(attr);
    return a.engine.modify_qp(*a.qp, attr, 0x129181, 0);
  };
  EXPECT_EQ(rtr([](QpAttr& x) { x.path_mtu = 1500; }), EINVAL);
  EXPECT_EQ(rtr([](QpAttr& x) { x.dest_qp_num = 1 << 24; }), EINVAL);
  EXPECT_EQ(rtr([](QpAttr& x) { x.max_dest_rd_atomic = 129; }), EINVAL);
  EXPECT_EQ(rtr([](QpAttr& x) { x.min_rnr_timer = 32; }), EINVAL);
  EXPECT_EQ(a.qp->state(), QpState::init);
  EXPECT_EQ(rtr([](QpAttr&) {}), 0);
  const auto rts = [&](auto change) {
    QpAttr attr;
    attr.qp_state = QpState::rts;
    change(attr);
    return a.engine.modify_qp(*a.qp, attr, 0x12e01, 0);
  };
  EXPECT_EQ(rts([](QpAttr& x) { x.timeout = 32; }), EINVAL);
  EXPECT_EQ(rts([](QpAttr& x) { x.retry_cnt = 8; }), EINVAL);
  EXPECT_EQ(rts([](QpAttr& x) { x.rnr_retry = 8; }), EINVAL);
  EXPECT_EQ(rts([](QpAttr& x) { x.max_rd_atomic = 129; }), EINVAL);
  EXPECT_EQ(a.qp->state(), QpState::rtr);
}

TEST(Modify, PortAndPkeyIndexMustExist) {
  Pair p(unconnected());
  QpAttr attr;
  attr.qp_state = QpState::init;
  attr.port_num = 2;
  EXPECT_EQ(p.a.engine.modify_qp(*p.a.qp, attr, 0x39, 0), EINVAL);
  attr.port_num = 1;
  attr.pkey_index = 1;
  EXPECT_EQ(p.a.engine.modify_qp(*p.a.qp, attr, 0x39, 0), EINVAL);
}

TEST(Modify, WrongCurrentStateIsRefused) {
  Pair p;
  QpAttr attr;
  attr.qp_state = QpState::rts;
  attr.cur_qp_state = QpState::sqd;
  EXPECT_EQ(p.a.engine.modify_qp(*p.a.qp, attr, m::state | m::cur_state, 0), EINVAL);
  attr.cur_qp_state = QpState::rts;
  EXPECT_EQ(p.a.engine.modify_qp(*p.a.qp, attr, m::state | m::cur_state, 0), 0);
}

TEST(Query, TellsWhatWasSet) {
  Pair p;
  const QpAttr q = p.a.qp->query();
  EXPECT_EQ(q.qp_state, QpState::rts);
  EXPECT_EQ(q.cur_qp_state, QpState::rts);
  EXPECT_EQ(q.path_mtu, 1024);
  EXPECT_EQ(q.timeout, 14);
  EXPECT_EQ(q.sq_psn, 1000u);
  EXPECT_EQ(q.dest_qp_num, p.b.qp->qpn());
  EXPECT_EQ(q.cap.max_send_wr, 128u);
}

TEST(Post, StatesDecideWhatMayBePosted) {
  Pair p(unconnected());
  Side& a = p.a;
  EXPECT_EQ(a.post_recv(0, 10), EINVAL);
  EXPECT_EQ(a.post_write(0, 10), EINVAL);
  a.to_init();
  EXPECT_EQ(a.post_recv(0, 10), 0);
  EXPECT_EQ(a.post_write(0, 10), EINVAL);
  a.to_rtr(p.b, 0);
  EXPECT_EQ(a.post_write(0, 10), EINVAL);
  a.to_rts();
  EXPECT_EQ(a.post_write(0, 10), 0);
}

TEST(Post, FullQueuesAnswerEnomem) {
  Pair p;
  for (int i = 0; i < 128; ++i) ASSERT_EQ(p.a.post_write(0, 1), 0);
  EXPECT_EQ(p.a.post_write(0, 1), ENOMEM);
  for (int i = 0; i < 128; ++i) ASSERT_EQ(p.a.post_recv(0, 1), 0);
  EXPECT_EQ(p.a.post_recv(0, 1), ENOMEM);
  p.run();
  EXPECT_EQ(p.a.post_write(0, 1), ENOMEM);
  p.a.poll();
  EXPECT_EQ(p.a.post_write(0, 1), 0);
}

TEST(Post, BadRequestsAreRefused) {
  Pair p;
  const Sge s[5] = {p.a.sge(0, 8), p.a.sge(0, 8), p.a.sge(0, 8), p.a.sge(0, 8), p.a.sge(0, 8)};
  const auto result = [&](WrOpcode opcode, uint32_t n, auto change) {
    SendWr w = p.a.wr(opcode, s, n, 0, p.b.key);
    change(w);
    return p.a.post(w);
  };
  const auto nothing = [](SendWr&) {};
  EXPECT_EQ(result(WrOpcode::send, 5, nothing), EINVAL);             // max_send_sge is 4
  EXPECT_EQ(result(static_cast<WrOpcode>(10), 1, nothing), EINVAL);  // TSO and beyond
  EXPECT_EQ(result(WrOpcode::bind_mw, 0, nothing), EINVAL);          // what?
  EXPECT_EQ(result(WrOpcode::rdma_read, 1, [](SendWr& w) { w.flags |= send_flag::inline_data; }), EINVAL);
  const Sge big{Side::va(0), 257, p.a.key};
  EXPECT_EQ(result(WrOpcode::send, 1,
                   [&](SendWr& w) {
                     w.sg_list = &big;
                     w.flags |= send_flag::inline_data;
                   }),
            EINVAL);
  const Sge huge{Side::va(0), (1u << 30) + 1, p.a.key};
  EXPECT_EQ(result(WrOpcode::rdma_write, 1, [&](SendWr& w) { w.sg_list = &huge; }), EINVAL);
  EXPECT_EQ(p.a.engine.post_recv(*p.a.qp, {1, s, 5}), EINVAL);
  EXPECT_TRUE(p.a.take().empty());
}

TEST(Reset, DropsEverythingWithoutCompletions) {
  Pair p;
  p.a.post_recv(0, 10);
  p.a.post_write(0, 10);
  p.a.take();
  EXPECT_EQ(p.a.to(QpState::reset), 0);
  EXPECT_TRUE(p.a.poll().empty());
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
  EXPECT_EQ(p.a.qp->send_queued(), 0u);
}

TEST(Reset, TheQpCanBeConnectedAnew) {
  Pair p;
  p.a.post_write(0, 5000);
  p.b.give(p.a.take()[0]);
  EXPECT_EQ(p.a.to(QpState::reset), 0);
  EXPECT_EQ(p.b.to(QpState::reset), 0);
  p.connect();
  p.a.fill(0, 5000, 8);
  p.a.post_write(0, 5000);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 5000), 0);
}

// Reported once, by the first request; a QP in RTS reports nothing.
TEST(Established, IsSaidByTheFirstRequestInRtr) {
  Options o;
  o.connect = false;
  Pair p(o);
  for (Side* side : {&p.a, &p.b}) ASSERT_EQ(side->to_init(), 0);
  ASSERT_EQ(p.a.to_rtr(p.b, p.b.options.sq_psn), 0);
  ASSERT_EQ(p.b.to_rtr(p.a, p.a.options.sq_psn), 0);
  ASSERT_EQ(p.a.to_rts(), 0);
  p.a.post_write(0, 10);
  p.a.post_write(0, 10);
  p.run();
  EXPECT_EQ(p.b.events.qp, std::vector{EventType::comm_est});
  ASSERT_EQ(p.b.to_rts(), 0);
  p.a.post_write(0, 10);
  p.b.post_write(0, 10);
  p.run();
  EXPECT_EQ(p.b.events.qp, std::vector{EventType::comm_est});
  EXPECT_TRUE(p.a.events.qp.empty());
}

TEST(Drain, FinishesWhatWasStartedAndBeginsNothing) {
  Options o;
  o.engine.window_packets = 2;
  Pair p(o);
  p.a.post_write(0, 3000);
  p.a.post_write(0, 10);
  const auto first = p.a.take();  // two of three packets
  EXPECT_EQ(first.size(), 2u);
  EXPECT_EQ(p.a.to(QpState::sqd, m::en_sqd_async_notify), 0);
  EXPECT_EQ(p.a.qp->query().sq_draining, 1);
  EXPECT_TRUE(p.a.events.qp.empty());
  p.b.give(first);
  p.a.give(p.b.take());
  p.run();
  EXPECT_EQ(p.a.wc().wr_id, 1u);
  EXPECT_EQ(p.a.events.qp, std::vector{EventType::sq_drained});
  EXPECT_EQ(p.a.qp->query().sq_draining, 0);
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.to(QpState::rts), 0);
  p.run();
  EXPECT_EQ(p.a.wc().wr_id, 2u);
}

TEST(Drain, OfAnIdleQueueIsDoneAtOnce) {
  Pair p;
  EXPECT_EQ(p.a.to(QpState::sqd, m::en_sqd_async_notify), 0);
  EXPECT_EQ(p.a.events.qp, std::vector{EventType::sq_drained});
}

TEST(Drain, WithoutBeingAskedRaisesNoEvent) {
  Pair p;
  QpAttr attr;
  attr.qp_state = QpState::sqd;
  EXPECT_EQ(p.a.engine.modify_qp(*p.a.qp, attr, m::state, 0), 0);
  EXPECT_TRUE(p.a.events.qp.empty());
}

TEST(Drain, MayNotBeLeftBeforeItIsDone) {
  Pair p;
  p.a.post_write(0, 10);
  const auto sent = p.a.take();
  EXPECT_EQ(p.a.to(QpState::sqd), 0);
  EXPECT_EQ(p.a.to(QpState::rts), EINVAL);
  p.b.give(sent);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.to(QpState::rts), 0);
}

TEST(Drain, RecoversLoss) {
  Pair p;
  p.a.post_write(0, 10);
  p.a.take();
  p.a.to(QpState::sqd, m::en_sqd_async_notify);
  p.advance(ack_timeout(14));
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.a.events.qp, std::vector{EventType::sq_drained});
}

// SQD stops the send queue only: answers to the peer are still due.
TEST(Drain, ResponderResourcesOutliveTheirChange) {
  for (const uint8_t resources : {4, 16, 1}) {
    Pair p;
    p.b.fill(0, 4096, 3);
    p.a.post_read(0, 2000);
    p.a.post_read(2048, 2000);
    p.b.give(p.a.take());
    EXPECT_EQ(p.b.to(QpState::sqd), 0);
    QpAttr attr;
    attr.max_dest_rd_atomic = resources;
    EXPECT_EQ(p.b.engine.modify_qp(*p.b.qp, attr, m::max_dest_rd_atomic, p.b.now), 0);
    p.a.give(p.b.take());
    EXPECT_EQ(p.a.poll().size(), 2u) << int{resources};
    EXPECT_EQ(std::memcmp(p.a.base() + 2048, p.b.base() + 2048, 2000), 0);
    // The peer may ask for the last atomic again.
    p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 5000, 6000, 1);
    const auto request = p.a.take();
    p.b.give(request);
    p.b.take();
    EXPECT_EQ(p.b.engine.modify_qp(*p.b.qp, attr, m::max_dest_rd_atomic, p.b.now), 0);
    p.b.give(request);
    EXPECT_EQ(p.b.take_one().opcode(), wire::opcode::atomic_acknowledge);
    EXPECT_EQ(p.b.word(6000), 1u);
  }
}

TEST(Drain, PostsWaitForTheReturn) {
  Pair p;
  p.a.to(QpState::sqd);
  EXPECT_EQ(p.a.post_write(0, 10), 0);
  EXPECT_TRUE(p.a.take().empty());
  p.a.to(QpState::rts);
  EXPECT_EQ(p.a.take().size(), 1u);
}

TEST(Destroy, InTheMiddleOfThingsLeavesNothingBehind) {
  Options o;
  o.engine.engine_window_bytes = 2048;
  Pair p(o);
  Qp* second = *p.a.engine.create_qp({QpType::rc, p.a.pd, p.a.cq, p.a.cq, {8, 8, 1, 1, 0}, false, nullptr});
  p.a.post_write(0, 100'000);
  EXPECT_EQ(p.a.take().size(), 2u);
  EXPECT_EQ(p.a.engine.destroy_qp(p.a.qp), 0);
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
  EXPECT_FALSE(p.a.engine.tx_pending());
  EXPECT_EQ(p.a.engine.destroy_cq(p.a.cq), EBUSY);
  EXPECT_EQ(p.a.engine.destroy_qp(second), 0);
  EXPECT_EQ(p.a.engine.destroy_cq(p.a.cq), 0);
}

}  // namespace
}  // namespace uroce::transport::test
