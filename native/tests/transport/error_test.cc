// Errors that the responder finds: the right status, the right NAK, the right state, the right event.
#include "pair.h"

namespace uroce::transport::test {
namespace {

namespace op = wire::opcode;
namespace aeth = wire::aeth;

// Posts one request that b must refuse, and checks how.
void expect_refused(Pair& p, const SendWr& wr, uint8_t syndrome, WcStatus status, EventType event) {
  ASSERT_EQ(p.a.post(wr), 0);
  p.b.give(p.a.take());
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.opcode(), op::acknowledge);
  EXPECT_EQ(nak.aeth().syndrome, syndrome);
  EXPECT_EQ(p.b.qp->state(), QpState::err);
  EXPECT_EQ(p.b.events.qp, std::vector{event});
  p.a.give(nak);
  EXPECT_EQ(p.a.wc().status, status);
  EXPECT_EQ(p.a.qp->state(), QpState::err);
}

TEST(RemoteAccess, WrongRkey) {
  for (WrOpcode opcode : {WrOpcode::rdma_write, WrOpcode::rdma_read, WrOpcode::atomic_fetch_and_add}) {
    Pair p;
    const Sge s = p.a.sge(0, 8);
    expect_refused(p, p.a.wr(opcode, &s, 1, 0, p.b.key ^ 0x100), aeth::kNakRemoteAccess,
                   WcStatus::rem_access_err, EventType::qp_access_err);
  }
}

TEST(RemoteAccess, BeyondTheEndOfTheRegion) {
  Pair p;
  const Sge s = p.a.sge(0, 100);
  p.b.fill(Side::kMemory - 99, 99, 5);
  const std::vector<uint8_t> before = p.b.memory;
  expect_refused(p, write_of(p, s, Side::kMemory - 99, p.b.key), aeth::kNakRemoteAccess,
                 WcStatus::rem_access_err, EventType::qp_access_err);
  EXPECT_EQ(p.b.memory, before);
}

TEST(RemoteAccess, BeforeTheRegionAndAroundTheAddressSpace) {
  for (uint64_t address : {Side::va(0) - 1, UINT64_MAX - 3, uint64_t{0}}) {
    Pair p;
    const Sge s = p.a.sge(0, 8);
    SendWr w = write_of(p, s, 0, p.b.key);
    w.remote_addr = address;
    expect_refused(p, w, aeth::kNakRemoteAccess, WcStatus::rem_access_err, EventType::qp_access_err);
  }
}

TEST(RemoteAccess, WithoutTheRight) {
  const struct {
    WrOpcode opcode;
    uint32_t rights;
  } cases[] = {{WrOpcode::rdma_write, access_flag::remote_read | access_flag::remote_atomic},
               {WrOpcode::rdma_read, access_flag::remote_write | access_flag::remote_atomic},
               {WrOpcode::atomic_cmp_and_swp, access_flag::remote_read | access_flag::remote_write}};
  for (const auto& c : cases) {
    Options ob;
    ob.access = access_flag::local_write | c.rights;
    Pair p({}, ob);
    const Sge s = p.a.sge(0, 8);
    expect_refused(p, p.a.wr(c.opcode, &s, 1, 0, p.b.key), aeth::kNakRemoteAccess, WcStatus::rem_access_err,
                   EventType::qp_access_err);
  }
}

TEST(RemoteAccess, OfAnotherProtectionDomain) {
  Pair p;
  const uint32_t other = p.b.engine.alloc_pd();
  const uint32_t key = *p.b.engine.reg_mr(other, p.b.base(), Side::va(0), Side::kMemory, p.b.options.access);
  const Sge s = p.a.sge(0, 8);
  expect_refused(p, write_of(p, s, 0, key), aeth::kNakRemoteAccess, WcStatus::rem_access_err,
                 EventType::qp_access_err);
}

TEST(RemoteAccess, RegionTakenAwayInTheMiddleOfAWrite) {
  Pair p;
  p.a.post_write(0, 2048);
  const auto packets = p.a.take();
  p.b.give(packets[0]);
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), 0);
  p.b.give(packets[1]);
  p.a.give(p.b.take_one());
  EXPECT_EQ(p.a.wc().status, WcStatus::rem_access_err);
}

TEST(RemoteAccess, RegionTakenAwayInTheMiddleOfAReadResponse) {
  Pair p;
  p.a.post_read(0, 4096);
  p.b.give(p.a.take_one());
  CollectingSink sink;
  sink.limit = 2;
  EXPECT_TRUE(p.b.engine.transmit(p.b.now, sink));
  EXPECT_EQ(p.b.engine.dereg_mr(p.b.key), 0);
  p.a.give(sink.packets);
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.aeth().syndrome, aeth::kNakRemoteAccess);
  EXPECT_EQ(nak.psn(), 1002u);
  p.a.give(nak);
  EXPECT_EQ(p.a.wc().status, WcStatus::rem_access_err);
}

// The receive that the immediate data would have consumed tells the program at the target.
TEST(RemoteAccess, AWriteWithImmediateFailsTheReceive) {
  for (const uint32_t srq_wr : {0u, 8u}) {
    Options ob;
    ob.srq_wr = srq_wr;
    Pair p({}, ob);
    p.b.post_recv(0, 0);
    const Sge s = p.a.sge(0, 100);
    p.a.post(p.a.wr(WrOpcode::rdma_write_with_imm, &s, 1, 0, p.b.key ^ 0x100));
    p.run();
    EXPECT_EQ(p.a.wc().status, WcStatus::rem_access_err);
    const Completion wc = p.b.wc();
    EXPECT_EQ(wc.status, WcStatus::loc_access_err);
    EXPECT_EQ(wc.wr_id, 1001u);
  }
  // No receive, nothing to fail; and a First has no immediate data yet.
  for (const uint32_t len : {100u, 2000u}) {
    Pair p;
    if (len > 1024) p.b.post_recv(0, 0);
    const Sge s = p.a.sge(0, len);
    p.a.post(p.a.wr(WrOpcode::rdma_write_with_imm, &s, 1, 0, p.b.key ^ 0x100));
    p.run();
    EXPECT_EQ(p.a.wc().status, WcStatus::rem_access_err);
    for (const Completion& wc : p.b.poll()) EXPECT_EQ(wc.status, WcStatus::wr_flush_err);
  }
}

TEST(Atomic, MisalignedIsThePeersToRefuse) {
  Pair p;
  p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 0, 4, 1);
  p.run();
  EXPECT_EQ(p.a.wc().status, WcStatus::rem_inv_req_err);
  EXPECT_EQ(p.b.word(4), 0u);
}

TEST(Atomic, OfAnotherLengthThanEightCompletesInError) {
  Pair p;
  const Sge s = p.a.sge(0, 16);
  EXPECT_EQ(p.a.post(p.a.wr(WrOpcode::atomic_cmp_and_swp, &s, 1, 0, p.b.key)), 0);
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.wc().status, WcStatus::loc_len_err);
}

TEST(RemoteAccess, EarlierReadIsStillAnswered) {
  Pair p;
  p.b.fill(0, 3000, 1);
  p.a.post_read(0, 3000);
  const Sge s = p.a.sge(5000, 8);
  p.a.post(write_of(p, s, 0, p.b.key + 1));
  p.b.give(p.a.take());
  p.a.give(p.b.take());
  const auto wcs = p.a.poll();
  ASSERT_EQ(wcs.size(), 2u);
  EXPECT_EQ(wcs[0].status, WcStatus::success);
  EXPECT_EQ(wcs[1].status, WcStatus::rem_access_err);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 3000), 0);
}

TEST(InvalidRequest, OperationThatTheQpDoesNotAllow) {
  for (WrOpcode opcode : {WrOpcode::rdma_write, WrOpcode::rdma_read, WrOpcode::atomic_fetch_and_add}) {
    Options ob;
    ob.qp_access = 0;
    Pair p({}, ob);
    const Sge s = p.a.sge(0, 8);
    expect_refused(p, p.a.wr(opcode, &s, 1, 0, p.b.key), aeth::kNakInvalidRequest, WcStatus::rem_inv_req_err,
                   EventType::qp_req_err);
  }
}

TEST(InvalidRequest, ReadWhenThePeerTakesNone) {
  Options ob;
  ob.rd_atomic = 0;
  Pair p({}, ob);
  const Sge s = p.a.sge(0, 8);
  expect_refused(p, p.a.wr(WrOpcode::rdma_read, &s, 1, 0, p.b.key), aeth::kNakInvalidRequest,
                 WcStatus::rem_inv_req_err, EventType::qp_req_err);
}

TEST(InvalidRequest, SendLongerThanTheReceive) {
  Pair p;
  p.b.post_recv(0, 1500);
  p.a.post_send(0, 1501);
  p.b.give(p.a.take());
  EXPECT_EQ(p.b.wc().status, WcStatus::loc_len_err);
  p.a.give(p.b.take_one());
  EXPECT_EQ(p.a.wc().status, WcStatus::rem_inv_req_err);
  EXPECT_EQ(p.b.qp->state(), QpState::err);
}

TEST(InvalidRequest, MiddlePacketWithoutAFirst) {
  Pair p;
  p.a.post_write(0, 3000);
  auto packets = p.a.take();
  packets[1].bytes[11] = packets[0].bytes[11];  // the middle one, at the expected PSN
  packets[1].bytes[10] = packets[0].bytes[10];
  p.b.give(packets[1]);
  EXPECT_EQ(p.b.take_one().aeth().syndrome, aeth::kNakInvalidRequest);
}

TEST(InvalidRequest, NewMessageInTheMiddleOfAnother) {
  Pair p;
  p.a.post_write(0, 3000);
  p.a.post_write(0, 10);
  const auto packets = p.a.take();
  p.b.give(packets[0]);
  Packet next = packets[3];
  next.bytes[11] = packets[1].bytes[11];
  p.b.give(next);
  EXPECT_EQ(p.b.take_one().aeth().syndrome, aeth::kNakInvalidRequest);
}

TEST(InvalidRequest, PacketOfTheWrongSize) {
  Pair p;
  p.a.post_write(0, 3000);
  Packet first = p.a.take()[0];
  first.bytes.resize(first.bytes.size() - 4);
  p.b.give(first);
  EXPECT_EQ(p.b.take_one().aeth().syndrome, aeth::kNakInvalidRequest);
}

TEST(InvalidRequest, WriteThatEndsElsewhereThanItSaid) {
  Pair p;
  p.a.post_write(0, 100);
  Packet w = p.a.take_one();
  w.bytes[12 + 15] = 200;  // RETH length
  p.b.give(w);
  EXPECT_EQ(p.b.take_one().aeth().syndrome, aeth::kNakInvalidRequest);
}

TEST(RemoteOperation, ReceiveBufferThatIsNotRegistered) {
  Pair p;
  const Sge bad{Side::va(0), 100, p.b.key + 1};
  p.b.engine.post_recv(*p.b.qp, {77, &bad, 1});
  p.a.post_send(0, 10);
  p.b.give(p.a.take());
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.status, WcStatus::loc_prot_err);
  EXPECT_EQ(wc.wr_id, 77u);
  const Packet nak = p.b.take_one();
  EXPECT_EQ(nak.aeth().syndrome, aeth::kNakRemoteOperation);
  p.a.give(nak);
  EXPECT_EQ(p.a.wc().status, WcStatus::rem_op_err);
}

TEST(Packets, MalformedOnesAreCountedAndDropped) {
  Pair p;
  p.a.post_write(0, 10);
  const Packet good = p.a.take_one();
  const auto refused = [&](Packet bad) {
    p.b.give(bad);
    return p.b.take().empty() && p.b.qp->state() == QpState::rts;
  };
  Packet bad = good;
  bad.bytes.resize(11);
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.bytes.resize(16);  // no room for the RETH
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.bytes[1] |= 1;  // header version
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.bytes.pop_back();  // not a multiple of four
  EXPECT_TRUE(refused(bad));
  EXPECT_EQ(p.b.engine.counters().malformed_pkts, 4u);
  bad = good;
  bad.bytes[0] = 0x15;
  EXPECT_TRUE(refused(bad));
  bad.bytes[0] = 0x82;
  EXPECT_TRUE(refused(bad));
  EXPECT_EQ(p.b.engine.counters().unsupported_pkts, 2u);
  bad = good;
  bad.bytes[2] = 0x12;  // P_Key
  EXPECT_TRUE(refused(bad));
  EXPECT_EQ(p.b.engine.counters().wrong_pkey_pkts, 1u);
  bad = good;
  bad.bytes[7] ^= 1;  // QPN
  EXPECT_TRUE(refused(bad));
  EXPECT_EQ(p.b.engine.counters().unknown_qp_pkts, 1u);
  p.b.give(good);
  EXPECT_EQ(p.b.take().size(), 1u);
}

TEST(Packets, FromSomebodyElseAreDropped) {
  Pair p;
  p.a.post_write(0, 10);
  const Packet w = p.a.take_one();
  Gid stranger = p.a.address;
  stranger[0] = 9;
  p.b.engine.on_packet(p.b.now,
                       {w.bytes.data(), static_cast<uint32_t>(w.bytes.size()), &stranger, &p.b.address});
  EXPECT_TRUE(p.b.take().empty());
  EXPECT_EQ(p.b.engine.counters().wrong_address_pkts, 1u);
}

}  // namespace
}  // namespace uroce::transport::test
