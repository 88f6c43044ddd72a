// REJ: no connection, and why (IBA 12.6.7).
//
//  0 local comm ID (4) | 4 remote comm ID (4) | 8 message (2 bits) | 9 length of the information (7 bits)
//  10 reason (2) | 12 additional information (72) | 84 private data (148)
#pragma once

#include "uroce/wire/cm_mra.h"
#include "uroce/wire/mad.h"

namespace uroce::wire {

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

  static std::optional<CmRej> parse(const uint8_t* p, size_t len) {
    if (len < kSize) return std::nullopt;
    return CmRej{load32(p),
                 load32(p + 4),
                 static_cast<uint8_t>(p[8] >> 6),
                 static_cast<uint8_t>(p[9] >> 1),
                 load16(p + 10),
                 load_array<kInformation>(p + 12),
                 load_array<kPrivate>(p + 84)};
  }
  void emit(uint8_t* p) const {
    store32(p, local_comm_id);
    store32(p + 4, remote_comm_id);
    p[8] = static_cast<uint8_t>(message << 6);
    p[9] = static_cast<uint8_t>(information_length << 1);
    store16(p + 10, reason);
    store_array(p + 12, information);
    store_array(p + 84, private_data);
  }
};

}  // namespace uroce::wire
