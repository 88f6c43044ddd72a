// Random numbers of a simulation: integers only, so that they are the same on every machine.
#pragma once

#include <cstdint>

#include "sim/core/time.h"
#include "uroce/random.h"

namespace vlsim {

using uroce::SeededRandom;

// Mixes the bits of a number; equal to one step of SplitMix64.
inline uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// a * b / 2^32, for a product of up to 96 bits.
inline uint64_t scale32(uint64_t a, uint32_t b) { return (a >> 32) * b + ((a & 0xffffffff) * b >> 32); }

// log2(x) in units of 2^-32, rounded down; x must not be 0. Digit by digit: squaring doubles the logarithm.
inline uint64_t log2_q32(uint32_t x) {
  uint32_t whole = 31;
  while (!(x >> whole)) --whole;
  uint64_t m = static_cast<uint64_t>(x) << (31 - whole);  // 2^31 <= m < 2^32
  uint64_t result = whole;
  for (int i = 0; i < 32; ++i) {
    m = m * m >> 31;
    const uint64_t digit = m >> 32;
    result = result << 1 | digit;
    m >>= digit;
  }
  return result;
}

// An exponentially distributed number.
inline uint64_t exponential(SeededRandom& random, uint64_t mean) {
  constexpr uint32_t kLn2 = 2977044472u;  // ln 2 in units of 2^-32
  const uint32_t u = random.next() | 1;
  const uint64_t bits = (uint64_t{32} << 32) - log2_q32(u);
  const uint64_t nats = scale32(bits, kLn2);  // units of 2^-32
  return (nats >> 32) * mean + scale32(mean, static_cast<uint32_t>(nats));
}

}  // namespace vlsim
