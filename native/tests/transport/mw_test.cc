// Memory windows: binding by work request, the rights that a bound window grants and to whom, and their place
// among other requests.
#include <cerrno>

#include "windows.h"

namespace uroce::transport::test {
namespace {

TEST_F(Windows, OfTypeOneGrantWhatTheyWereBoundTo) {
  const uint32_t w = alloc(MwType::type1);
  EXPECT_EQ(access(WrOpcode::rdma_write, w, Side::va(0)), WcStatus::rem_access_err) << "not bound";
  reconnect();
  const Completion wc = bind({w, w + 1, p.b.key, Side::va(4096), 4096, a::remote_write});
  EXPECT_EQ(wc.status, WcStatus::success);
  EXPECT_EQ(wc.opcode, WcOpcode::bind_mw);
  const uint32_t key = key_of(w);
  p.a.fill(0, 64, 3);
  EXPECT_EQ(access(WrOpcode::rdma_write, key, Side::va(8192 - 64)), WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), &p.b.byte(8192 - 64), 64), 0);
  EXPECT_EQ(access(WrOpcode::rdma_write, key, Side::va(8192 - 63)), WcStatus::rem_access_err);
  reconnect();
  EXPECT_EQ(access(WrOpcode::rdma_write, key, Side::va(4095)), WcStatus::rem_access_err);
  reconnect();
  EXPECT_EQ(access(WrOpcode::rdma_read, key, Side::va(4096)), WcStatus::rem_access_err) << "no such right";
  reconnect();
  EXPECT_EQ(access(WrOpcode::rdma_write, w, Side::va(4096)), WcStatus::rem_access_err) << "the key before";
  reconnect();
  EXPECT_EQ(access(WrOpcode::rdma_write, p.b.key, Side::va(4096)), WcStatus::rem_access_err)
      << "the region itself grants nothing";
}

TEST_F(Windows, OfTypeOneAreReboundAndUnbound) {
  const uint32_t w = alloc(MwType::type1);
  EXPECT_EQ(bind(whole(w, a::remote_read)).status, WcStatus::success);
  MwBind again = whole(w, a::remote_write);
  again.rkey = w + 2;
  EXPECT_EQ(bind(again).status, WcStatus::success);
  const uint32_t key = key_of(w, 2);
  EXPECT_EQ(access(WrOpcode::rdma_write, key, Side::va(0)), WcStatus::success);
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), EBUSY);
  EXPECT_EQ(bind({w, w + 3, 0, 0, 0, 0}).status, WcStatus::success);
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), 0);
  EXPECT_EQ(access(WrOpcode::rdma_write, key_of(w, 3), Side::va(0)), WcStatus::rem_access_err);
}

TEST_F(Windows, OfTypeTwoAreForTheirQueuePairOnly) {
  const uint32_t w = alloc(MwType::type2);
  EXPECT_EQ(bind(whole(w, a::remote_any)).status, WcStatus::success);
  const uint32_t key = key_of(w);
  EXPECT_EQ(access(WrOpcode::rdma_write, key, Side::va(0)), WcStatus::success);
  EXPECT_EQ(access(WrOpcode::rdma_read, key, Side::va(0)), WcStatus::success);
  EXPECT_EQ(access(WrOpcode::atomic_fetch_and_add, key, Side::va(0), 8), WcStatus::success);
  Qp* bound = p.b.qp;
  p.b.qp = *p.b.engine.create_qp({QpType::rc, p.b.pd, p.b.cq, p.b.cq, p.b.options.cap, false, nullptr});
  EXPECT_EQ(p.a.to(QpState::reset), 0);
  p.connect();
  EXPECT_EQ(access(WrOpcode::rdma_write, key, Side::va(0)), WcStatus::rem_access_err);
  // Destroying its queue pair removes the binding.
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), EBUSY);
  EXPECT_EQ(p.b.engine.destroy_qp(bound), 0);
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), 0);
}

TEST_F(Windows, OfTypeTwoMustBeFreeToBeBound) {
  const uint32_t w = alloc(MwType::type2);
  EXPECT_EQ(bind(whole(w, a::remote_write)).status, WcStatus::success);
  EXPECT_EQ(bind(whole(w, a::remote_write)).status, WcStatus::mw_bind_err);
  EXPECT_EQ(p.b.qp->state(), QpState::err);
  reconnect();
  const uint32_t key = key_of(w);
  const Completion wc = invalidate(key);
  EXPECT_EQ(wc.status, WcStatus::success);
  EXPECT_EQ(wc.opcode, WcOpcode::local_inv);
  EXPECT_EQ(bind(whole(w, a::remote_write)).status, WcStatus::success);
}

TEST_F(Windows, AddressesMayStartAtZeroInTypeTwo) {
  const uint32_t w = alloc(MwType::type2);
  EXPECT_EQ(bind({w, w, p.b.key, Side::va(100), 64, a::remote_write | a::zero_based}).status,
            WcStatus::success);
  p.a.fill(0, 64, 9);
  EXPECT_EQ(access(WrOpcode::rdma_write, w, 0), WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), &p.b.byte(100), 64), 0);
  EXPECT_EQ(access(WrOpcode::rdma_write, w, 1), WcStatus::rem_access_err);
}

TEST_F(Windows, AreNotBoundAgainstTheRules) {
  const uint32_t one = alloc(MwType::type1), two = alloc(MwType::type2);
  const uint32_t plain = *p.b.engine.reg_mr(p.b.pd, p.b.base(), 0, 64, a::local_write);
  const uint32_t read_only = *p.b.engine.reg_mr(p.b.pd, p.b.base(), 0, 64, a::mw_bind);
  const uint32_t other_pd = p.b.engine.alloc_pd();
  const uint32_t foreign = *p.b.engine.reg_mr(other_pd, p.b.base(), 0, 64, a::local_write | a::mw_bind);
  const uint32_t foreign_window = *p.b.engine.alloc_mw(other_pd, MwType::type1);
  const uint64_t end = Side::va(Side::kMemory);
  const MwBind wrong[] = {
      {one, one, plain, 0, 64, a::remote_read},                       // no mw_bind
      {one, one, read_only, 0, 64, a::remote_write},                  // no local write
      {one, one, read_only, 0, 64, a::remote_atomic},                 //
      {one, one, foreign, 0, 64, a::remote_read},                     // another PD
      {foreign_window, 1, p.b.key, Side::va(0), 64, a::remote_read},  // another PD
      {one, one, p.b.key, end - 63, 64, a::remote_read},              // beyond the region
      {one, one, p.b.key, Side::va(0) - 1, 64, a::remote_read},       //
      {one, one, p.b.key, Side::va(1), UINT64_MAX, a::remote_read},   // wraps
      {one, one, p.b.key, Side::va(0), 64, 0x40},                     // on-demand paging
      {one, one, p.b.key, Side::va(0), 64, a::zero_based},            // type 2 only
      {one, one, two, Side::va(0), 64, a::remote_read},               // a window is not a region
      {one, one, p.b.key ^ 0x100, Side::va(0), 64, a::remote_read},   // no such region
      {two, two, p.b.key, Side::va(0), 0, a::remote_read},            // type 2 needs bytes
      {p.b.key, 0, p.b.key, Side::va(0), 64, a::remote_read},         // a region is not a window
  };
  for (const MwBind& b : wrong) {
    EXPECT_EQ(bind(b, 0).status, WcStatus::mw_bind_err) << &b - wrong;
    EXPECT_EQ(p.b.qp->state(), QpState::err);
    reconnect();
  }
  EXPECT_EQ(bind({one, one, read_only, 0, 64, a::remote_read}).status, WcStatus::success);
}

// Programs pass the flags that the region was registered with; rxe and mlx5 take them.
TEST_F(Windows, LocalRightsAmongTheirsAreIgnored) {
  for (const MwType type : {MwType::type1, MwType::type2}) {
    const uint32_t relaxed_ordering = 1u << 20;
    const uint32_t w = bound(a::local_write | a::mw_bind | relaxed_ordering | a::remote_write, type);
    EXPECT_EQ(access(WrOpcode::rdma_write, w, Side::va(0)), WcStatus::success);
    EXPECT_EQ(access(WrOpcode::rdma_read, w, Side::va(0)), WcStatus::rem_access_err);
    reconnect();
  }
  // Local rights require nothing of the region either.
  const uint32_t read_only = *p.b.engine.reg_mr(p.b.pd, p.b.base(), 0, 64, a::mw_bind);
  const uint32_t w = alloc(MwType::type1);
  EXPECT_EQ(bind({w, w, read_only, 0, 64, a::local_write | a::remote_read}).status, WcStatus::success);
}

TEST_F(Windows, CannotBeNamedLocally) {
  const uint32_t w = bound(a::remote_any, MwType::type1);
  const Sge s{Side::va(0), 64, w};
  p.a.post_recv(0, 64);
  SendWr wr = p.b.wr(WrOpcode::send, &s, 1, 0, 0);
  EXPECT_EQ(p.b.post(wr), 0);
  p.run();
  EXPECT_EQ(p.b.wc().status, WcStatus::loc_prot_err);
}

TEST_F(Windows, HoldTheirDomain) {
  const uint32_t pd = p.b.engine.alloc_pd();
  const uint32_t w = *p.b.engine.alloc_mw(pd, MwType::type2);
  EXPECT_EQ(p.b.engine.dealloc_pd(pd), EBUSY);
  EXPECT_EQ(p.b.engine.dealloc_mw(w), 0);
  EXPECT_EQ(p.b.engine.dealloc_mw(w), EINVAL);
  EXPECT_EQ(p.b.engine.dealloc_pd(pd), 0);
  EXPECT_EQ(p.b.engine.alloc_mw(pd, MwType::type1).error(), EINVAL);
  EXPECT_EQ(p.b.engine.dealloc_mw(p.b.key), EINVAL) << "a region";
  const uint32_t bound = alloc(MwType::type1);
  EXPECT_EQ(p.b.engine.dereg_mr(bound), EINVAL) << "a window";
  EXPECT_EQ(bind(whole(bound, a::remote_read)).status, WcStatus::success);
  EXPECT_EQ(p.b.engine.dealloc_mw(bound), 0) << "bound or not, by a key that it had";
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), 0);
}

TEST_F(Windows, LocalRequestsKeepTheirPlaceAmongOthers) {
  const uint32_t w = alloc(MwType::type2);
  p.a.post_recv(0, 4096);
  p.a.post_recv(4096, 4096);
  // SEND, bind, SEND, invalidate: completions come in this order, though only the SENDs wait for the peer.
  p.b.post_send(0, 100);
  MwBind b = whole(w, a::remote_write);
  b.rkey = w;
  SendWr wr = p.b.wr(WrOpcode::bind_mw, nullptr, 0, 0, 0);
  wr.bind = &b;
  EXPECT_EQ(p.b.post(wr), 0);
  p.b.post_send(0, 200);
  wr = p.b.wr(WrOpcode::local_inv, nullptr, 0, 0, 0);
  wr.imm_data = w;
  EXPECT_EQ(p.b.post(wr), 0);
  const auto sent = p.b.take();
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_TRUE(p.b.poll().empty());
  // The first packet is lost; going back neither binds nor invalidates a second time.
  p.a.give(sent[1]);
  p.b.give(p.a.take());
  p.run();
  const auto wcs = p.b.poll();
  ASSERT_EQ(wcs.size(), 4u);
  const WcOpcode order[] = {WcOpcode::send, WcOpcode::bind_mw, WcOpcode::send, WcOpcode::local_inv};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(wcs[i].status, WcStatus::success);
    EXPECT_EQ(wcs[i].opcode, order[i]);
  }
  EXPECT_TRUE(p.b.qp->send_idle());
  EXPECT_EQ(p.b.engine.next_wake(), kNever);
}

TEST_F(Windows, AFailingLocalRequestLetsThoseBeforeItEnd) {
  p.a.post_recv(0, 4096);
  p.b.post_send(0, 100);
  SendWr wr = p.b.wr(WrOpcode::local_inv, nullptr, 0, 0, 0);
  wr.imm_data = 12345;
  EXPECT_EQ(p.b.post(wr), 0);
  p.b.post_send(0, 200);
  const auto sent = p.b.take();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_TRUE(p.b.poll().empty());
  p.a.give(sent);
  p.b.give(p.a.take());
  const auto wcs = p.b.poll();
  ASSERT_EQ(wcs.size(), 3u);
  EXPECT_EQ(wcs[0].status, WcStatus::success);
  EXPECT_EQ(wcs[1].status, WcStatus::mw_bind_err);
  EXPECT_EQ(wcs[2].status, WcStatus::wr_flush_err);
}

TEST(Window, IsBoundBehindAFenceWhenReadsAreAnswered) {
  Pair p;  // whose memory can be read
  const uint32_t w = *p.b.engine.alloc_mw(p.b.pd, MwType::type1);
  const MwBind b{w, w ^ 1, 0, 0, 0, 0};
  p.b.post_read(0, 100);
  SendWr wr = p.b.wr(WrOpcode::bind_mw, nullptr, 0, 0, 0);
  wr.bind = &b;
  wr.flags |= send_flag::fence;
  EXPECT_EQ(p.b.post(wr), 0);
  const auto read = p.b.take();
  EXPECT_NE(p.b.engine.mrs().find(w), nullptr) << "the key has not changed yet";
  p.a.give(read);
  p.b.give(p.a.take());
  EXPECT_TRUE(p.b.take().empty());
  EXPECT_EQ(p.b.engine.mrs().find(w), nullptr);
  EXPECT_NE(p.b.engine.mrs().find(w ^ 1), nullptr);
  EXPECT_EQ(p.b.poll().size(), 2u);
}

TEST_F(Windows, NothingLocalIsDoneInSqd) {
  const uint32_t w = alloc(MwType::type2);
  MwBind b = whole(w, a::remote_write);
  b.rkey = w;
  EXPECT_EQ(p.b.to(QpState::sqd), 0);
  SendWr wr = p.b.wr(WrOpcode::bind_mw, nullptr, 0, 0, 0);
  wr.bind = &b;
  EXPECT_EQ(p.b.post(wr), 0);
  p.run();
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_EQ(p.b.to(QpState::rts), 0);
  p.run();
  EXPECT_EQ(p.b.wc().status, WcStatus::success);
  // A QP in ERR flushes the request.
  EXPECT_EQ(p.b.to(QpState::err), 0);
  EXPECT_EQ(p.b.post(wr), 0);
  EXPECT_EQ(p.b.wc().status, WcStatus::wr_flush_err);
}

}  // namespace
}  // namespace uroce::transport::test
