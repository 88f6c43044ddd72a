#include "uroce/wire/crc32_short.h"

#include "uroce/wire/crc32_polynomial.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>

namespace uroce::wire {
namespace {

constexpr size_t kBlock = 16;  // bytes
constexpr size_t kBlocks = kCrcLongest / kBlock;

// A reflected product lies one bit further on than its factors; the doubled constant makes up for it.
constexpr uint64_t constant(uint64_t exponent) { return uint64_t{crc::power(crc::kX, exponent)} << 1; }

// What moves the two halves of a block by so many blocks.
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
constexpr uint64_t kDivisor = uint64_t{crc::kPoly} << 1 | 1;

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

}  // namespace

bool crc_short_works() {
  static const bool works = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return works;
}

// Zeros in front of everything change nothing, so the first block is filled up with them.
[[gnu::target("pclmul,sse4.1")]] uint32_t crc_update_short(uint32_t state, const uint8_t* p, size_t n) {
  const size_t first = (n - 1) % kBlock + 1;
  __m128i block = _mm_xor_si128(load_block(p), _mm_cvtsi32_si128(static_cast<int>(state)));
  block = _mm_shuffle_epi8(block, load_block(&kBehindZeros[first]));
  size_t left = (n - first) / kBlock;
  if (left == 0) return remainder(block);
  __m128i sum = moved(block, left);
  for (p += first; --left != 0; p += kBlock) sum = _mm_xor_si128(sum, moved(load_block(p), left));
  return remainder(_mm_xor_si128(sum, load_block(p)));
}

}  // namespace uroce::wire

#else

namespace uroce::wire {

bool crc_short_works() { return false; }
uint32_t crc_update_short(uint32_t state, const uint8_t*, size_t) { return state; }

}  // namespace uroce::wire

#endif
