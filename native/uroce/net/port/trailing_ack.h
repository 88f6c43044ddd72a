// An ACK that leaves ahead of requests to the same process, and shares their datagram. A UDP_SEGMENT send
// wants its shorter packet last, so the ACK ends the datagram. The receiver takes it first: then a work
// request completes before the answer to it does.
#pragma once

#include <cstdint>

#include "uroce/net/udp/link.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/opcode.h"

namespace uroce::net {

inline constexpr uint32_t kAckHeader = wire::Bth::kSize + wire::Aeth::kSize;
inline constexpr uint32_t kAckLength = kAckHeader + wire::kIcrcSize;

inline bool is_request(uint8_t opcode) { return wire::kOpcodes[opcode].has(wire::OpcodeInfo::request); }

// A datagram of a process of this host that ends with an ACK behind requests. Behind a response the ACK has
// to wait: it would say that the response is lost.
inline bool has_trailing_ack(const Datagram& d, uint32_t segment) {
  if (!d.same_host || d.length <= segment || d.length % segment != kAckLength) return false;
  const uint32_t requests = d.length - kAckLength;
  if (d.data[requests] != wire::opcode::acknowledge) return false;
  for (uint32_t offset = 0; offset < requests; offset += segment) {
    if (!is_request(d.data[offset])) return false;
  }
  return true;
}

}  // namespace uroce::net
