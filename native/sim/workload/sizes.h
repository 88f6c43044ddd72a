// Published distributions of flow sizes, and drawing from them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/core/random.h"

namespace vlsim {

// A point of a cumulative distribution; between points it is linear.
struct SizePoint {
  uint64_t bytes;
  uint32_t ppm;  // share of the flows that are no longer
};

class SizeDistribution {
 public:
  // web_search, hadoop, ali_storage, google_rpc; nothing for another name.
  static std::optional<SizeDistribution> named(std::string_view name);
  uint64_t draw(SeededRandom& random) const;
  // Mean in bytes.
  uint64_t mean() const;

 private:
  explicit SizeDistribution(std::span<const SizePoint> points) : points_(points) {}
  std::span<const SizePoint> points_;
};

}  // namespace vlsim
