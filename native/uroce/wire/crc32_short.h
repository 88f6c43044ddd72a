// The CRC of a short packet by carry-less multiplication (V. Gopal et al., "Fast CRC Computation for Generic
// Polynomials Using PCLMULQDQ Instruction", Intel 2009). ISA-L folds what is shorter than 256 bytes block by
// block, and each step waits for the last. Here every block of 16 bytes is multiplied by the power of x that
// moves it to the end, all of them at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace uroce::wire {

inline constexpr size_t kCrcShortest = 16;  // bytes
inline constexpr size_t kCrcLongest = 240;  // bytes

// This processor has the instructions.
bool crc_short_works();
// State after n more bytes: from kCrcShortest to kCrcLongest of them, a multiple of four, as every packet has.
uint32_t crc_update_short(uint32_t state, const uint8_t* p, size_t n);

}  // namespace uroce::wire
