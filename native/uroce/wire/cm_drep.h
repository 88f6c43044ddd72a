// DREP: the answer to DREQ (IBA 12.6.11).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 private data (224)
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

struct CmDrep {
  static constexpr uint16_t kAttribute = cm_attribute::drep;
  static constexpr size_t kSize = kMadPayload;
  static constexpr size_t kPrivate = 224;

  uint32_t local_comm_id = 0;
  uint32_t remote_comm_id = 0;
  std::array<uint8_t, kPrivate> private_data{};

  bool operator==(const CmDrep&) const = default;

  static std::optional<CmDrep> parse(const uint8_t* p, size_t len) {
    if (len < kSize) return std::nullopt;
    return CmDrep{load32(p), load32(p + 4), load_array<kPrivate>(p + 8)};
  }
  void emit(uint8_t* p) const {
    store32(p, local_comm_id);
    store32(p + 4, remote_comm_id);
    store_array(p + 8, private_data);
  }
};

}  // namespace uroce::wire
