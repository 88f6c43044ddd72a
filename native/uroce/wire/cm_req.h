// REQ: the active side asks for a connection (IBA 12.6.5).
//
//   0 local comm ID (4) | 8 service ID (8) | 16 local CA GUID (8) | 28 local Q_Key (4)
//  32 local QPN (3) | 35 responder resources | 36 local EECN (3) | 39 initiator depth | 40 remote EECN (3)
//  43 remote CM response timeout (5 bits), transport service (2), flow control (1)
//  44 starting PSN (3) | 47 local CM response timeout (5 bits), retry count (3)
//  48 P_Key (2) | 50 path MTU (4 bits), RDC exists (1), RNR retry count (3)
//  51 max CM retries (4 bits), SRQ (1), extended transport (3)
//  52 primary path (44) | 96 alternate path (44) | 140 private data (92)
//
// A path: 0 local LID (2) | 2 remote LID (2) | 4 local GID (16) | 20 remote GID (16)
//  36 flow label (20 bits), reserved (6), packet rate (6) | 40 traffic class | 41 hop limit
//  42 SL (4 bits), subnet local (1) | 43 local ACK timeout (5 bits)
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

struct CmPath {
  static constexpr size_t kSize = 44;

  uint16_t local_lid = 0;
  uint16_t remote_lid = 0;
  std::array<uint8_t, 16> local_gid{};
  std::array<uint8_t, 16> remote_gid{};
  uint32_t flow_label = 0;  // 20 bits
  uint8_t packet_rate = 0;  // 6 bits
  uint8_t traffic_class = 0;
  uint8_t hop_limit = 0;
  uint8_t sl = 0;  // 4 bits
  bool subnet_local = false;
  uint8_t local_ack_timeout = 0;  // 5 bits, 4.096 us x 2^n

  bool operator==(const CmPath&) const = default;

  static CmPath load(const uint8_t* p) {
    CmPath path;
    path.local_lid = load16(p);
    path.remote_lid = load16(p + 2);
    path.local_gid = load_array<16>(p + 4);
    path.remote_gid = load_array<16>(p + 20);
    path.flow_label = load32(p + 36) >> 12;
    path.packet_rate = p[39] & 0x3f;
    path.traffic_class = p[40];
    path.hop_limit = p[41];
    path.sl = p[42] >> 4;
    path.subnet_local = (p[42] & 8) != 0;
    path.local_ack_timeout = p[43] >> 3;
    return path;
  }
  void emit(uint8_t* p) const {
    store16(p, local_lid);
    store16(p + 2, remote_lid);
    store_array(p + 4, local_gid);
    store_array(p + 20, remote_gid);
    store32(p + 36, flow_label << 12 | (packet_rate & 0x3f));
    p[40] = traffic_class;
    p[41] = hop_limit;
    p[42] = static_cast<uint8_t>(sl << 4 | subnet_local << 3);
    p[43] = static_cast<uint8_t>(local_ack_timeout << 3);
  }
};

struct CmReq {
  static constexpr uint16_t kAttribute = cm_attribute::req;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 92;

  uint32_t local_comm_id = 0;
  uint64_t service_id = 0;
  uint64_t local_ca_guid = 0;
  uint32_t local_qkey = 0;
  uint32_t local_qpn = 0;  // 24 bits
  uint8_t responder_resources = 0;
  uint32_t local_eecn = 0;  // 24 bits
  uint8_t initiator_depth = 0;
  uint32_t remote_eecn = 0;                // 24 bits
  uint8_t remote_cm_response_timeout = 0;  // 5 bits, 4.096 us x 2^n: what the sender waits for the answer
  uint8_t transport = 0;                   // 0 RC, 1 UC, 2 RD, 3 see extended_transport
  bool flow_control = false;
  uint32_t starting_psn = 0;              // 24 bits: the first that the receiver of the REQ is to send
  uint8_t local_cm_response_timeout = 0;  // 5 bits: within it the sender answers
  uint8_t retry_count = 0;                // 3 bits
  uint16_t pkey = 0xffff;
  uint8_t path_mtu = 0;  // 4 bits, enum ibv_mtu
  bool rdc_exists = false;
  uint8_t rnr_retry_count = 0;  // 3 bits
  uint8_t max_cm_retries = 0;   // 4 bits
  bool srq = false;
  uint8_t extended_transport = 0;  // 3 bits
  CmPath primary;
  CmPath alternate;
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmReq&) const = default;

  static std::optional<CmReq> parse(const uint8_t* p, size_t len) {
    if (len < kSize) return std::nullopt;
    CmReq m;
    m.local_comm_id = load32(p);
    m.service_id = load64(p + 8);
    m.local_ca_guid = load64(p + 16);
    m.local_qkey = load32(p + 28);
    m.local_qpn = load24(p + 32);
    m.responder_resources = p[35];
    m.local_eecn = load24(p + 36);
    m.initiator_depth = p[39];
    m.remote_eecn = load24(p + 40);
    m.remote_cm_response_timeout = p[43] >> 3;
    m.transport = p[43] >> 1 & 3;
    m.flow_control = (p[43] & 1) != 0;
    m.starting_psn = load24(p + 44);
    m.local_cm_response_timeout = p[47] >> 3;
    m.retry_count = p[47] & 7;
    m.pkey = load16(p + 48);
    m.path_mtu = p[50] >> 4;
    m.rdc_exists = (p[50] & 8) != 0;
    m.rnr_retry_count = p[50] & 7;
    m.max_cm_retries = p[51] >> 4;
    m.srq = (p[51] & 8) != 0;
    m.extended_transport = p[51] & 7;
    m.primary = CmPath::load(p + 52);
    m.alternate = CmPath::load(p + 96);
    m.private_data = load_array<kPrivate>(p + 140);
    return m;
  }
  void emit(uint8_t* p) const {
    std::memset(p, 0, kSize);
    store32(p, local_comm_id);
    store64(p + 8, service_id);
    store64(p + 16, local_ca_guid);
    store32(p + 28, local_qkey);
    store24(p + 32, local_qpn);
    p[35] = responder_resources;
    store24(p + 36, local_eecn);
    p[39] = initiator_depth;
    store24(p + 40, remote_eecn);
    p[43] = static_cast<uint8_t>(remote_cm_response_timeout << 3 | (transport & 3) << 1 | flow_control);
    store24(p + 44, starting_psn);
    p[47] = static_cast<uint8_t>(local_cm_response_timeout << 3 | (retry_count & 7));
    store16(p + 48, pkey);
    p[50] = static_cast<uint8_t>(path_mtu << 4 | rdc_exists << 3 | (rnr_retry_count & 7));
    p[51] = static_cast<uint8_t>(max_cm_retries << 4 | srq << 3 | (extended_transport & 7));
    primary.emit(p + 52);
    alternate.emit(p + 96);
    store_array(p + 140, private_data);
  }
};

}  // namespace uroce::wire
