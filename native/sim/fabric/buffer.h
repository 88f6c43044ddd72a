// The buffer of a switch: one pool that all ports share, with a dynamic threshold, and headroom of its own for each
// lossless class of each ingress port.
//
// A lossless packet is counted at the class of the port that it came in by; that is what PAUSE is decided by. A lossy
// packet is counted at the queue that it waits in; that is what dropping is decided by.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/packet.h"

namespace vlsim {

// Thresholds are in units of 1/1024 of the free part of the pool.
struct BufferSettings {
  uint64_t shared = 12'000'000;  // bytes of the pool; reserves and headroom are apart from it
  uint32_t alpha = 1024 / 8;     // for a lossless class of an ingress port
  uint32_t lossy_alpha = 1024;   // for a lossy queue
  uint64_t reserve = 0;          // bytes of a lossless class of a port before it takes from the pool
  uint64_t headroom = 100'000;   // bytes of a lossless class of a port after its PAUSE
  uint64_t xon_offset = 20'000;  // bytes below the threshold at which it resumes
  uint64_t static_xoff = 0;      // bytes; 0: the threshold is dynamic
  uint32_t lossless = 0;         // bit per class with PFC
};

class SharedBuffer {
 public:
  enum class Verdict : uint8_t { admitted, above_threshold, headroom_full };
  struct Group {                                      // a lossless class of an ingress port
    uint64_t reserved = 0, shared = 0, headroom = 0;  // bytes in use
    uint64_t most = 0, threshold_then = 0;            // the most of the pool, and the threshold at that time
    uint64_t most_headroom = 0;
    bool xoff = false;
  };

  SharedBuffer(const BufferSettings& settings, uint32_t ports);
  // Counts a packet if there is a place for it. queued: bytes in the queue that it is to wait in.
  Verdict admit(uint32_t port, uint32_t cls, uint32_t bytes, uint64_t queued);
  void release(uint32_t port, uint32_t cls, uint32_t bytes);
  // True if the peer must stop, or may go on.
  bool stops(uint32_t port, uint32_t cls) const {
    const Group& g = group(port, cls);
    return g.headroom != 0 || g.shared >= threshold();
  }
  bool resumes(uint32_t port, uint32_t cls) const {
    const Group& g = group(port, cls);
    return g.headroom == 0 && (g.shared == 0 || g.shared + s_.xon_offset <= threshold());
  }
  // Bytes that a lossless class of a port, or a lossy queue, may have now.
  uint64_t threshold() const { return s_.static_xoff != 0 ? s_.static_xoff : free() * s_.alpha >> 10; }
  uint64_t lossy_threshold() const { return free() * s_.lossy_alpha >> 10; }
  bool lossless(uint32_t cls) const { return s_.lossless >> cls & 1; }
  Group& group(uint32_t port, uint32_t cls) { return groups_[port * kClasses + cls]; }
  const Group& group(uint32_t port, uint32_t cls) const { return groups_[port * kClasses + cls]; }
  uint32_t ports() const { return static_cast<uint32_t>(groups_.size() / kClasses); }
  uint64_t used() const { return used_; }
  uint64_t most() const { return most_; }
  BufferSettings& settings() { return s_; }
  const BufferSettings& settings() const { return s_; }

 private:
  uint64_t free() const { return s_.shared > used_ ? s_.shared - used_ : 0; }
  void use(uint64_t bytes) {
    used_ += bytes;
    if (used_ > most_) most_ = used_;
  }

  BufferSettings s_;
  std::vector<Group> groups_;
  uint64_t used_ = 0;  // bytes of the pool
  uint64_t most_ = 0;
};

}  // namespace vlsim
