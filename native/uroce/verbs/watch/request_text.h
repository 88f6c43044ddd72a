// Words for work requests, as findings have them.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <string>

#include "uroce/types.h"

namespace uroce::verbs::watch {

template <class... T>
std::string format(const char* pattern, T... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

const char* opcode_name(WrOpcode opcode);

// `RDMA_WRITE of 64 bytes to 0x7f… with rkey 0x12345678`.
std::string text_of(WrOpcode opcode, uint32_t length, uint64_t addr, uint32_t rkey);

}  // namespace uroce::verbs::watch
