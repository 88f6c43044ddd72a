// Management datagrams (IBA 13.4): 256 bytes to QP 1, a header of 24 and a message of 232.
//
//  0 base version | 1 class | 2 class version | 3 method | 4 status (2) | 6 class specific (2)
//  8 transaction ID (8) | 16 attribute ID (2) | 18 reserved | 20 attribute modifier (4)
#pragma once

#include <algorithm>
#include <array>

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

inline constexpr size_t kMadSize = 256;
inline constexpr size_t kMadPayload = 232;
inline constexpr uint32_t kGsiQpn = 1;
inline constexpr uint32_t kGsiQkey = 0x80010000;

namespace mad {
inline constexpr uint8_t base_version = 1, class_cm = 0x07, cm_version = 2, method_send = 3;
}

// Attribute IDs of connection management (IBA table 105).
namespace cm_attribute {
inline constexpr uint16_t req = 0x10, mra = 0x11, rej = 0x12, rep = 0x13, rtu = 0x14, dreq = 0x15,
                          drep = 0x16, sidr_req = 0x17, sidr_rep = 0x18, lap = 0x19, apr = 0x1a;
}

struct MadHeader {
  static constexpr size_t kSize = 24;

  uint8_t version = mad::base_version;
  uint8_t mgmt_class = mad::class_cm;
  uint8_t class_version = mad::cm_version;
  uint8_t method = mad::method_send;
  uint16_t status = 0;
  uint64_t tid = 0;
  uint16_t attribute = 0;
  uint32_t modifier = 0;

  bool operator==(const MadHeader&) const = default;

  static std::optional<MadHeader> parse(const uint8_t* p, size_t len) {
    if (len < kSize) return std::nullopt;
    return MadHeader{p[0], p[1], p[2], p[3], load16(p + 4), load64(p + 8), load16(p + 16), load32(p + 20)};
  }
  void emit(uint8_t* p) const {
    std::memset(p, 0, kSize);
    p[0] = version;
    p[1] = mgmt_class;
    p[2] = class_version;
    p[3] = method;
    store16(p + 4, status);
    store64(p + 8, tid);
    store16(p + 16, attribute);
    store32(p + 20, modifier);
  }
  bool is_cm() const {
    return version == mad::base_version && mgmt_class == mad::class_cm && class_version == mad::cm_version &&
           method == mad::method_send;
  }
};

using MadBytes = std::array<uint8_t, kMadSize>;

// A MAD of connection management with this message in it.
template <class Message>
MadBytes make_mad(uint64_t tid, const Message& message) {
  MadBytes out;
  MadHeader header;
  header.tid = tid;
  header.attribute = Message::kAttribute;
  header.emit(out.data());
  message.emit(out.data() + MadHeader::kSize);
  return out;
}

template <size_t Size>
std::array<uint8_t, Size> load_array(const uint8_t* p) {
  std::array<uint8_t, Size> out;
  std::copy_n(p, Size, out.begin());
  return out;
}
template <size_t Size>
void store_array(uint8_t* p, const std::array<uint8_t, Size>& bytes) {
  std::copy_n(bytes.begin(), Size, p);
}

}  // namespace uroce::wire
