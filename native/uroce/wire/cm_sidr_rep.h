// SIDR_REP: the datagram queue pair of a service ID, or why there is none (IBA 12.11.2).
//
//   0 request ID (4) | 4 status | 5 length of the information | 8 QPN (3) | 12 service ID (8) | 20 Q_Key (4)
//  24 additional information (72) | 96 private data (136)
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

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

  static std::optional<CmSidrRep> parse(const uint8_t* p, size_t len) {
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
  void emit(uint8_t* p) const {
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
};

}  // namespace uroce::wire
