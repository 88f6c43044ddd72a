// Messages of connection management: what the kernel's rdma_cm put on the wire is parsed and emitted again
// byte by byte, and the fields mean what they should.
#include <gtest/gtest.h>

#include <map>

#include "capture.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/cm_messages.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/ip.h"

namespace uroce::wire::test {
namespace {

using wire::kMadPayload;
using wire::MadHeader;

// The 256-byte datagrams to queue pair 1 in the capture, in its order.
std::vector<Bytes> mads() {
  std::vector<Bytes> out;
  for (const Bytes& packet : roce_packets("rxe-verbs-and-cm.pcap")) {
    const size_t ip = packet[0] >> 4 == 4 ? 20 : 40;
    const size_t bth = ip + wire::Udp::kSize, mad = bth + wire::Bth::kSize + wire::Deth::kSize;
    if (wire::BthView::of(&packet[bth], packet.size() - bth)->dest_qpn() != wire::kGsiQpn) continue;
    if (packet.size() < mad + wire::kMadSize) continue;
    EXPECT_EQ(wire::DethView::of(&packet[bth + wire::Bth::kSize], 8)->qkey(), wire::kGsiQkey);
    out.emplace_back(packet.begin() + static_cast<long>(mad),
                     packet.begin() + static_cast<long>(mad + wire::kMadSize));
  }
  return out;
}

template <class Message>
void same_again(const Bytes& mad) {
  const auto parsed = Message::parse(&mad[MadHeader::kSize], kMadPayload);
  ASSERT_TRUE(parsed);
  Bytes out(wire::kMadSize);
  MadHeader::parse(mad.data(), mad.size())->emit(out.data());
  parsed->emit(&out[MadHeader::kSize]);
  EXPECT_EQ(out, mad);
}

TEST(Cm, WhatTheKernelSentIsEmittedAgain) {
  std::map<uint16_t, int> seen;
  for (const Bytes& mad : mads()) {
    const auto header = MadHeader::parse(mad.data(), mad.size());
    ASSERT_TRUE(header->is_cm());
    ++seen[header->attribute];
    switch (header->attribute) {
      case wire::cm_attribute::req:
        same_again<wire::CmReq>(mad);
        break;
      case wire::cm_attribute::rep:
        same_again<wire::CmRep>(mad);
        break;
      case wire::cm_attribute::rtu:
        same_again<wire::CmRtu>(mad);
        break;
      case wire::cm_attribute::dreq:
        same_again<wire::CmDreq>(mad);
        break;
      case wire::cm_attribute::drep:
        same_again<wire::CmDrep>(mad);
        break;
      case wire::cm_attribute::sidr_req:
        same_again<wire::CmSidrReq>(mad);
        break;
      case wire::cm_attribute::sidr_rep:
        same_again<wire::CmSidrRep>(mad);
        break;
      default:
        ADD_FAILURE() << "attribute " << header->attribute;
    }
  }
  // rping, udaddy, ucmatose (two connections), rdma_server.
  const std::map<uint16_t, int> expected{{wire::cm_attribute::req, 4},     {wire::cm_attribute::rep, 4},
                                         {wire::cm_attribute::rtu, 4},     {wire::cm_attribute::dreq, 4},
                                         {wire::cm_attribute::drep, 4},    {wire::cm_attribute::sidr_req, 1},
                                         {wire::cm_attribute::sidr_rep, 1}};
  EXPECT_EQ(seen, expected);
}

// rping of the capture, by what tshark says of it.
TEST(Cm, FieldsOfRping) {
  const std::vector<Bytes> all = mads();
  const auto req = wire::CmReq::parse(&all[0][MadHeader::kSize], kMadPayload);
  EXPECT_EQ(req->local_comm_id, 0xf080c86cu);
  EXPECT_EQ(req->service_id, wire::service_id_of(0x106, 7174));
  EXPECT_EQ(wire::port_space_of(req->service_id), 0x106);
  EXPECT_EQ(wire::port_of(req->service_id), 7174);
  EXPECT_EQ(req->local_ca_guid, 0x505400fffe000002u);
  EXPECT_EQ(req->local_qpn, 0x19u);
  EXPECT_EQ(req->responder_resources, 1);
  EXPECT_EQ(req->initiator_depth, 1);
  EXPECT_EQ(req->remote_cm_response_timeout, 20);
  EXPECT_EQ(req->local_cm_response_timeout, 20);
  EXPECT_EQ(req->transport, 0);
  EXPECT_FALSE(req->flow_control);
  EXPECT_EQ(req->starting_psn, 0x0db857u);
  EXPECT_EQ(req->retry_count, 7);
  EXPECT_EQ(req->rnr_retry_count, 7);
  EXPECT_EQ(req->pkey, 0xffff);
  EXPECT_EQ(req->path_mtu, 3);
  EXPECT_EQ(req->max_cm_retries, 15);
  EXPECT_FALSE(req->srq);
  EXPECT_EQ(req->primary.local_lid, 0xffff);
  // The upper 20 of 32 bits (tshark 4.0 takes them from the wrong end).
  EXPECT_EQ(req->primary.flow_label, 0x3ddbfu);
  EXPECT_EQ(req->primary.packet_rate, 0);
  EXPECT_EQ(req->primary.hop_limit, 64);
  EXPECT_EQ(req->primary.local_ack_timeout, 19);
  EXPECT_EQ(req->alternate, wire::CmPath{});

  const auto ip = wire::CmIp::parse(req->private_data.data(), req->private_data.size());
  EXPECT_EQ(ip->version, 0);
  EXPECT_EQ(ip->ip_version, 4);
  EXPECT_EQ(ip->source_port, 0xa327);
  const std::array<uint8_t, 16> source{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 9, 0, 2};
  EXPECT_EQ(ip->source, source);
  Bytes again(wire::CmIp::kSize);
  ip->emit(again.data());
  EXPECT_TRUE(std::equal(again.begin(), again.end(), req->private_data.begin()));

  const auto rep = wire::CmRep::parse(&all[1][MadHeader::kSize], kMadPayload);
  EXPECT_EQ(rep->local_comm_id, 0x5749372cu);
  EXPECT_EQ(rep->remote_comm_id, 0xf080c86cu);
  EXPECT_EQ(rep->local_qpn, 0x19u);
  EXPECT_EQ(rep->starting_psn, 0x2592u);
  EXPECT_EQ(rep->target_ack_delay, 15);
  EXPECT_EQ(rep->rnr_retry_count, 7);
  EXPECT_FALSE(rep->srq);
  EXPECT_EQ(rep->local_ca_guid, 0x505400fffe000001u);
  // Answers carry the transaction ID of what they answer.
  EXPECT_EQ(MadHeader::parse(all[1].data(), 256)->tid, MadHeader::parse(all[0].data(), 256)->tid);

  const auto dreq = wire::CmDreq::parse(&all[3][MadHeader::kSize], kMadPayload);
  EXPECT_EQ(dreq->local_comm_id, 0xf080c86cu);
  EXPECT_EQ(dreq->remote_comm_id, 0x5749372cu);
  EXPECT_EQ(dreq->remote_qpn, 0x19u);
}

TEST(Cm, FieldsOfUdaddy) {
  const std::vector<Bytes> all = mads();
  const auto req = wire::CmSidrReq::parse(&all[5][MadHeader::kSize], kMadPayload);
  EXPECT_EQ(req->request_id, 0xf180c86cu);
  EXPECT_EQ(req->pkey, 0xffff);
  EXPECT_EQ(req->service_id, 0x0000000001111c06u);
  EXPECT_EQ(wire::CmIp::parse(req->private_data.data(), req->private_data.size())->source_port, 0xa84a);
  const auto rep = wire::CmSidrRep::parse(&all[6][MadHeader::kSize], kMadPayload);
  EXPECT_EQ(rep->request_id, 0xf180c86cu);
  EXPECT_EQ(rep->status, wire::sidr_status::valid);
  EXPECT_EQ(rep->qpn, 0x1au);
  EXPECT_EQ(rep->service_id, 0x0000000001111c06u);
  EXPECT_EQ(rep->qkey, 0x01234567u);
}

// Not in the capture: MRA and REJ, by the layout of the specification.
TEST(Cm, MraAndRejStandWhereTheSpecificationPutsThem) {
  wire::CmMra mra;
  mra.local_comm_id = 0x01020304;
  mra.remote_comm_id = 0x05060708;
  mra.message = wire::cm_message::rep;
  mra.service_timeout = 24;
  mra.private_data.front() = 0xaa;
  Bytes out(kMadPayload);
  mra.emit(out.data());
  EXPECT_EQ(Bytes(out.begin(), out.begin() + 11), (Bytes{1, 2, 3, 4, 5, 6, 7, 8, 0x40, 0xc0, 0xaa}));
  EXPECT_EQ(wire::CmMra::parse(out.data(), out.size()), mra);

  wire::CmRej rej;
  rej.local_comm_id = 0x01020304;
  rej.remote_comm_id = 0x05060708;
  rej.message = wire::cm_message::other;
  rej.information_length = 4;
  rej.reason = wire::cm_reject::consumer_defined;
  rej.private_data.front() = 0xbb;
  rej.emit(out.data());
  EXPECT_EQ(Bytes(out.begin(), out.begin() + 12), (Bytes{1, 2, 3, 4, 5, 6, 7, 8, 0x80, 8, 0, 28}));
  EXPECT_EQ(out[84], 0xbb);
  EXPECT_EQ(wire::CmRej::parse(out.data(), out.size()), rej);
}

TEST(Cm, WhatIsTooShortIsNothing) {
  const Bytes bytes(kMadPayload - 1);
  EXPECT_FALSE(wire::CmReq::parse(bytes.data(), bytes.size()));
  EXPECT_FALSE(wire::CmRej::parse(bytes.data(), bytes.size()));
  EXPECT_FALSE(wire::CmSidrRep::parse(bytes.data(), bytes.size()));
  EXPECT_FALSE(MadHeader::parse(bytes.data(), MadHeader::kSize - 1));
  EXPECT_FALSE(wire::CmIp::parse(bytes.data(), wire::CmIp::kSize - 1));
}

}  // namespace
}  // namespace uroce::wire::test
