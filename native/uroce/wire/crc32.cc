#include "uroce/wire/crc32.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace uroce::wire {
namespace {

// Arithmetic with polynomials over GF(2) modulo that of the CRC, at compile time and for lengths known only
// later. In the reflected register bit 31 is x^0.
constexpr uint32_t kPoly = 0xedb88320;
constexpr uint32_t kOne = 1u << 31;
constexpr uint32_t kX = 1u << 30;

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

// A multiple of the polynomial with few terms: bits can be moved forwards by 145, 183, 211 and 300 places
// instead of being divided, with shifts only (K. Russell, "Chorba: a novel CRC32 implementation", 2024).
static_assert(power(kX, 300) == (power(kX, 300 - 145) ^ power(kX, 300 - 183) ^ power(kX, 300 - 211) ^ kOne));

constexpr bool kLittleEndian = std::endian::native == std::endian::little;

uint64_t load(const uint8_t* p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

// Moves the word at p, with bits moved to it earlier, into the words two, three, four and five places
// behind it. The last of them replaces the finished one. Always inlined: all of it stays in registers.
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

// The CRC of a short packet by carry-less multiplication (V. Gopal et al., "Fast CRC Computation for
// Generic Polynomials Using PCLMULQDQ Instruction", Intel 2009). ISA-L folds lengths below 256 bytes block
// by block, and each step waits for the last. Here every block of 16 bytes is multiplied by the power of x
// that moves it to the end, all of them at once. The length is kShortShortest to kShortLongest bytes, a
// multiple of four, as for every packet.
constexpr size_t kShortShortest = 16;  // bytes
constexpr size_t kShortLongest = 240;  // bytes

#if defined(__x86_64__)

constexpr size_t kBlock = 16;  // bytes
constexpr size_t kBlocks = kShortLongest / kBlock;

// A reflected product is one bit further on than its factors; the doubled constant makes up for it.
constexpr uint64_t constant(uint64_t exponent) { return uint64_t{power(kX, exponent)} << 1; }

// Constants that move the two halves of a block by a number of blocks.
struct alignas(16) Move {
  uint64_t early, late;
};
constexpr auto kMoves = [] {
  std::array<Move, kBlocks> moves{};
  for (size_t i = 1; i < kBlocks; ++i) {
    const uint64_t bits = i * kBlock * 8;
    moves[i] = {constant(bits + 32), constant(bits - 32)};
  }
  return moves;
}();

// Barrett: floor(x^64 / P), reflected, and P with its highest term.
constexpr uint64_t kQuotient = 0x1f7011641;
constexpr uint64_t kDivisor = uint64_t{kPoly} << 1 | 1;

// Zeros before the bytes of the first block: a window of this, from the number of bytes on, is a shuffle.
constexpr auto kBehindZeros = [] {
  std::array<uint8_t, 2 * kBlock> bytes{};
  for (size_t i = 0; i < kBlock; ++i) {
    bytes[i] = 0x80;
    bytes[kBlock + i] = static_cast<uint8_t>(i);
  }
  return bytes;
}();

[[gnu::target("pclmul,sse4.1")]] inline __m128i load_block(const void* p) {
  return _mm_loadu_si128(static_cast<const __m128i*>(p));
}

[[gnu::target("pclmul,sse4.1")]] inline __m128i moved(__m128i block, size_t blocks) {
  const __m128i by = _mm_load_si128(reinterpret_cast<const __m128i*>(&kMoves[blocks]));
  return _mm_xor_si128(_mm_clmulepi64_si128(block, by, 0x00), _mm_clmulepi64_si128(block, by, 0x11));
}

// 128 bits, and 32 zero bits behind them, modulo the polynomial.
[[gnu::target("pclmul,sse4.1")]] inline uint32_t remainder(__m128i x) {
  const __m128i low = _mm_set_epi32(0, 0, 0, -1);
  const __m128i halves = _mm_set_epi64x(0, static_cast<int64_t>(constant(96)));
  x = _mm_xor_si128(_mm_srli_si128(x, 8), _mm_clmulepi64_si128(x, halves, 0x00));
  const __m128i quarter = _mm_set_epi64x(0, static_cast<int64_t>(constant(64)));
  x = _mm_xor_si128(_mm_srli_si128(x, 4), _mm_clmulepi64_si128(_mm_and_si128(x, low), quarter, 0x00));
  const __m128i barrett = _mm_set_epi64x(kDivisor, kQuotient);
  __m128i q = _mm_clmulepi64_si128(_mm_and_si128(x, low), barrett, 0x00);
  q = _mm_clmulepi64_si128(_mm_and_si128(q, low), barrett, 0x10);
  return static_cast<uint32_t>(_mm_extract_epi32(_mm_xor_si128(x, q), 1));
}

bool has_short() {
  static const bool works = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return works;
}

// Leading zeros change nothing, so they fill up the first block.
[[gnu::target("pclmul,sse4.1")]] uint32_t update_short(uint32_t state, const uint8_t* p, size_t n) {
  const size_t first = (n - 1) % kBlock + 1;
  __m128i block = _mm_xor_si128(load_block(p), _mm_cvtsi32_si128(static_cast<int>(state)));
  block = _mm_shuffle_epi8(block, load_block(&kBehindZeros[first]));
  size_t left = (n - first) / kBlock;
  if (left == 0) return remainder(block);
  __m128i sum = moved(block, left);
  for (p += first; --left != 0; p += kBlock) sum = _mm_xor_si128(sum, moved(load_block(p), left));
  return remainder(_mm_xor_si128(sum, load_block(p)));
}

#else

bool has_short() { return false; }
uint32_t update_short(uint32_t state, const uint8_t*, size_t) { return state; }

#endif

std::atomic<CrcFunction> g_crc{&crc_update_isal};
const bool kHasShort = has_short();

// ISA-L's widest loop returns with the upper halves of the vector registers dirty, and every SSE
// instruction after it (and every thread switch) is then slower: 2 us on a round trip of 5.5.
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
  if (n >= kShortShortest && n <= kShortLongest && n % 4 == 0 && kHasShort) return update_short(state, p, n);
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
  constexpr size_t kMoved = 40;  // bytes that moved bits reach into
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
