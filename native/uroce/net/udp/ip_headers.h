// The IP and UDP headers of a RoCE packet, which a UDP socket never sees: rebuilt for the ICRC, which
// covers them, and for captures.
#pragma once

#include <cstdint>

#include "uroce/types.h"

namespace uroce::net {

inline constexpr uint32_t kMaxIpUdpHeader = 48;  // IPv6 40 + UDP 8

struct IpUdp {
  Gid source{};
  Gid destination{};
  uint16_t source_port = 0;       // host order
  uint16_t destination_port = 0;  // host order
  uint16_t id = 0;                // IPv4 identification
  uint8_t tos = 0;                // or traffic class
  uint8_t ttl = 64;               // or hop limit
};

// Writes an IPv4 (28 bytes) or IPv6 (48) header for `payload` bytes of UDP payload; returns its length. DF is
// set. The IPv4 header checksum is right; the UDP checksum is 0 (none), as rxe sends it.
uint32_t write_ip_udp(const IpUdp& fields, uint32_t payload, uint8_t* out);

// ICRC state (wire/icrc.h) after these headers.
uint32_t icrc_begin(const IpUdp& fields, uint32_t payload);

}  // namespace uroce::net
