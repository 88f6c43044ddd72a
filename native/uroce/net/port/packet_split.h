// Splits a received datagram into packets.
//
// Usually the kernel reports the length of the packets (UDP_GRO). A plain receive (udp_link.h) saves the
// cost of that report, so the length has to be found. Mostly it is that of the last datagram of the same
// length. Otherwise each offset where a packet header could begin is tried, and the ICRC of the first
// packet decides.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uroce/net/port/icrc_check.h"
#include "uroce/net/port/trailing_ack.h"
#include "uroce/net/udp/link.h"
#include "uroce/net/udp/steering.h"

namespace uroce::net {

class PacketSplit {
 public:
  // Calls take(packet, length, right) for each packet, in order except for a trailing ACK, which comes
  // first. `right`: the ICRC is correct, and check.id() is the packet's identification. Skipped are probes
  // for a place in the group, and packets with room for BTH and ICRC for which wanted(packet, length) is
  // false. wanted() is called before the ICRC is computed.
  template <class Wanted, class Take>
  void each(const Datagram& d, IcrcCheck& check, Wanted wanted, Take take) {
    check.begin(d);
    uint32_t segment = d.segment;
    if (segment == 0) {
      const bool known = d.length == last_length_;
      segment = known ? last_segment_ : find(d, check);
      // The last datagram's split may be wrong for this one: four ACKs are as long as a SEND of 64 bytes.
      if (known && segment == d.length) {
        if (is_probe(d.data, d.length)) return;
        if (d.length >= IcrcCheck::kMinPacket && check.expected(d.data, d.length)) {
          if (wanted(d.data, d.length)) take(d.data, d.length, true);
          return;
        }
        segment = find(d, check);
      } else if (known && !check.matches(d.data, segment)) {
        segment = find(d, check);
      }
      last_length_ = d.length;
      last_segment_ = segment;
    }
    const auto one = [&](uint32_t offset, uint32_t index) {
      uint8_t* packet = d.data + offset;
      const uint32_t length = std::min(segment, d.length - offset);
      if (is_probe(packet, length)) return;
      if (length >= IcrcCheck::kMinPacket && !wanted(packet, length)) return;
      take(packet, length, check.check(packet, length, index));
    };
    uint32_t end = d.length;
    if (has_trailing_ack(d, segment)) {
      end -= kAckLength;
      one(end, end / segment);
    }
    uint32_t index = 0;
    for (uint32_t offset = 0; offset < end; offset += segment, ++index) one(offset, index);
  }

 private:
  // The whole datagram if no other split fits.
  static uint32_t find(const Datagram& d, IcrcCheck& check);

  uint32_t last_length_ = 0;
  uint32_t last_segment_ = 0;
};

}  // namespace uroce::net
