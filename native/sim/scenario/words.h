// Figures of a run in the words of its sentences.
#pragma once

#include <cstdint>
#include <string>

#include "sim/scenario/json.h"

namespace vlsim {

// 180,000 B are 180 KB.
inline std::string bytes_text(uint64_t bytes) {
  if (bytes >= 10'000'000) return std::to_string(bytes / 1'000'000) + " MB";
  if (bytes >= 10'000) return std::to_string(bytes / 1000) + " KB";
  return std::to_string(bytes) + " B";
}

inline std::string times_text(uint64_t n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

// "1 packet", "3 packets"
inline std::string count_text(uint64_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// time: ps.
inline std::string at_text(uint64_t time) { return decimal_text(time) + " us"; }

}  // namespace vlsim
