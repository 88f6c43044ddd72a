// ICRC states after the IP and UDP headers of packets between two addresses, by length. Messages and their ACKs take
// turns, so the last one alone would seldom fit.
#pragma once

#include <array>
#include <cstdint>

#include "uroce/net/udp/ip_headers.h"
#include "uroce/wire/udp.h"

namespace uroce::net {

class IcrcStates {
 public:
  // Of packets of `length` bytes from BTH to ICRC with identification 0. The addresses and the port are the same in
  // each call since the last forget().
  uint32_t of(const Gid& source, const Gid& destination, uint16_t source_port, uint32_t length) {
    Kept& kept = kept_[length / 4 % kept_.size()];  // lengths are multiples of 4
    if (kept.length != length) {
      kept = {length, icrc_begin({.source = source,
                                  .destination = destination,
                                  .source_port = source_port,
                                  .destination_port = wire::kRocePort},
                                 length)};
    }
    return kept.state;
  }
  void forget() { kept_ = {}; }

 private:
  struct Kept {
    uint32_t length = 0;  // 0: nothing
    uint32_t state = 0;
  };
  std::array<Kept, 8> kept_;
};

}  // namespace uroce::net
