#include "uroce/wire/cm_messages.h"

namespace uroce::wire {

CmPath CmPath::load(const uint8_t* p) {
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

void CmPath::emit(uint8_t* p) const {
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

std::optional<CmReq> CmReq::parse(const uint8_t* p, size_t len) {
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

void CmReq::emit(uint8_t* p) const {
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

std::optional<CmRep> CmRep::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  CmRep m;
  m.local_comm_id = load32(p);
  m.remote_comm_id = load32(p + 4);
  m.local_qkey = load32(p + 8);
  m.local_qpn = load24(p + 12);
  m.local_eecn = load24(p + 16);
  m.starting_psn = load24(p + 20);
  m.responder_resources = p[24];
  m.initiator_depth = p[25];
  m.target_ack_delay = p[26] >> 3;
  m.failover_accepted = p[26] >> 1 & 3;
  m.flow_control = (p[26] & 1) != 0;
  m.rnr_retry_count = p[27] >> 5;
  m.srq = (p[27] & 0x10) != 0;
  m.local_ca_guid = load64(p + 28);
  m.private_data = load_array<kPrivate>(p + 36);
  return m;
}

void CmRep::emit(uint8_t* p) const {
  std::memset(p, 0, kSize);
  store32(p, local_comm_id);
  store32(p + 4, remote_comm_id);
  store32(p + 8, local_qkey);
  store24(p + 12, local_qpn);
  store24(p + 16, local_eecn);
  store24(p + 20, starting_psn);
  p[24] = responder_resources;
  p[25] = initiator_depth;
  p[26] = static_cast<uint8_t>(target_ack_delay << 3 | (failover_accepted & 3) << 1 | flow_control);
  p[27] = static_cast<uint8_t>(rnr_retry_count << 5 | srq << 4);
  store64(p + 28, local_ca_guid);
  store_array(p + 36, private_data);
}

std::optional<CmRtu> CmRtu::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  return CmRtu{load32(p), load32(p + 4), load_array<kPrivate>(p + 8)};
}

void CmRtu::emit(uint8_t* p) const {
  store32(p, local_comm_id);
  store32(p + 4, remote_comm_id);
  store_array(p + 8, private_data);
}

std::optional<CmMra> CmMra::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  return CmMra{load32(p), load32(p + 4), static_cast<uint8_t>(p[8] >> 6), static_cast<uint8_t>(p[9] >> 3),
               load_array<kPrivate>(p + 10)};
}

void CmMra::emit(uint8_t* p) const {
  store32(p, local_comm_id);
  store32(p + 4, remote_comm_id);
  p[8] = static_cast<uint8_t>(message << 6);
  p[9] = static_cast<uint8_t>(service_timeout << 3);
  store_array(p + 10, private_data);
}

std::optional<CmRej> CmRej::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  return CmRej{load32(p),
               load32(p + 4),
               static_cast<uint8_t>(p[8] >> 6),
               static_cast<uint8_t>(p[9] >> 1),
               load16(p + 10),
               load_array<kInformation>(p + 12),
               load_array<kPrivate>(p + 84)};
}

void CmRej::emit(uint8_t* p) const {
  store32(p, local_comm_id);
  store32(p + 4, remote_comm_id);
  p[8] = static_cast<uint8_t>(message << 6);
  p[9] = static_cast<uint8_t>(information_length << 1);
  store16(p + 10, reason);
  store_array(p + 12, information);
  store_array(p + 84, private_data);
}

std::optional<CmDreq> CmDreq::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  return CmDreq{load32(p), load32(p + 4), load24(p + 8), load_array<kPrivate>(p + 12)};
}

void CmDreq::emit(uint8_t* p) const {
  store32(p, local_comm_id);
  store32(p + 4, remote_comm_id);
  store24(p + 8, remote_qpn);
  p[11] = 0;
  store_array(p + 12, private_data);
}

std::optional<CmDrep> CmDrep::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  return CmDrep{load32(p), load32(p + 4), load_array<kPrivate>(p + 8)};
}

void CmDrep::emit(uint8_t* p) const {
  store32(p, local_comm_id);
  store32(p + 4, remote_comm_id);
  store_array(p + 8, private_data);
}

std::optional<CmSidrReq> CmSidrReq::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  return CmSidrReq{load32(p), load16(p + 4), load64(p + 8), load_array<kPrivate>(p + 16)};
}

void CmSidrReq::emit(uint8_t* p) const {
  store32(p, request_id);
  store16(p + 4, pkey);
  store16(p + 6, 0);
  store64(p + 8, service_id);
  store_array(p + 16, private_data);
}

std::optional<CmSidrRep> CmSidrRep::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  return CmSidrRep{load32(p),
                   p[4],
                   p[5],
                   load24(p + 8),
                   load64(p + 12),
                   load32(p + 20),
                   load_array<kInformation>(p + 24),
                   load_array<kPrivate>(p + 96)};
}

void CmSidrRep::emit(uint8_t* p) const {
  store32(p, request_id);
  p[4] = status;
  p[5] = information_length;
  store16(p + 6, 0);
  store24(p + 8, qpn);
  p[11] = 0;
  store64(p + 12, service_id);
  store32(p + 20, qkey);
  store_array(p + 24, information);
  store_array(p + 96, private_data);
}

std::optional<CmIp> CmIp::parse(const uint8_t* p, size_t len) {
  if (len < kSize) return std::nullopt;
  return CmIp{p[0], static_cast<uint8_t>(p[1] >> 4), load16(p + 2), load_array<16>(p + 4),
              load_array<16>(p + 20)};
}

void CmIp::emit(uint8_t* p) const {
  p[0] = version;
  p[1] = static_cast<uint8_t>(ip_version << 4);
  store16(p + 2, source_port);
  store_array(p + 4, source);
  store_array(p + 20, destination);
}

}  // namespace uroce::wire
