// The IP and UDP headers of a RoCE packet, which a UDP socket never sees: rebuilt for the ICRC, which
// covers them, and for captures.
#pragma once

#include <array>
#include <cstdint>

#include "uroce/types.h"
#include "uroce/wire/ip.h"

namespace uroce::net {

inline constexpr uint32_t kMaxIpUdpHeader = 48;  // IPv6 40 + UDP 8

struct IpUdp {
  Gid source{};
  Gid destination{};
  uint16_t source_port = 0;       // host order
  uint16_t destination_port = 0;  // host order
  uint16_t id = 0;                // IPv4 identification
  uint8_t tos = 0;                // TOS or traffic class
  uint8_t ttl = 64;               // TTL or hop limit
};

// Writes an IPv4 (28 bytes) or IPv6 (48) header for `payload` bytes of UDP payload; returns its length. DF is
// set. The IPv4 header checksum is right; the UDP checksum is 0 (none), as rxe sends it.
uint32_t write_ip_udp(const IpUdp& fields, uint32_t payload, uint8_t* out);

// ICRC state (wire/icrc.h) after these headers.
uint32_t icrc_begin(const IpUdp& fields, uint32_t payload);

// ICRC states after the IP and UDP headers of packets between two addresses, by length. Messages and their
// ACKs take turns, so the last one alone would seldom fit.
class IcrcStates {
 public:
  // State for packets of `length` bytes from BTH to ICRC with identification 0. The addresses and the port
  // are the same in each call since the last forget().
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
