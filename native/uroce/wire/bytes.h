// Network-order loads and stores at any alignment.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace uroce::wire {

inline uint16_t swap_if_little(uint16_t v) {
  return std::endian::native == std::endian::little ? __builtin_bswap16(v) : v;
}
inline uint32_t swap_if_little(uint32_t v) {
  return std::endian::native == std::endian::little ? __builtin_bswap32(v) : v;
}
inline uint64_t swap_if_little(uint64_t v) {
  return std::endian::native == std::endian::little ? __builtin_bswap64(v) : v;
}

template <class T>
T load_be(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return swap_if_little(v);
}
template <class T>
void store_be(uint8_t* p, T v) {
  v = swap_if_little(v);
  std::memcpy(p, &v, sizeof v);
}
inline uint16_t load16(const uint8_t* p) { return load_be<uint16_t>(p); }
inline uint32_t load32(const uint8_t* p) { return load_be<uint32_t>(p); }
inline uint64_t load64(const uint8_t* p) { return load_be<uint64_t>(p); }
inline uint32_t load24(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) << 16 | static_cast<uint32_t>(p[1]) << 8 | p[2];
}
inline void store16(uint8_t* p, uint16_t v) { store_be(p, v); }
inline void store32(uint8_t* p, uint32_t v) { store_be(p, v); }
inline void store64(uint8_t* p, uint64_t v) { store_be(p, v); }
// Bytes handed on as they are (immediate data).
inline uint32_t load_raw32(const uint8_t* p) {
  uint32_t v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store_raw32(uint8_t* p, uint32_t v) { std::memcpy(p, &v, sizeof v); }
inline void store24(uint8_t* p, uint32_t v) {
  p[0] = static_cast<uint8_t>(v >> 16);
  p[1] = static_cast<uint8_t>(v >> 8);
  p[2] = static_cast<uint8_t>(v);
}

}  // namespace uroce::wire
