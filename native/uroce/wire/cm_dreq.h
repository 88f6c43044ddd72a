// DREQ: one side ends the connection (IBA 12.6.10).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 remote QPN (3) | 12 private data (220)
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

struct CmDreq {
  static constexpr uint16_t kAttribute = cm_attribute::dreq;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 220;

  uint32_t local_comm_id = 0;
  uint32_t remote_comm_id = 0;
  uint32_t remote_qpn = 0;  // 24 bits
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmDreq&) const = default;

  static std::optional<CmDreq> parse(const uint8_t* p, size_t len) {
    if (len < kSize) return std::nullopt;
    return CmDreq{load32(p), load32(p + 4), load24(p + 8), load_array<kPrivate>(p + 12)};
  }
  void emit(uint8_t* p) const {
    store32(p, local_comm_id);
    store32(p + 4, remote_comm_id);
    store24(p + 8, remote_qpn);
    p[11] = 0;
    store_array(p + 12, private_data);
  }
};

}  // namespace uroce::wire
