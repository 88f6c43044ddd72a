// Arrived on the wire: not standard. It stands behind the AETH of a NAK "PSN sequence error", between two ends that use
// selective repeat (wire::BthView::selective).
//
//  Big-endian words of 64 bits, 1 to 4 of them. Bit i, from the lowest of the first word on: packet PSN + 1 + i has arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "uroce/transport/policy/arrived.h"
#include "uroce/wire/bytes.h"

namespace uroce::transport {

struct ArrivedHeader {
  static constexpr uint32_t kWord = 8;  // bytes
  static constexpr uint32_t kLongest = Arrived::kMostWords * kWord;

  // bytes.
  static bool valid_size(size_t len) { return len != 0 && len % kWord == 0 && len <= kLongest; }
  // nothing if it cannot have that length.
  static std::optional<Arrived> parse(const uint8_t* p, size_t len) {
    if (!valid_size(len)) return std::nullopt;
    Arrived a;
    for (; a.words * kWord < len; ++a.words) a.bits[a.words] = wire::load64(p + a.words * kWord);
    return a;
  }
  // Returns its length, bytes.
  static uint32_t emit(const Arrived& a, uint8_t* p) {
    for (uint32_t i = 0; i < a.words; ++i) wire::store64(p + i * kWord, a.bits[i]);
    return a.words * kWord;
  }
};

}  // namespace uroce::transport
