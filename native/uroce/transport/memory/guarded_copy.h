// Copies from and to memory of the program that may be unmapped (guarded.h).
//
// Short copies cost no more than any copy. Their code keeps nothing on the stack, so that the fault's
// signal handler recognizes them by the instruction pointer and lets them return false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "uroce/guarded.h"

namespace uroce::transport {

#if defined(UROCE_SHORT_COPIES)
// Longer copies gain more from the C library's wide registers than the guard costs.
inline constexpr std::size_t kShortCopy = 256;

extern "C" {
// Copies at most kShortCopy bytes, possibly none. False if a page of either side is not mapped.
[[gnu::visibility("hidden")]] bool uroce_copy_short(void* to, const void* from, std::size_t length);
// Stores 1 to kShortCopy bytes in the order of store(). False if a page of either side is not mapped.
[[gnu::visibility("hidden")]] bool uroce_store_short(void* to, const void* from, std::size_t length);
}
#endif

// Copies so that the last byte (the last aligned word, where there is one) becomes visible after all
// others: ib_write_lat and many programs poll the end of a buffer. Not inlined into guarded(), where
// variables live in memory.
[[gnu::noinline]] inline void store(uint8_t* dst, const uint8_t* src, uint32_t len) {
  if (len >= 8 && (reinterpret_cast<uintptr_t>(dst + len) & 7) == 0) {
    uint64_t last;
    std::memcpy(&last, src + len - 8, 8);
    std::memcpy(dst, src, len - 8);
    __atomic_store_n(reinterpret_cast<uint64_t*>(dst + len - 8), last, __ATOMIC_RELEASE);
  } else {
    std::memcpy(dst, src, len - 1);
    __atomic_store_n(dst + len - 1, src[len - 1], __ATOMIC_RELEASE);
  }
}

// Stores to registered memory. False if the memory is gone.
[[nodiscard]] inline bool place(uint8_t* dst, const uint8_t* src, uint32_t len) {
  if (len == 0) return true;
#if defined(UROCE_SHORT_COPIES)
  if (len <= kShortCopy) {
    prepare_guard();
    return uroce_store_short(dst, src, len);
  }
#endif
  return guarded([=] {
    guard_range(dst, len);
    store(dst, src, len);
  });
}

// Copies from registered memory. False if the memory is gone.
[[nodiscard]] inline bool fetch(uint8_t* dst, const uint8_t* src, uint32_t len) {
  if (len == 0) return true;  // an empty range may have a null address
#if defined(UROCE_SHORT_COPIES)
  if (len <= kShortCopy) {
    prepare_guard();
    return uroce_copy_short(dst, src, len);
  }
#endif
  return guarded([=] {
    guard_range(src, len);
    std::memcpy(dst, src, len);
  });
}

}  // namespace uroce::transport
