// MRA: the message has arrived, the answer takes longer (IBA 12.6.6).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 message (2 bits) | 9 service timeout (5 bits)
//  10 private data (222)
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

// Which message an MRA or a REJ speaks of.
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

  static std::optional<CmMra> parse(const uint8_t* p, size_t len) {
    if (len < kSize) return std::nullopt;
    return CmMra{load32(p), load32(p + 4), static_cast<uint8_t>(p[8] >> 6), static_cast<uint8_t>(p[9] >> 3),
                 load_array<kPrivate>(p + 10)};
  }
  void emit(uint8_t* p) const {
    store32(p, local_comm_id);
    store32(p + 4, remote_comm_id);
    p[8] = static_cast<uint8_t>(message << 6);
    p[9] = static_cast<uint8_t>(service_timeout << 3);
    store_array(p + 10, private_data);
  }
};

}  // namespace uroce::wire
