// Takes a received datagram apart into packets.
//
// As a rule the kernel tells their length (UDP_GRO). A terse receive (udp_link.h) saves the time that telling
// takes, and leaves it to be found: it is mostly what it was for the last datagram as long as this one; else
// every place where a packet header could stand is tried, and the ICRC of the first packet decides.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uroce/net/udp/icrc_check.h"
#include "uroce/net/udp/link.h"
#include "uroce/net/udp/steering.h"

namespace uroce {

class PacketSplit {
 public:
  // Calls take(packet, length, right) for each packet, in order; `right` is what the ICRC says, and
  // check.id() is then its identification. Probes for a place in the group are left out, and so is a packet
  // for which wanted(packet, length) is false, which is asked first of all that have room for BTH and ICRC.
  template <class Wanted, class Take>
  void each(const Datagram& d, IcrcCheck& check, Wanted wanted, Take take) {
    check.begin(d);
    uint32_t segment = d.segment;
    if (segment == 0) {
      segment = d.length == last_length_ ? last_segment_ : find(d, check);
      // Right for the last one need not be right for this one.
      if (segment != d.length && d.length == last_length_ && !check.matches(d.data, segment))
        segment = find(d, check);
      last_length_ = d.length;
      last_segment_ = segment;
    }
    uint32_t index = 0;
    for (uint32_t offset = 0; offset < d.length; offset += segment, ++index) {
      uint8_t* packet = d.data + offset;
      const uint32_t length = std::min(segment, d.length - offset);
      if (is_probe(packet, length)) continue;
      if (length >= IcrcCheck::kMinPacket && !wanted(packet, length)) continue;
      take(packet, length, check.check(packet, length, index));
    }
  }

 private:
  // The whole datagram if there is no other answer.
  static uint32_t find(const Datagram& d, IcrcCheck& check);

  uint32_t last_length_ = 0;
  uint32_t last_segment_ = 0;
};

}  // namespace uroce
