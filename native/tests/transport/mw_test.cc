// Memory windows: binding by work request, the rights that a bound window grants and to whom, and its
// invalidation by its owner and by a peer's SEND with invalidate.
#include <cerrno>

#include "pair.h"

namespace uroce::transport::test {
namespace {

namespace op = wire::opcode;
namespace a = access_flag;

Options with_windows() {
  Options o;
  o.access = a::local_write | a::mw_bind;  // remote rights come from windows alone
  return o;
}

// Side b owns the windows; side a is the peer that uses them.
class Windows : public testing::Test {
 protected:
  uint32_t alloc(MwType type) { return *p.b.engine.alloc_mw(p.b.pd, type); }
  MwBind whole(uint32_t window, uint32_t access) {
    return {window, window + 1, p.b.key, Side::va(0), Side::kMemory, access};
  }
  // Posts a bind at b and returns its completion.
  Completion bind(const MwBind& bind, uint32_t flags = send_flag::signaled) {
    SendWr wr = p.b.wr(WrOpcode::bind_mw, nullptr, 0, 0, 0);
    wr.bind = &bind;
    wr.flags = flags;
    EXPECT_EQ(p.b.post(wr), 0);
    p.run();
    return p.b.wc();
  }
  // A type 2 window on all of b's memory that a may read.
  uint32_t readable_window() {
    const uint32_t window = alloc(MwType::type2);
    MwBind b = whole(window, a::remote_read);
    b.rkey = window;
    EXPECT_EQ(bind(b).status, WcStatus::success);
    return window;
  }
  Completion invalidate(uint32_t rkey) {
    SendWr wr = p.b.wr(WrOpcode::local_inv, nullptr, 0, 0, 0);
    wr.imm_data = rkey;
    EXPECT_EQ(p.b.post(wr), 0);
    p.run();
    return p.b.wc();
  }
  // Status of an operation of a with this key.
  WcStatus access(WrOpcode opcode, uint32_t rkey, uint64_t va, uint32_t len = 64) {
    const Sge s = p.a.sge(0, len);
    SendWr wr = p.a.wr(opcode, &s, 1, 0, rkey);
    wr.remote_addr = va;
    EXPECT_EQ(p.a.post(wr), 0);
    p.run();
    return p.a.wc().status;
  }
  void reconnect() {
    EXPECT_EQ(p.a.to(QpState::reset), 0);
    EXPECT_EQ(p.b.to(QpState::reset), 0);
    p.a.poll(), p.b.poll();
    p.connect();
  }
  void send_inv(uint32_t rkey, uint32_t len = 10, uint32_t flags = send_flag::signaled) {
    const Sge s = p.a.sge(0, len);
    SendWr wr = p.a.wr(WrOpcode::send_with_inv, &s, 1, 0, 0);
    wr.imm_data = rkey;
    wr.flags = flags;
    EXPECT_EQ(p.a.post(wr), 0);
  }

  // A SEND with invalidate of 10 bytes that follows a READ of this many packets at once.
  static Packet unfenced_send_inv(const Packet& read, uint32_t psns, uint32_t rkey) {
    Packet send = read;
    send.bytes.resize(12 + 4 + 12);
    send.bytes[0] = op::send_only_inv;
    send.bytes[1] = 2 << 4;
    wire::store32(&send.bytes[8], 1u << 31 | ((read.psn() + psns) & kPsnMask));
    wire::store32(&send.bytes[12], rkey);
    return send;
  }

  Pair p{with_windows()};
};

TEST_F(Windows, OfTypeOneGrantWhatTheyWereBoundTo) {
  const uint32_t w = alloc(MwType::type1);
  EXPECT_EQ(access(WrOpcode::rdma_write, w, Side::va(0)), WcStatus::rem_access_err) << "not bound";
  reconnect();
  const Completion wc = bind({w, w + 1, p.b.key, Side::va(4096), 4096, a::remote_write});
  EXPECT_EQ(wc.status, WcStatus::success);
  EXPECT_EQ(wc.opcode, WcOpcode::bind_mw);
  const uint32_t key = (w & ~0xffu) | ((w + 1) & 0xff);
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
  const uint32_t key = (w & ~0xffu) | ((w + 2) & 0xff);
  EXPECT_EQ(access(WrOpcode::rdma_write, key, Side::va(0)), WcStatus::success);
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), EBUSY);
  EXPECT_EQ(bind({w, w + 3, 0, 0, 0, 0}).status, WcStatus::success);
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), 0);
  EXPECT_EQ(access(WrOpcode::rdma_write, (w & ~0xffu) | ((w + 3) & 0xff), Side::va(0)),
            WcStatus::rem_access_err);
}

TEST_F(Windows, OfTypeTwoAreForTheirQueuePairOnly) {
  const uint32_t w = alloc(MwType::type2);
  EXPECT_EQ(bind(whole(w, a::remote_any)).status, WcStatus::success);
  const uint32_t key = (w & ~0xffu) | ((w + 1) & 0xff);
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
  const uint32_t key = (w & ~0xffu) | ((w + 1) & 0xff);
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
    const uint32_t w = alloc(type);
    const uint32_t relaxed_ordering = 1u << 20;
    MwBind b = whole(w, a::local_write | a::mw_bind | relaxed_ordering | a::remote_write);
    b.rkey = w;
    EXPECT_EQ(bind(b).status, WcStatus::success);
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
  const uint32_t w = alloc(MwType::type1);
  MwBind b = whole(w, a::remote_any);
  b.rkey = w;
  EXPECT_EQ(bind(b).status, WcStatus::success);
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

TEST_F(Windows, ThePeerInvalidatesWithASend) {
  const uint32_t w = alloc(MwType::type2);
  MwBind b = whole(w, a::remote_write);
  b.rkey = w;
  EXPECT_EQ(bind(b).status, WcStatus::success);
  p.b.post_recv(0, 8192);
  send_inv(w, 3000);
  const auto packets = p.a.take();
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets[0].opcode(), op::send_first);
  EXPECT_EQ(packets[2].opcode(), op::send_last_inv);
  EXPECT_EQ(packets[2].bytes.size(), 12u + 4 + (3000 - 2048));
  p.b.give(packets);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().opcode, WcOpcode::send);
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.status, WcStatus::success);
  EXPECT_EQ(wc.opcode, WcOpcode::recv);
  EXPECT_EQ(wc.byte_len, 3000u);
  EXPECT_EQ(wc.wc_flags, wc_flag::with_inv);
  EXPECT_EQ(wc.imm_data, w) << "the key, in host order";
  // A duplicate of the packet is acknowledged and does nothing.
  p.b.give(packets[2]);
  EXPECT_EQ(p.b.take_one().opcode(), op::acknowledge);
  EXPECT_EQ(access(WrOpcode::rdma_write, w, Side::va(0)), WcStatus::rem_access_err);
}

TEST_F(Windows, ThePeerCannotInvalidateWhatIsNotItsOwn) {
  const uint32_t one = alloc(MwType::type1), two = alloc(MwType::type2);
  MwBind b = whole(one, a::remote_write);
  b.rkey = one;
  EXPECT_EQ(bind(b).status, WcStatus::success);
  for (const uint32_t key : {one, two ^ 1, p.b.key, 0u}) {
    p.b.post_recv(0, 64);
    p.b.post_recv(0, 64);
    p.a.post_send(0, 64);
    send_inv(key);
    // A class J error: the SEND before it is acknowledged, and this one gets no answer.
    p.b.give(p.a.take());
    const Packet ack = p.b.take_one();
    EXPECT_EQ(ack.aeth().syndrome, wire::aeth::kAckUnlimited);
    p.a.give(ack);
    EXPECT_EQ(p.a.wc().status, WcStatus::success);
    while (p.advance_to_wake()) p.run();
    EXPECT_EQ(p.a.wc().status, WcStatus::retry_exc_err);
    const auto wcs = p.b.poll();
    ASSERT_EQ(wcs.size(), 2u);
    EXPECT_EQ(wcs[0].status, WcStatus::success);
    EXPECT_EQ(wcs[1].status, WcStatus::rem_inv_req_err);
    EXPECT_EQ(p.b.events.qp.back(), EventType::qp_access_err);
    reconnect();
  }
  EXPECT_EQ(access(WrOpcode::rdma_write, one, Side::va(0)), WcStatus::success) << "still bound";
}

TEST_F(Windows, InvalidatingAnythingElseFailsLocally) {
  const uint32_t one = alloc(MwType::type1);
  for (const uint32_t key : {one, p.b.key, 0u}) {
    EXPECT_EQ(invalidate(key).status, WcStatus::mw_bind_err);
    EXPECT_EQ(p.b.qp->state(), QpState::err);
    reconnect();
  }
}

TEST_F(Windows, ASendWithInvalidateAheadOfALostRequestDrawsASequenceNak) {
  const uint32_t w = alloc(MwType::type2);
  MwBind b = whole(w, a::remote_write);
  b.rkey = w;
  EXPECT_EQ(bind(b).status, WcStatus::success);
  p.b.post_recv(0, 64);
  p.b.post_recv(64, 64);
  p.a.post_send(0, 10);
  send_inv(w);
  const auto sent = p.a.take();
  ASSERT_EQ(sent.size(), 2u);
  ASSERT_EQ(sent[1].opcode(), op::send_only_inv);
  p.b.give(sent[1]);
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.aeth().syndrome, wire::aeth::kNakSequence);
  EXPECT_EQ(nak.psn(), sent[0].psn());
  EXPECT_TRUE(p.b.poll().empty());
  p.a.give(nak);
  p.run();
  const auto wcs = p.b.poll();
  ASSERT_EQ(wcs.size(), 2u);
  EXPECT_EQ(wcs[1].wc_flags, wc_flag::with_inv);
  EXPECT_EQ(p.a.poll().size(), 2u);
  EXPECT_EQ(access(WrOpcode::rdma_write, w, Side::va(0)), WcStatus::rem_access_err);
}

// A foreign requester does not wait for its READs as this engine's does.
TEST_F(Windows, ASendWithInvalidateDoesNotWaitForReadsThroughOtherKeys) {
  const uint32_t read_through = readable_window(), invalidated = readable_window();
  p.b.post_recv(0, 64);
  const Sge s = p.a.sge(0, 4000);
  SendWr read = p.a.wr(WrOpcode::rdma_read, &s, 1, 0, read_through);
  EXPECT_EQ(p.a.post(read), 0);
  const Packet request = p.a.take_one();
  p.b.give(request);
  p.b.give(unfenced_send_inv(request, 4, invalidated));
  const auto answers = p.b.take();
  ASSERT_EQ(answers.size(), 5u);
  EXPECT_EQ(answers[3].opcode(), op::read_response_last);
  EXPECT_EQ(answers[4].aeth().syndrome, wire::aeth::kAckUnlimited);
  EXPECT_EQ(p.b.wc().wc_flags, wc_flag::with_inv);
  p.a.give(answers);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST_F(Windows, AReadBeforeASendWithInvalidateIsAnsweredFirst) {
  const uint32_t w = readable_window();
  p.b.post_recv(0, 64);
  const Sge s = p.a.sge(0, 4000);
  SendWr read = p.a.wr(WrOpcode::rdma_read, &s, 1, 0, w);
  EXPECT_EQ(p.a.post(read), 0);
  send_inv(w);
  // The requester of this engine waits for the READ.
  const auto first = p.a.take();
  ASSERT_EQ(first.size(), 1u);
  // A foreign one would not; its SEND then gets a sequence NAK, behind the answers.
  p.b.give(first);
  p.b.give(unfenced_send_inv(first[0], 4, w));
  const auto answers = p.b.take();
  ASSERT_EQ(answers.size(), 5u);
  EXPECT_EQ(answers[3].opcode(), op::read_response_last);
  EXPECT_EQ(answers[4].aeth().syndrome, wire::aeth::kNakSequence);
  p.a.give(answers);
  p.run();
  const auto wcs = p.a.poll();
  ASSERT_EQ(wcs.size(), 2u);
  EXPECT_EQ(wcs[0].status, WcStatus::success);
  EXPECT_EQ(wcs[1].status, WcStatus::success);
  EXPECT_EQ(p.b.wc().wc_flags, wc_flag::with_inv);
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
