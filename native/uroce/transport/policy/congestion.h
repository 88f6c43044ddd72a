// Congestion control of a queue pair: how much it may have in flight.
#pragma once

#include <cstdint>

#include "uroce/transport/policy/timeout_cut.h"

namespace uroce::transport {

class Congestion {
 public:
  void reset() { cut_.reset(); }
  // Packets that may be in flight; `most`: the engine's window.
  uint32_t window_packets(uint32_t most) const { return cut_.window(most); }
  // The peer has acknowledged a packet.
  void acked(uint32_t most) { cut_.acked(most); }
  // An answer is missing. divisor: EngineConfig::timeout_window_cut.
  void timed_out(uint32_t most, uint32_t divisor) { cut_.timed_out(most, divisor); }

 private:
  TimeoutCut cut_;
};

}  // namespace uroce::transport
