// Randomness is handed to the engine: from the kernel in a live device, seeded in tests. Used when objects
// are made (keys, queue pair numbers), never for a packet.
#pragma once

#include <cstdint>

namespace uroce {

class RandomSource {
 public:
  virtual uint32_t next() = 0;

 protected:
  ~RandomSource() = default;
};

// SplitMix64 (Steele, Lea, Flood 2014): for tests and simulations, not for secrets.
class SeededRandom final : public RandomSource {
 public:
  explicit SeededRandom(uint64_t seed) : state_(seed) {}
  uint64_t next64() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint32_t next() override { return static_cast<uint32_t>(next64() >> 32); }
  // Uniform in 0..bound-1; bound must not be 0.
  uint32_t below(uint32_t bound) {
    return static_cast<uint32_t>((static_cast<uint64_t>(next()) * bound) >> 32);
  }

 private:
  uint64_t state_;
};

}  // namespace uroce
