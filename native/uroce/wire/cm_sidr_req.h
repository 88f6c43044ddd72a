// SIDR_REQ: which datagram queue pair serves this service ID? (IBA 12.11.1)
//
//  0 request ID (4) | 4 P_Key (2) | 8 service ID (8) | 16 private data (216)
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

struct CmSidrReq {
  static constexpr uint16_t kAttribute = cm_attribute::sidr_req;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 216;

  uint32_t request_id = 0;
  uint16_t pkey = 0xffff;
  uint64_t service_id = 0;
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmSidrReq&) const = default;

  static std::optional<CmSidrReq> parse(const uint8_t* p, size_t len) {
    if (len < kSize) return std::nullopt;
    return CmSidrReq{load32(p), load16(p + 4), load64(p + 8), load_array<kPrivate>(p + 16)};
  }
  void emit(uint8_t* p) const {
    store32(p, request_id);
    store16(p + 4, pkey);
    store16(p + 6, 0);
    store64(p + 8, service_id);
    store_array(p + 16, private_data);
  }
};

}  // namespace uroce::wire
