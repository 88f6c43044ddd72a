// Getting at registered memory: walking scatter/gather lists.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uroce/transport/memory/guarded_copy.h"
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

}  // namespace uroce::transport
