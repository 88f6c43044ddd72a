// Check of the ICRC of a received packet. On IPv4 it covers an identification that a socket never sees
// (wire/icrc.h).
//
//  - IPv6: exact.
//  - IPv4 from a uroce device: identification 0, or the packet's place in its UDP_SEGMENT send. The place
//    in the received (GRO) datagram is the first guess; any of 0..127 is accepted.
//  - IPv4 from another kind of device on another host (rxe numbers by a counter from a random start): the
//    identification is solved for and learned. A packet near the learned one is as good as exact; any other
//    is accepted on 16 bits of check and counted.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "uroce/net/udp/link.h"
#include "uroce/types.h"
#include "uroce/wire/icrc.h"

namespace uroce::net {

// IPv4 identifications that the kernel gives to the segments of one UDP_SEGMENT send are 0, 1, 2 …
constexpr uint32_t kSegmentIds = 128;  // segments of a send at most

// Changes to the state of the ICRC, by identification.
inline const std::array<uint32_t, kSegmentIds> kIdDifference = [] {
  std::array<uint32_t, kSegmentIds> table;
  for (uint32_t id = 0; id < kSegmentIds; ++id) {
    table[id] = wire::icrc_id_difference(static_cast<uint16_t>(id));
  }
  return table;
}();

struct IcrcCounters {
  uint64_t bad = 0;            // dropped
  uint64_t too_short = 0;      // no room for BTH and ICRC; dropped
  uint64_t other_place = 0;    // identification 0..127, but not the guessed one
  uint64_t foreign = 0;        // identification predicted from the sender's last one
  uint64_t foreign_jumps = 0;  // identification not predicted: 16 bits of check only
};

class IcrcCheck {
 public:
  // Starts with a datagram; check() then takes its packets in order. Senders on this host are uroce devices.
  void begin(const Datagram& datagram);
  // `length` bytes from BTH to ICRC inclusive. The BTH's byte 4 is changed and put back.
  bool check(uint8_t* packet, uint32_t length, uint32_t index);
  // Like check() of a datagram's only packet, but an unexpected packet is not counted.
  bool expected(uint8_t* packet, uint32_t length) { return as_guessed(packet, length, guess(0)) == 0; }
  // True if the ICRC is right for a first packet from a uroce device. Counts nothing.
  bool matches(uint8_t* packet, uint32_t length);
  // Identification of the packet last found right.
  uint16_t id() const { return id_; }
  const IcrcCounters& counters() const { return counters_; }

  static constexpr uint32_t kMinPacket = 16;  // BTH and ICRC

 private:
  struct Sender {
    Gid gid;
    uint16_t next_id;
  };
  uint16_t guess(uint32_t index) const;
  // difference(); a packet without one counts as right.
  uint32_t as_guessed(uint8_t* packet, uint32_t length, uint16_t id);
  uint32_t difference(uint8_t* packet, uint32_t length, uint16_t id);
  bool accept(uint16_t id, uint32_t index);
  Sender* find_sender();

  Gid source_{}, destination_{};
  uint16_t source_port_ = 0;
  bool ipv4_ = false;
  bool same_host_ = false;
  IcrcStates states_;
  uint16_t id_ = 0;
  Sender* sender_ = nullptr;     // this datagram's, if foreign
  std::vector<Sender> senders_;  // foreign ones, the most recent kMaxSenders
  IcrcCounters counters_;
};

}  // namespace uroce::net
