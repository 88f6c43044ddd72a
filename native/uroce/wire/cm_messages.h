// Messages of the connection manager (IBA 12.6, 12.11): a layout and a value each. The values have no
// views, since a message is parsed once per connection. Reserved bits are written as zero and not looked
// at.
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

// A path of a REQ:
//  0 local LID (2) | 2 remote LID (2) | 4 local GID (16) | 20 remote GID (16)
//  36 flow label (20 bits), reserved (6), packet rate (6) | 40 traffic class | 41 hop limit
//  42 SL (4 bits), subnet local (1) | 43 local ACK timeout (5 bits)
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

  static CmPath load(const uint8_t* p);
  void emit(uint8_t* p) const;
};

// REQ: the active side asks for a connection (IBA 12.6.5).
//
//   0 local comm ID (4) | 8 service ID (8) | 16 local CA GUID (8) | 28 local Q_Key (4)
//  32 local QPN (3) | 35 responder resources | 36 local EECN (3) | 39 initiator depth | 40 remote EECN (3)
//  43 remote CM response timeout (5 bits), transport service (2), flow control (1)
//  44 starting PSN (3) | 47 local CM response timeout (5 bits), retry count (3)
//  48 P_Key (2) | 50 path MTU (4 bits), RDC exists (1), RNR retry count (3)
//  51 max CM retries (4 bits), SRQ (1), extended transport (3)
//  52 primary path (44) | 96 alternate path (44) | 140 private data (92)
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

  static std::optional<CmReq> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// REP: the passive side accepts (IBA 12.6.8).
//
//   0 local comm ID (4) | 4 remote comm ID (4) | 8 local Q_Key (4) | 12 local QPN (3) | 16 local EECN (3)
//  20 starting PSN (3) | 24 responder resources | 25 initiator depth
//  26 target ACK delay (5 bits), failover accepted (2), flow control (1)
//  27 RNR retry count (3 bits), SRQ (1) | 28 local CA GUID (8) | 36 private data (196)
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

  static std::optional<CmRep> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// RTU: the active side is ready to use the connection (IBA 12.6.9).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 private data (224)
struct CmRtu {
  static constexpr uint16_t kAttribute = cm_attribute::rtu;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 224;

  uint32_t local_comm_id = 0;
  uint32_t remote_comm_id = 0;
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmRtu&) const = default;

  static std::optional<CmRtu> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// MRA: the message has arrived, the answer takes longer (IBA 12.6.6).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 message (2 bits) | 9 service timeout (5 bits)
//  10 private data (222)

// Message that an MRA or a REJ refers to.
namespace cm_message {
inline constexpr uint8_t req = 0, rep = 1, other = 2;
}

struct CmMra {
  static constexpr uint16_t kAttribute = cm_attribute::mra;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 222;

  uint32_t local_comm_id = 0;
  uint32_t remote_comm_id = 0;
  uint8_t message = cm_message::req;
  uint8_t service_timeout = 0;  // 4.096 us x 2^n
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmMra&) const = default;

  static std::optional<CmMra> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// REJ: no connection, and why (IBA 12.6.7).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 message (2 bits) | 9 length of the information (7 bits)
//  10 reason (2) | 12 additional information (72) | 84 private data (148)

// Reasons (IBA table 109), as enum ib_cm_rej_reason of the kernel numbers them.
namespace cm_reject {
inline constexpr uint16_t no_qp = 1, no_resources = 3, timeout = 4, unsupported = 5, invalid_comm_id = 6,
                          invalid_service_id = 8, invalid_transport = 9, stale_connection = 10,
                          consumer_defined = 28, duplicate_comm_id = 30, vendor_option = 35;
}

struct CmRej {
  static constexpr uint16_t kAttribute = cm_attribute::rej;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 148;
  static constexpr size_t kInformation = 72;

  uint32_t local_comm_id = 0;
  uint32_t remote_comm_id = 0;
  uint8_t message = cm_message::req;
  uint8_t information_length = 0;
  uint16_t reason = 0;
  std::array<uint8_t, kInformation> information{};
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmRej&) const = default;

  static std::optional<CmRej> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// DREQ: one side ends the connection (IBA 12.6.10).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 remote QPN (3) | 12 private data (220)
struct CmDreq {
  static constexpr uint16_t kAttribute = cm_attribute::dreq;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 220;

  uint32_t local_comm_id = 0;
  uint32_t remote_comm_id = 0;
  uint32_t remote_qpn = 0;  // 24 bits
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmDreq&) const = default;

  static std::optional<CmDreq> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// DREP: the answer to DREQ (IBA 12.6.11).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 private data (224)
struct CmDrep {
  static constexpr uint16_t kAttribute = cm_attribute::drep;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 224;

  uint32_t local_comm_id = 0;
  uint32_t remote_comm_id = 0;
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmDrep&) const = default;

  static std::optional<CmDrep> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// SIDR_REQ: which datagram queue pair serves this service ID? (IBA 12.11.1)
//
//  0 request ID (4) | 4 P_Key (2) | 8 service ID (8) | 16 private data (216)
struct CmSidrReq {
  static constexpr uint16_t kAttribute = cm_attribute::sidr_req;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 216;

  uint32_t request_id = 0;
  uint16_t pkey = 0xffff;
  uint64_t service_id = 0;
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmSidrReq&) const = default;

  static std::optional<CmSidrReq> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// SIDR_REP: the datagram queue pair of a service ID, or why there is none (IBA 12.11.2).
//
//   0 request ID (4) | 4 status | 5 length of the information | 8 QPN (3) | 12 service ID (8) | 20 Q_Key (4)
//  24 additional information (72) | 96 private data (136)

// Status of a SIDR_REP (IBA table 121).
namespace sidr_status {
inline constexpr uint8_t valid = 0, unsupported = 1, rejected = 2, no_qp = 3, redirect = 4, version = 5;
}

struct CmSidrRep {
  static constexpr uint16_t kAttribute = cm_attribute::sidr_rep;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 136;
  static constexpr size_t kInformation = 72;

  uint32_t request_id = 0;
  uint8_t status = sidr_status::valid;
  uint8_t information_length = 0;
  uint32_t qpn = 0;  // 24 bits
  uint64_t service_id = 0;
  uint32_t qkey = 0;
  std::array<uint8_t, kInformation> information{};
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmSidrRep&) const = default;

  static std::optional<CmSidrRep> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// Header that rdma_cm puts in front of the application's private data in REQ and SIDR_REQ (IBA annex A11,
// "RDMA IP CM service"; struct cma_hdr of the kernel), and the service IDs that go with it.
//
//  0 CMA version | 1 IP version (4 bits), reserved | 2 source port (2) | 4 source (16) | 20 destination (16)
//
// An IPv4 address is in the last four bytes of its field.
struct CmIp {
  static constexpr size_t kSize = 36;

  uint8_t version = 0;     // version of this header; only 0 is known
  uint8_t ip_version = 4;  // 4 or 6
  uint16_t source_port = 0;
  std::array<uint8_t, 16> source{};
  std::array<uint8_t, 16> destination{};

  bool operator==(const CmIp&) const = default;

  static std::optional<CmIp> parse(const uint8_t* p, size_t len);
  void emit(uint8_t* p) const;
};

// Service ID of a port in one of the IP port spaces: 0x0000000001PPpppp with the protocol's (TCP 06, UDP 11)
// or a private number.
inline constexpr uint64_t service_id_of(uint16_t port_space, uint16_t port) {
  return uint64_t{port_space} << 16 | port;
}
inline constexpr uint16_t port_of(uint64_t service_id) { return static_cast<uint16_t>(service_id); }
// 0 for a service ID outside of the port spaces.
inline constexpr uint16_t port_space_of(uint64_t service_id) {
  return service_id >> 32 == 0 ? static_cast<uint16_t>(service_id >> 16) : 0;
}

}  // namespace uroce::wire
