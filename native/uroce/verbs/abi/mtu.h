// MTUs of verbs, to bytes and back.
#pragma once

#include <cstdint>

#include "uroce/verbs/abi/abi.h"

namespace uroce::verbs {

// 0 if the value is not an ibv_mtu.
inline uint16_t mtu_bytes(uint32_t mtu) {
  return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? static_cast<uint16_t>(128u << mtu) : 0;
}

// The smallest MTU that holds so many bytes; 4096 if none does.
inline ibv_mtu mtu_enum(uint32_t bytes) {
  int value = IBV_MTU_256;
  while (value < IBV_MTU_4096 && (128u << value) < bytes) ++value;
  return static_cast<ibv_mtu>(value);
}

}  // namespace uroce::verbs
