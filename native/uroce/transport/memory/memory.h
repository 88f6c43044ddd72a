// Getting at registered memory: walking scatter/gather lists, and landing payload so that a program that
// spins on it sees it right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "uroce/guarded.h"
#include "uroce/transport/memory/mr_table.h"
#include "uroce/transport/queues/work_request.h"

namespace uroce::transport {

// Calls f(pointer, length) for each contiguous piece of bytes [offset, offset + len) of a scatter/gather
// list, as long as it returns true. False, possibly after some calls, if it does not, if a key does not grant
// `rights` on its piece or the list is too short.
template <class F>
bool for_each_piece(const MrTable& mrs, uint32_t pd, const Sge* sge, uint32_t num_sge, uint32_t offset,
                    uint32_t len, uint32_t rights, F&& f) {
  for (uint32_t i = 0; len != 0 && i < num_sge; ++i) {
    if (offset >= sge[i].length) {
      offset -= sge[i].length;
      continue;
    }
    const uint32_t piece = std::min(len, sge[i].length - offset);
    uint8_t* p = mrs.check(sge[i].lkey, pd, sge[i].addr + offset, piece, rights | access_flag::region);
    if (p == nullptr || !f(p, piece)) return false;
    len -= piece;
    offset = 0;
  }
  return len == 0;
}

// Copies so that the last byte (the last aligned word, where there is one) becomes visible after all others:
// ib_write_lat and many programs poll the end of a buffer. Not inlined into guarded(), where variables live in memory.
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

// The same to registered memory. False if it is gone.
[[nodiscard]] inline bool place(uint8_t* dst, const uint8_t* src, uint32_t len) {
  if (len == 0) return true;
  return guarded([=] {
    watch(dst, len);
    store(dst, src, len);
  });
}

}  // namespace uroce::transport
