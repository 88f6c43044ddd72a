#include "uroce/wire/crc32.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#include "uroce/wire/crc32_polynomial.h"
#include "uroce/wire/crc32_short.h"

namespace uroce::wire {
namespace {

using crc::kOne;
using crc::kPoly;
using crc::kX;
using crc::multiply;
using crc::power;

using SliceTable = std::array<std::array<uint32_t, 256>, 8>;

constexpr SliceTable make_slices() {
  SliceTable t{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c >> 1 ^ (c & 1 ? kPoly : 0);
    t[0][i] = c;
  }
  for (size_t s = 1; s < 8; ++s) {
    for (size_t i = 0; i < 256; ++i) t[s][i] = t[s - 1][i] >> 8 ^ t[0][t[s - 1][i] & 0xff];
  }
  return t;
}
constexpr SliceTable kSlices = make_slices();

// x^(8 * 2^k) for k = 0..31, and their inverses. x has order 2^32 - 1, the polynomial being primitive.
constexpr std::array<uint32_t, 32> powers(uint32_t base) {
  std::array<uint32_t, 32> t{};
  for (auto& e : t) {
    e = base;
    base = multiply(base, base);
  }
  return t;
}
constexpr std::array<uint32_t, 32> kForward = powers(power(kX, 8));
constexpr std::array<uint32_t, 32> kBackward = powers(power(kX, 0xffffffffull - 8));
static_assert(multiply(kForward[5], kBackward[5]) == kOne);

uint32_t carry(uint32_t difference, size_t n, const std::array<uint32_t, 32>& table) {
  for (size_t k = 0; n != 0 && difference != 0; ++k, n >>= 1) {
    if (n & 1) difference = multiply(table[k & 31], difference);
  }
  return difference;
}

// A multiple of the polynomial with few terms: bits may be moved forwards by 145, 183, 211 and 300 places
// instead of being divided, with shifts only (K. Russell, "Chorba: a novel CRC32 implementation", 2024).
static_assert(power(kX, 300) == (power(kX, 300 - 145) ^ power(kX, 300 - 183) ^ power(kX, 300 - 211) ^ kOne));

constexpr bool kLittleEndian = std::endian::native == std::endian::little;

uint64_t load(const uint8_t* p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

// Moves the word at p, and what was moved there, into the words two, three, four and five places behind it.
// The last of them takes the place of the one that is done. Inline always: all of it stays in registers.
[[gnu::always_inline]] inline void fold(const uint8_t* p, uint64_t& now, uint64_t& second, uint64_t& third,
                                        uint64_t& fourth) {
  const uint64_t word = load(p) ^ now;
  second ^= word << 17 ^ word << 55;
  third ^= word >> 47 ^ word >> 9 ^ word << 19;
  fourth ^= word >> 45 ^ word << 44;
  now = word >> 20;
}

// The state after eight bytes, the state before them added to the first four.
[[gnu::always_inline]] inline uint32_t divide(uint64_t word) {
  return kSlices[7][word & 0xff] ^ kSlices[6][word >> 8 & 0xff] ^ kSlices[5][word >> 16 & 0xff] ^
         kSlices[4][word >> 24 & 0xff] ^ kSlices[3][word >> 32 & 0xff] ^ kSlices[2][word >> 40 & 0xff] ^
         kSlices[1][word >> 48 & 0xff] ^ kSlices[0][word >> 56];
}

std::atomic<CrcFunction> g_crc{&crc_update_isal};
const bool kHasShort = crc_short_works();

// ISA-L's widest loop returns with the upper halves of the vector registers dirty, and every SSE instruction
// after it (and every switch of threads) is then slower: 2 us on a round trip of 5.5.
#if defined(__x86_64__)
constexpr size_t kWideLoop = 256;  // bytes from which ISA-L takes it
const bool kHasAvx = __builtin_cpu_supports("avx");

[[gnu::target("avx")]] void clean_upper_halves() { __builtin_ia32_vzeroupper(); }

void after_isal(size_t n) {
  if (n >= kWideLoop && kHasAvx) clean_upper_halves();
}
#else
void after_isal(size_t) {}
#endif

}  // namespace

uint32_t crc_update_isal(uint32_t state, const uint8_t* p, size_t n) {
  if (n >= kCrcShortest && n <= kCrcLongest && n % 4 == 0 && kHasShort) return crc_update_short(state, p, n);
  state = ~crc32_gzip_refl(~state, p, n);
  after_isal(n);
  return state;
}

uint32_t crc_update_table(uint32_t state, const uint8_t* p, size_t n) {
  if constexpr (kLittleEndian) {
    for (; n >= 8; n -= 8, p += 8) state = divide(load(p) ^ state);
  }
  for (; n != 0; --n, ++p) state = state >> 8 ^ kSlices[0][(state ^ *p) & 0xff];
  return state;
}

uint32_t crc_update_sparse(uint32_t state, const uint8_t* p, size_t n) {
  constexpr size_t kMoved = 40;  // bytes that what was moved reaches into
  if (!kLittleEndian || n < kMoved + 8) return crc_update_table(state, p, n);
  uint64_t a = state, b = 0, c = 0, d = 0, e = 0;
  for (; n >= kMoved + 40; n -= 40, p += 40) {
    fold(p, a, c, d, e);
    fold(p + 8, b, d, e, a);
    fold(p + 16, c, e, a, b);
    fold(p + 24, d, a, b, c);
    fold(p + 32, e, b, c, d);
  }
  for (; n >= kMoved + 8; n -= 8, p += 8) {
    fold(p, a, c, d, e);
    const uint64_t last = a;
    a = b, b = c, c = d, d = e, e = last;
  }
  state = divide(load(p) ^ a);
  state = divide(load(p + 8) ^ b ^ state);
  state = divide(load(p + 16) ^ c ^ state);
  state = divide(load(p + 24) ^ d ^ state);
  state = divide(load(p + 32) ^ e ^ state);
  return crc_update_table(state, p + kMoved, n - kMoved);
}

void crc_use(CrcFunction function) { g_crc.store(function, std::memory_order_relaxed); }

uint64_t crc_time(CrcFunction crc, uint64_t (*clock_ns)()) {
  static constexpr std::array<uint8_t, 4096> kPacket{};
  uint64_t least = UINT64_MAX;
  uint32_t state = kPoly;
  for (int run = 0; run < 5; ++run) {
    const uint64_t start = clock_ns();
    state = crc(state, kPacket.data(), kPacket.size());
    state = crc(state, kPacket.data(), kPacket.size());
    least = std::min(least, clock_ns() - start);
  }
  [[maybe_unused]] volatile uint32_t used = state;
  return least;
}

CrcFunction crc_choose(uint64_t (*clock_ns)()) {
  const bool shifts = crc_time(&crc_update_sparse, clock_ns) < crc_time(&crc_update_isal, clock_ns);
  const CrcFunction chosen = shifts ? &crc_update_sparse : &crc_update_isal;
  crc_use(chosen);
  return chosen;
}

uint32_t crc_update(uint32_t state, const uint8_t* p, size_t n) {
  return g_crc.load(std::memory_order_relaxed)(state, p, n);
}

uint32_t crc_copy(uint32_t state, uint8_t* dst, const uint8_t* src, size_t n) {
  constexpr size_t kPiece = 4096;
  const CrcFunction crc = g_crc.load(std::memory_order_relaxed);
  while (n != 0) {
    const size_t piece = std::min(n, kPiece);
    std::memcpy(dst, src, piece);
    state = crc(state, dst, piece);
    dst += piece;
    src += piece;
    n -= piece;
  }
  return state;
}

uint32_t crc_advance(uint32_t difference, size_t n) { return carry(difference, n, kForward); }
uint32_t crc_rewind(uint32_t difference, size_t n) { return carry(difference, n, kBackward); }

}  // namespace uroce::wire
