// Invariant CRC of a RoCEv2 packet (IBA annex A17): Ethernet CRC-32 over eight 0xff bytes, the IP and UDP
// headers with the fields that routers may change set to ones, and everything from BTH (byte 4 set to ones)
// to the last pad byte. Complemented, sent little-endian. Checked against the kernel's captures and the
// vectors of the reference notes.
//
// A sender makes it in steps, with a raw CRC state passed from one to the next:
//   state = icrc_begin_ipv4(...) or icrc_begin_ipv6(...)
//   state = icrc_headers(state, bth and extended headers)
//   state = crc_copy(state, ...) for payload and pad
//   icrc_store(where, icrc_end(state))
//
// The kernel chooses the covered IPv4 identification: 0 for single datagrams of an unconnected socket that
// sets DF, k for segment k of one UDP_SEGMENT send, a counter elsewhere. A socket's receiver never sees it.
// explain_ip_id() recovers it from the mismatch against a CRC computed with identification 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "uroce/wire/crc32.h"

namespace uroce::wire {

inline constexpr size_t kIcrcSize = 4;
inline constexpr uint32_t kIcrcSeed = 0xdebb20e3;  // state after the eight 0xff bytes

// State after IP and UDP header. Ports in host order, udp_length is that of the UDP header (8 + payload with
// ICRC), addresses as on the wire. Fragment flags: DF set, as every RoCEv2 sender has it.
uint32_t icrc_begin_ipv4(const uint8_t* src, const uint8_t* dst, uint16_t src_port, uint16_t dst_port,
                         uint16_t udp_length, uint16_t id = 0);
uint32_t icrc_begin_ipv6(const uint8_t* src, const uint8_t* dst, uint16_t src_port, uint16_t dst_port,
                         uint16_t udp_length);
// Difference between the states for identification `id` and 0: XOR it into the result of icrc_begin_ipv4
// for 0. So a state can be kept for a path and a length and serve every segment of a GSO send.
uint32_t icrc_id_difference(uint16_t id);
// Continues over BTH and extended headers (len >= 12), BTH byte 4 masked.
uint32_t icrc_headers(uint32_t state, const uint8_t* headers, size_t len);
// Continues over a packet from the BTH to the last pad byte. Faster than a copy with BTH byte 4 masked: that
// byte is changed for the time of the call.
inline uint32_t icrc_in_place(uint32_t state, uint8_t* packet, size_t len) {
  const uint8_t byte4 = packet[4];
  packet[4] = 0xff;
  state = crc_update(state, packet, len);
  packet[4] = byte4;
  return state;
}
inline uint32_t icrc_end(uint32_t state) { return ~state; }

inline void icrc_store(uint8_t* p, uint32_t icrc) {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<uint8_t>(icrc >> (8 * i));
}
inline uint32_t icrc_load(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) | static_cast<uint32_t>(p[1]) << 8 | static_cast<uint32_t>(p[2]) << 16 |
         static_cast<uint32_t>(p[3]) << 24;
}

// ICRC of a whole packet in memory, from the IP header (version 4 without options, or 6) to the last pad
// byte. Nothing if the bytes are not such a packet.
std::optional<uint32_t> icrc_of_packet(const uint8_t* ip, size_t len);

// The identification that explains why the ICRC on the wire differs from one computed with identification 0
// (difference is the XOR of the two), or nothing if none of the 65,536 does. udp_length as above. A hit among
// n accepted identifications is a check of 32 - log2(n) bits.
std::optional<uint16_t> explain_ip_id(uint32_t difference, uint16_t udp_length);

}  // namespace uroce::wire
