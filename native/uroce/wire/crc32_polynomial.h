// Arithmetic with polynomials over GF(2) modulo that of the CRC, at compile time and for lengths known only
// later. In the reflected register bit 31 is x^0.
#pragma once

#include <cstdint>

namespace uroce::wire::crc {

inline constexpr uint32_t kPoly = 0xedb88320;
inline constexpr uint32_t kOne = 1u << 31;
inline constexpr uint32_t kX = 1u << 30;

constexpr uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = 1u << 31; bit != 0 && (a & (bit | (bit - 1))) != 0; bit >>= 1) {
    if (a & bit) product ^= b;
    b = b >> 1 ^ (b & 1 ? kPoly : 0);
  }
  return product;
}

constexpr uint32_t power(uint32_t base, uint64_t exponent) {
  uint32_t result = kOne;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

}  // namespace uroce::wire::crc
