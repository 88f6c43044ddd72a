// Datagrams: addressing, keys, the 40 bytes in front, multicast.
#include <cerrno>

#include "pair.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::transport::test {
namespace {

constexpr uint32_t kGrh = 40;

Options ud() {
  Options o;
  o.type = QpType::ud;
  return o;
}

Gid ipv4(uint8_t a, uint8_t d) { return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, 0, 0, d}; }

TEST(Ud, ADatagramArrivesBehindItsGrh) {
  Pair p(ud());
  p.a.fill(0, 1000, 2);
  ASSERT_EQ(p.b.post_recv(5000, kGrh + 1000), 0);
  ASSERT_EQ(p.a.post_datagram(0, 1000), 0);
  const Packet packet = p.a.take_one();
  EXPECT_EQ(packet.opcode(), 0x64);
  EXPECT_FALSE(packet.bth().ack_req);
  const auto deth = *wire::Deth::parse(&packet.bytes[12], 8);
  EXPECT_EQ(deth.qkey, 0x11111111u);
  EXPECT_EQ(deth.src_qpn, p.a.qp->qpn());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  p.b.give(packet);
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.status, WcStatus::success);
  EXPECT_EQ(wc.byte_len, kGrh + 1000u);
  EXPECT_EQ(wc.src_qp, p.a.qp->qpn());
  EXPECT_EQ(wc.qp_num, p.b.qp->qpn());
  EXPECT_EQ(wc.wc_flags, wc_flag::grh);
  EXPECT_EQ(std::memcmp(&p.a.byte(0), &p.b.byte(5000 + kGrh), 1000), 0);
  EXPECT_TRUE(p.b.take().empty());
}

TEST(Ud, TheGrhIsTheNetworkHeader) {
  Pair p(ud());
  p.a.address = ipv4(10, 1);
  p.b.address = ipv4(10, 2);
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  ASSERT_EQ(p.a.post_datagram(0, 5), 0);
  p.run();
  EXPECT_EQ(p.b.wc().byte_len, kGrh + 5u);
  for (uint32_t i = 0; i < 20; ++i) EXPECT_EQ(p.b.byte(i), 0) << i;
  const auto ip = *wire::Ipv4::parse(&p.b.byte(20), 20);
  EXPECT_EQ(ip.version_ihl, 0x45);
  EXPECT_EQ(ip.src, (wire::Ipv4::Address{10, 0, 0, 1}));
  EXPECT_EQ(ip.dst, (wire::Ipv4::Address{10, 0, 0, 2}));
  EXPECT_EQ(ip.total_length, 20 + 8 + 12 + 8 + 8 + 4);  // 5 bytes are padded to 8
  EXPECT_EQ(ip.checksum, wire::ipv4_checksum(&p.b.byte(20)));

  p.a.address = p.b.address = Gid{0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9};
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  ASSERT_EQ(p.a.post_datagram(0, 4), 0);
  p.run();
  EXPECT_EQ(p.b.wc().byte_len, kGrh + 4u);
  const auto v6 = *wire::Ipv6::parse(&p.b.byte(0), 40);
  EXPECT_EQ(v6.version, 6);
  EXPECT_EQ(v6.src, p.a.address);
  EXPECT_EQ(v6.payload_length, 8 + 12 + 8 + 4 + 4);
}

TEST(Ud, ImmediateAndSolicited) {
  Pair p(ud());
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  p.b.cq->arm(true);
  const Path path = p.a.path_to(p.b.address);
  ASSERT_EQ(p.a.post_datagram(0, 0, {&path, p.b.qp->qpn(), 0x11111111}, WrOpcode::send_with_imm,
                              send_flag::signaled | send_flag::solicited),
            0);
  const Packet packet = p.a.take_one();
  EXPECT_EQ(packet.opcode(), 0x65);
  p.b.give(packet);
  const Completion wc = p.b.wc();
  EXPECT_EQ(wc.wc_flags, wc_flag::grh | wc_flag::with_imm);
  EXPECT_EQ(wc.imm_data, 0x04030201u);
  EXPECT_EQ(wc.byte_len, kGrh);
  EXPECT_EQ(p.b.events.notifications, 1);
}

TEST(Ud, TheHighBitOfTheQkeyMeansTheQpsOwn) {
  Options o = ud();
  o.qkey = 0x80010000;
  Pair p(o);
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  const Path path = p.a.path_to(p.b.address);
  ASSERT_EQ(p.a.post_datagram(0, 4, {&path, p.b.qp->qpn(), 0x80000000}), 0);
  const Packet packet = p.a.take_one();
  EXPECT_EQ(wire::Deth::parse(&packet.bytes[12], 8)->qkey, 0x80010000u);
  p.b.give(packet);
  EXPECT_EQ(p.b.wc().status, WcStatus::success);
}

TEST(Ud, AnotherQkeyIsDroppedAndCounted) {
  Pair p(ud());
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  const Path path = p.a.path_to(p.b.address);
  ASSERT_EQ(p.a.post_datagram(0, 4, {&path, p.b.qp->qpn(), 0x11111112}), 0);
  p.run();
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_EQ(p.b.engine.counters().qkey_violations, 1u);
  EXPECT_EQ(p.b.qp->recv_queued(), 1u);
}

TEST(Ud, WhatDoesNotFitIsDroppedAndCostsNoReceive) {
  Pair p(ud());
  ASSERT_EQ(p.b.post_recv(100, kGrh + 9), 0);
  ASSERT_EQ(p.a.post_datagram(0, 10), 0);
  p.run();
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_EQ(p.b.engine.counters().dropped_messages, 1u);
  ASSERT_EQ(p.a.post_datagram(0, 9), 0);
  p.run();
  EXPECT_EQ(p.b.wc().byte_len, kGrh + 9);
  ASSERT_EQ(p.a.post_datagram(0, 9), 0);
  p.run();
  EXPECT_EQ(p.b.engine.counters().out_of_buffer, 1u);
  EXPECT_EQ(p.b.qp->state(), QpState::rts);
}

TEST(Ud, LongerThanTheMtuIsNeitherSentNorAnError) {
  Options o = ud();
  o.engine.max_mtu = 1024;
  Pair p(o);
  ASSERT_EQ(p.a.post_datagram(0, 1025), 0);
  EXPECT_TRUE(p.a.take().empty());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.a.qp->query().path_mtu, 1024);
  ASSERT_EQ(p.a.post_datagram(0, 1024), 0);
  EXPECT_EQ(p.a.take_one().payload(), 1024u);
}

TEST(Ud, OnlySendsWithAnAddressAreTaken) {
  Pair p(ud());
  const Path path = p.a.path_to(p.b.address);
  const UdDestination to{&path, p.b.qp->qpn(), 0x11111111};
  EXPECT_EQ(p.a.post_send(0, 4), EINVAL);  // no destination
  EXPECT_EQ(p.a.post_datagram(0, 4, {nullptr, 5, 5}), EINVAL);
  EXPECT_EQ(p.a.post_datagram(0, 4, {&path, 1 << 24, 5}), EINVAL);
  EXPECT_EQ(p.a.post_datagram(0, 4, to, WrOpcode::local_inv), EINVAL);
  EXPECT_EQ(p.a.post_datagram(0, 4, to), 0);
}

TEST(Ud, WhatIsNoSendCompletesInError) {
  for (const WrOpcode opcode : {WrOpcode::rdma_write, WrOpcode::rdma_read, WrOpcode::atomic_cmp_and_swp}) {
    Pair p(ud());
    EXPECT_EQ(p.a.post_op(opcode, 0, 8), 0);
    EXPECT_TRUE(p.a.take().empty());
    EXPECT_EQ(p.a.wc().status, WcStatus::loc_qp_op_err);
    EXPECT_EQ(p.a.qp->state(), QpState::sqe);
  }
}

TEST(Ud, AnAddressHandleOfAnotherDomainCompletesInError) {
  Pair p(ud());
  const Path path = p.a.path_to(p.b.address);
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  EXPECT_EQ(p.a.post_datagram(0, 4, {&path, p.b.qp->qpn(), 0x11111111, p.a.pd}), 0);
  EXPECT_EQ(p.a.post_datagram(0, 4, {&path, p.b.qp->qpn(), 0x11111111, p.a.engine.alloc_pd()}), 0);
  EXPECT_EQ(p.a.take().size(), 1u);
  const auto wcs = p.a.poll();
  ASSERT_EQ(wcs.size(), 2u);
  EXPECT_EQ(wcs[0].status, WcStatus::success);
  EXPECT_EQ(wcs[1].status, WcStatus::loc_qp_op_err);
}

TEST(Ud, TheAddressHandleMayDieAfterThePost) {
  Pair p(ud());
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  {
    Path path = p.a.path_to(p.b.address);
    ASSERT_EQ(p.a.post_datagram(0, 4, {&path, p.b.qp->qpn(), 0x11111111}), 0);
    path = {};
  }
  p.run();
  EXPECT_EQ(p.b.wc().status, WcStatus::success);
}

TEST(Ud, ABadLocalKeyMovesTheQpToSqe) {
  Pair p(ud());
  const Path path = p.a.path_to(p.b.address);
  const UdDestination to{&path, p.b.qp->qpn(), 0x11111111};
  Sge s = p.a.sge(0, 10);
  s.lkey += 1;
  SendWr wr = p.a.wr(WrOpcode::send, &s, 1, 0, 0);
  wr.ud = &to;
  ASSERT_EQ(p.a.post(wr), 0);
  p.a.take();
  EXPECT_EQ(p.a.wc().status, WcStatus::loc_prot_err);
  EXPECT_EQ(p.a.qp->state(), QpState::sqe);
  QpAttr attr;
  attr.qp_state = QpState::rts;
  attr.qkey = 0x22222222;
  ASSERT_EQ(p.a.engine.modify_qp(*p.a.qp, attr, qp_mask::state | qp_mask::qkey, 0), 0);
  EXPECT_EQ(p.a.qp->query().qkey, 0x22222222u);
  ASSERT_EQ(p.a.post_datagram(0, 4), 0);
  EXPECT_EQ(p.a.take().size(), 1u);
}

TEST(Ud, AnyHostMaySend) {
  Pair p(ud());
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  ASSERT_EQ(p.a.post_datagram(0, 4), 0);
  const Packet packet = p.a.take_one();
  Gid stranger{};
  stranger[0] = 0x20;
  p.b.engine.on_packet(
      p.b.now, {packet.bytes.data(), static_cast<uint32_t>(packet.bytes.size()), &stranger, &p.b.address});
  EXPECT_EQ(p.b.wc().status, WcStatus::success);
}

TEST(Ud, ReceivesFromASharedQueue) {
  Options o = ud();
  o.srq_wr = 8;
  Pair p(o);
  p.a.fill(0, 30, 3);
  ASSERT_EQ(p.a.post_datagram(0, 30), 0);
  p.run();
  EXPECT_EQ(p.b.engine.counters().out_of_buffer, 1u);
  ASSERT_EQ(p.b.post_recv(500, kGrh + 20), 0);
  ASSERT_EQ(p.b.post_recv(600, kGrh + 30), 0);
  ASSERT_EQ(p.a.post_datagram(0, 30), 0);  // does not fit the first one
  ASSERT_EQ(p.a.post_datagram(0, 20), 0);
  ASSERT_EQ(p.a.post_datagram(0, 30), 0);
  p.run();
  const auto all = p.b.poll();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].byte_len, kGrh + 20);
  EXPECT_EQ(all[1].byte_len, kGrh + 30);
  EXPECT_EQ(std::memcmp(&p.a.byte(0), &p.b.byte(600 + kGrh), 30), 0);
}

class Multicast : public ::testing::Test {
 protected:
  Multicast() : p(ud()), group(ipv4(239, 7)) {}
  Qp* another(Side& side) {
    Qp* qp =
        *side.engine.create_qp({QpType::ud, side.pd, side.cq, side.cq, side.options.cap, false, nullptr});
    QpAttr a;
    a.qp_state = QpState::init;
    a.qkey = side.options.qkey;
    EXPECT_EQ(side.engine.modify_qp(*qp, a, 0x71, 0), 0);
    a.qp_state = QpState::rtr;
    EXPECT_EQ(side.engine.modify_qp(*qp, a, qp_mask::state, 0), 0);
    return qp;
  }
  void send_to_group() {
    const Path path = p.a.path_to(group);
    ASSERT_EQ(p.a.post_datagram(0, 4, {&path, kMulticastQpn, 0x11111111}), 0);
    packet = p.a.take_one();
    EXPECT_EQ(packet.bth().dest_qpn, kMulticastQpn);
    p.a.poll();
    arrive(group);
  }
  void arrive(const Gid& destination) {
    p.b.engine.on_packet(p.b.now, {packet.bytes.data(), static_cast<uint32_t>(packet.bytes.size()),
                                   &p.a.address, &destination});
  }
  Pair p;
  Gid group;
  Packet packet;
};

TEST_F(Multicast, ReachesEveryAttachedQp) {
  Qp* second = another(p.b);
  Qp* third = another(p.b);
  for (Qp* qp : {p.b.qp, second, third}) {
    const Sge s = p.b.sge(0, 100);
    ASSERT_EQ(p.b.engine.post_recv(*qp, {qp->qpn(), &s, 1}), 0);
  }
  ASSERT_EQ(p.b.engine.attach_mcast(*p.b.qp, group), 0);
  ASSERT_EQ(p.b.engine.attach_mcast(*second, group), 0);
  ASSERT_EQ(p.b.engine.attach_mcast(*second, group), 0);
  send_to_group();
  auto all = p.b.poll();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].wr_id, p.b.qp->qpn());
  EXPECT_EQ(all[1].wr_id, second->qpn());
  EXPECT_EQ(all[1].src_qp, p.a.qp->qpn());
  EXPECT_EQ(p.b.engine.counters().mcast_pkts, 2u);
}

TEST_F(Multicast, NobodyAttachedNobodyReceives) {
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  send_to_group();
  EXPECT_TRUE(p.b.poll().empty());
  ASSERT_EQ(p.b.engine.attach_mcast(*p.b.qp, group), 0);
  arrive(ipv4(239, 8));  // another group
  EXPECT_TRUE(p.b.poll().empty());
  ASSERT_EQ(p.b.engine.detach_mcast(*p.b.qp, group), 0);
  arrive(group);
  EXPECT_TRUE(p.b.poll().empty());
}

TEST_F(Multicast, OfOnlyUdQpsAndRealGroups) {
  EXPECT_EQ(p.b.engine.attach_mcast(*p.b.qp, ipv4(10, 7)), EINVAL);
  EXPECT_EQ(p.b.engine.attach_mcast(*p.b.qp, p.a.address), EINVAL);
  EXPECT_EQ(p.b.engine.attach_mcast(*p.b.qp, Gid{0xff, 0x0e}), 0);
  EXPECT_EQ(p.b.engine.detach_mcast(*p.b.qp, group), EINVAL);
  Pair connected;
  EXPECT_EQ(connected.b.engine.attach_mcast(*connected.b.qp, group), EINVAL);
}

TEST_F(Multicast, AnAttachedQpIsNotDestroyed) {
  ASSERT_EQ(p.b.engine.attach_mcast(*p.b.qp, group), 0);
  EXPECT_EQ(p.b.engine.destroy_qp(p.b.qp), EBUSY);
  ASSERT_EQ(p.b.engine.detach_mcast(*p.b.qp, group), 0);
  EXPECT_EQ(p.b.engine.destroy_qp(p.b.qp), 0);
}

TEST_F(Multicast, TheNumberOfGroupsIsLimited) {
  Options o = ud();
  o.engine.max_mcast_groups = 2;
  o.engine.max_mcast_qps = 1;
  Pair limited(o);
  Engine& e = limited.a.engine;
  Qp* second = another(limited.a);
  EXPECT_EQ(e.attach_mcast(*limited.a.qp, ipv4(239, 1)), 0);
  EXPECT_EQ(e.attach_mcast(*limited.a.qp, ipv4(239, 2)), 0);
  EXPECT_EQ(e.attach_mcast(*limited.a.qp, ipv4(239, 3)), ENOMEM);
  EXPECT_EQ(e.attach_mcast(*second, ipv4(239, 2)), ENOMEM);
  EXPECT_EQ(e.detach_mcast(*limited.a.qp, ipv4(239, 1)), 0);
  EXPECT_EQ(e.attach_mcast(*second, ipv4(239, 3)), 0);
}

TEST_F(Multicast, AUnicastQpnAtAGroupsAddressIsDropped) {
  ASSERT_EQ(p.b.engine.attach_mcast(*p.b.qp, group), 0);
  ASSERT_EQ(p.b.post_recv(0, 100), 0);
  ASSERT_EQ(p.a.post_datagram(0, 4), 0);
  packet = p.a.take_one();
  arrive(group);
  EXPECT_TRUE(p.b.poll().empty());
  EXPECT_EQ(p.b.engine.counters().wrong_address_pkts, 1u);
}

}  // namespace
}  // namespace uroce::transport::test
