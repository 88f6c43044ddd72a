// Which packets behind the expected PSN have arrived: what a responder with selective repeat tells its requester.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace uroce::transport {

// A set of distances from the expected PSN: bit i is of the packet at that PSN + 1 + i.
struct Arrived {
  static constexpr uint32_t kMostWords = 4;
  static constexpr uint32_t kReach = 64 * kMostWords;

  uint32_t words = 0;  // in use
  std::array<uint64_t, kMostWords> bits{};

  bool operator==(const Arrived&) const = default;

  // i: below kReach.
  void set(uint32_t i) {
    words = std::max(words, i / 64 + 1);
    bits[i / 64] |= uint64_t{1} << i % 64;
  }
  // Calls visit(i) for each, in order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t word = 0; word < words; ++word) {
      for (uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
        visit(word * 64 + static_cast<uint32_t>(std::countr_zero(rest)));
    }
  }
};

}  // namespace uroce::transport
