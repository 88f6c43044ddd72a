// Ethernet CRC-32 (reflected, polynomial 0xedb88320) as raw register states: no complement at either end.
// Because the CRC is linear over GF(2), the difference of two states can be carried forwards and backwards
// over bytes without knowing them. That is how an unknown IPv4 identification is found (icrc.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace uroce::wire {

// State after n more bytes.
uint32_t crc_update(uint32_t state, const uint8_t* p, size_t n);

// Copies the bytes to dst and returns the state as crc_update() does, in pieces that stay in the
// first-level cache. The checksum is that of the copy, so it holds even while another thread writes to src.
// The ranges must not overlap.
uint32_t crc_copy(uint32_t state, uint8_t* dst, const uint8_t* src, size_t n);

// The difference of two states after (before) n equal bytes: multiplication by x^8n (x^-8n) modulo the
// polynomial.
uint32_t crc_advance(uint32_t difference, size_t n);
uint32_t crc_rewind(uint32_t difference, size_t n);

// The loop behind crc_update: ISA-L unless crc_choose or crc_use selects another. The vector code is
// correct everywhere, but machines without the wide instructions, and emulated ones, run the shifts faster.
using CrcFunction = uint32_t (*)(uint32_t state, const uint8_t* p, size_t n);
uint32_t crc_update_isal(uint32_t state, const uint8_t* p,
                         size_t n);  // short ones by carry-less multiplication
uint32_t crc_update_sparse(uint32_t state, const uint8_t* p, size_t n);  // shifts; a table for short ones
uint32_t crc_update_table(uint32_t state, const uint8_t* p, size_t n);   // slicing by 8
void crc_use(CrcFunction function);
// Time of two packets of 4 KiB, ns: the minimum of a few runs, so that an interruption does not decide.
uint64_t crc_time(CrcFunction crc, uint64_t (*clock_ns)());
// Times ISA-L and the shifts on packets of 4 KiB (some tens of microseconds in all) and uses the faster one,
// which it returns. The clock is the caller's: nanoseconds, monotonic.
CrcFunction crc_choose(uint64_t (*clock_ns)());

}  // namespace uroce::wire
