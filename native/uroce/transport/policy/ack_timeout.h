// How long an answer may take. At least 4.096 us x 2^timeout, the interval of the queue pair's attribute, and at most
// four times as long (IBA 9.7.6.1.3): each timeout in a row doubles it up to there.
#pragma once

#include <cstdint>

namespace uroce::transport {

class AckTimeout {
 public:
  void reset() { stretch_ = 0; }
  // The interval of a queue pair's attribute, which is not 0; ns.
  static uint64_t interval(uint8_t attribute) { return 4096ull << attribute; }
  // ns.
  uint64_t length(uint8_t attribute) const { return interval(attribute) << stretch_; }
  // The time is over. heard: a packet has come from the peer since the last timeout. A peer that has sent nothing
  // gets more time only up to what a busy host may need to schedule it: a dead peer must be noticed soon.
  // longest: EngineConfig::timeout_stretch.
  void expired(uint8_t attribute, bool heard, uint8_t longest) {
    const bool patient = heard || 2 * length(attribute) <= kLongestLiveSilence;
    if (patient && stretch_ < longest) ++stretch_;
  }

 private:
  static constexpr uint64_t kLongestLiveSilence = 4096ull << 16;  // ns
  uint8_t stretch_ = 0;                                           // power of two
};

}  // namespace uroce::transport
