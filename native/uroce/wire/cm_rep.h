// REP: the passive side accepts (IBA 12.6.8).
//
//   0 local comm ID (4) | 4 remote comm ID (4) | 8 local Q_Key (4) | 12 local QPN (3) | 16 local EECN (3)
//  20 starting PSN (3) | 24 responder resources | 25 initiator depth
//  26 target ACK delay (5 bits), failover accepted (2), flow control (1)
//  27 RNR retry count (3 bits), SRQ (1) | 28 local CA GUID (8) | 36 private data (196)
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

struct CmRep {
  static constexpr uint16_t kAttribute = cm_attribute::rep;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 196;

  uint32_t local_comm_id = 0;
  uint32_t remote_comm_id = 0;
  uint32_t local_qkey = 0;
  uint32_t local_qpn = 0;     // 24 bits
  uint32_t local_eecn = 0;    // 24 bits
  uint32_t starting_psn = 0;  // 24 bits: the first that the receiver of the REP is to send
  uint8_t responder_resources = 0;
  uint8_t initiator_depth = 0;
  uint8_t target_ack_delay = 0;   // 5 bits, 4.096 us x 2^n
  uint8_t failover_accepted = 0;  // 2 bits
  bool flow_control = false;
  uint8_t rnr_retry_count = 0;  // 3 bits
  bool srq = false;
  uint64_t local_ca_guid = 0;
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmRep&) const = default;

  static std::optional<CmRep> parse(const uint8_t* p, size_t len) {
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
  void emit(uint8_t* p) const {
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
};

}  // namespace uroce::wire
