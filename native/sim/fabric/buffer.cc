#include "sim/fabric/buffer.h"

#include <algorithm>

namespace vlsim {

SharedBuffer::SharedBuffer(const BufferSettings& settings, uint32_t ports)
    : s_(settings), groups_(size_t{ports} * kClasses) {}

SharedBuffer::Verdict SharedBuffer::admit(uint32_t port, uint32_t cls, uint32_t bytes, uint64_t queued) {
  if (!lossless(cls)) {
    if (queued + bytes > lossy_threshold() || bytes > free()) return Verdict::above_threshold;
    use(bytes);
    return Verdict::admitted;
  }
  Group& g = group(port, cls);
  const uint64_t from_reserve = std::min<uint64_t>(bytes, s_.reserve - g.reserved);
  const uint64_t rest = bytes - from_reserve;
  const uint64_t limit = threshold();
  // A packet goes into the headroom as a whole.
  if (rest != 0 && (g.headroom != 0 || g.shared + rest > limit || rest > free())) {
    if (g.headroom + bytes > s_.headroom) return Verdict::headroom_full;
    g.headroom += bytes;
    g.most_headroom = std::max(g.most_headroom, g.headroom);
    if (g.shared >= g.most) {
      g.most = g.shared;
      g.threshold_then = limit;
    }
    return Verdict::admitted;
  }
  g.reserved += from_reserve;
  g.shared += rest;
  use(rest);
  if (g.shared > g.most) {
    g.most = g.shared;
    g.threshold_then = limit;
  }
  return Verdict::admitted;
}

// The headroom empties first, then the share of the pool.
void SharedBuffer::release(uint32_t port, uint32_t cls, uint32_t bytes) {
  if (!lossless(cls)) {
    used_ -= bytes;
    return;
  }
  Group& g = group(port, cls);
  const uint64_t from_headroom = std::min<uint64_t>(bytes, g.headroom);
  const uint64_t from_shared = std::min<uint64_t>(bytes - from_headroom, g.shared);
  g.headroom -= from_headroom;
  g.shared -= from_shared;
  used_ -= from_shared;
  g.reserved -= bytes - from_headroom - from_shared;
}

}  // namespace vlsim
