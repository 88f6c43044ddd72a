// The invalidation of memory windows: by their owner, and by a peer's SEND with invalidate.
#include "windows.h"

namespace uroce::transport::test {
namespace {

namespace op = wire::opcode;

class Invalidation : public Windows {
 protected:
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
};

TEST_F(Invalidation, ThePeerInvalidatesWithASend) {
  const uint32_t w = bound(a::remote_write);
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

TEST_F(Invalidation, ThePeerCannotInvalidateWhatIsNotItsOwn) {
  const uint32_t one = bound(a::remote_write, MwType::type1), two = alloc(MwType::type2);
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

TEST_F(Invalidation, InvalidatingAnythingElseFailsLocally) {
  const uint32_t one = alloc(MwType::type1);
  for (const uint32_t key : {one, p.b.key, 0u}) {
    EXPECT_EQ(invalidate(key).status, WcStatus::mw_bind_err);
    EXPECT_EQ(p.b.qp->state(), QpState::err);
    reconnect();
  }
}

TEST_F(Invalidation, ASendWithInvalidateAheadOfALostRequestDrawsASequenceNak) {
  const uint32_t w = bound(a::remote_write);
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
TEST_F(Invalidation, ASendWithInvalidateDoesNotWaitForReadsThroughOtherKeys) {
  const uint32_t read_through = bound(a::remote_read), invalidated = bound(a::remote_read);
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

TEST_F(Invalidation, AReadBeforeASendWithInvalidateIsAnsweredFirst) {
  const uint32_t w = bound(a::remote_read);
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

}  // namespace
}  // namespace uroce::transport::test
