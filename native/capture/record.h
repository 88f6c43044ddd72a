// Output of vlcapture: records, one after the other, host byte order.
#pragma once

#include <cstdint>

namespace vlcapture {

enum class Kind : uint8_t {
  kPacket = 0,  // `captured` bytes follow, from the IP header on
  kMark = 1,    // a Counts follows: all packets on the wire up to `time_ns` have been written
};

// Followed by `captured` bytes, padded with zeros to a multiple of 8.
struct Header {
  uint64_t time_ns;   // CLOCK_MONOTONIC
  uint32_t seq;       // counts packets, from 0
  uint32_t original;  // bytes of the IP packet as it was on the wire
  uint32_t captured;
  Kind kind;
  uint8_t reserved[3];
};
static_assert(sizeof(Header) == 24);

// Counts since the start of the capture, from pcap_stats(3PCAP).
struct Counts {
  uint64_t received;
  uint64_t dropped;  // the ring was full, or the interface had no room
};
static_assert(sizeof(Counts) == 16);

}  // namespace vlcapture
