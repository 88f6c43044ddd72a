// IPv4 identifications that the kernel gives to the segments of one UDP_SEGMENT send: 0, 1, 2 …
#pragma once

#include <array>
#include <cstdint>

#include "uroce/wire/icrc.h"

namespace uroce::net {

constexpr uint32_t kSegmentIds = 128;  // segments of a send at most

// By identification: what it changes in the state of the ICRC.
inline const std::array<uint32_t, kSegmentIds> kIdDifference = [] {
  std::array<uint32_t, kSegmentIds> table;
  for (uint32_t id = 0; id < kSegmentIds; ++id) {
    table[id] = wire::icrc_id_difference(static_cast<uint16_t>(id));
  }
  return table;
}();

}  // namespace uroce::net
