#include "uroce/wire/icrc.h"

#include <cstring>

#include "uroce/wire/bth.h"
#include "uroce/wire/ip.h"

namespace uroce::wire {
namespace {

void mask_ipv4(uint8_t* p) {
  p[1] = 0xff;                   // TOS
  p[8] = 0xff;                   // TTL
  std::memset(p + 10, 0xff, 2);  // header checksum
}
void mask_ipv6(uint8_t* p) {
  p[0] |= 0x0f;  // traffic class, flow label
  std::memset(p + 1, 0xff, 3);
  p[7] = 0xff;  // hop limit
}
void mask_udp(uint8_t* p) { std::memset(p + 6, 0xff, 2); }
void mask_bth(uint8_t* p) { p[4] = 0xff; }

// IPv4 header bytes behind the identification, and the UDP header.
constexpr size_t kBehindId = Ipv4::kSize - 6 + Udp::kSize;

}  // namespace

uint32_t icrc_begin_ipv4(const uint8_t* src, const uint8_t* dst, uint16_t src_port, uint16_t dst_port,
                         uint16_t udp_length, uint16_t id) {
  uint8_t b[Ipv4::kSize + Udp::kSize];
  Ipv4 ip;
  ip.total_length = static_cast<uint16_t>(Ipv4::kSize + udp_length);
  ip.id = id;
  std::memcpy(ip.src.data(), src, 4);
  std::memcpy(ip.dst.data(), dst, 4);
  ip.emit(b);
  mask_ipv4(b);
  Udp{src_port, dst_port, udp_length, 0xffff}.emit(b + Ipv4::kSize);
  return crc_update(kIcrcSeed, b, sizeof b);
}

uint32_t icrc_begin_ipv6(const uint8_t* src, const uint8_t* dst, uint16_t src_port, uint16_t dst_port,
                         uint16_t udp_length) {
  uint8_t b[Ipv6::kSize + Udp::kSize];
  Ipv6 ip;
  ip.payload_length = udp_length;
  std::memcpy(ip.src.data(), src, 16);
  std::memcpy(ip.dst.data(), dst, 16);
  ip.emit(b);
  mask_ipv6(b);
  Udp{src_port, dst_port, udp_length, 0xffff}.emit(b + Ipv6::kSize);
  return crc_update(kIcrcSeed, b, sizeof b);
}

uint32_t icrc_id_difference(uint16_t id) {
  // The next two bytes are in the low 16 bits of the reflected register, the first lowest.
  const uint32_t bytes = static_cast<uint32_t>(id >> 8) | static_cast<uint32_t>(id & 0xff) << 8;
  return crc_advance(bytes, 2 + kBehindId);
}

uint32_t icrc_headers(uint32_t state, const uint8_t* headers, size_t len) {
  // Headers and small payloads take one call: short runs cost mostly the call.
  uint8_t masked[128];
  const size_t head = len <= sizeof masked ? len : Bth::kSize;
  std::memcpy(masked, headers, head);
  mask_bth(masked);
  state = crc_update(state, masked, head);
  return head == len ? state : crc_update(state, headers + head, len - head);
}

std::optional<uint32_t> icrc_of_packet(const uint8_t* ip, size_t len) {
  uint8_t b[Ipv6::kSize + Udp::kSize];
  size_t ip_size;
  if (len >= 1 && ip[0] == 0x45) {
    ip_size = Ipv4::kSize;
  } else if (len >= 1 && ip[0] >> 4 == 6) {
    ip_size = Ipv6::kSize;
  } else {
    return std::nullopt;
  }
  const size_t headers = ip_size + Udp::kSize;
  if (len < headers + Bth::kSize) return std::nullopt;
  std::memcpy(b, ip, headers);
  if (ip_size == Ipv4::kSize) {
    mask_ipv4(b);
  } else {
    mask_ipv6(b);
  }
  mask_udp(b + ip_size);
  const uint32_t state = crc_update(kIcrcSeed, b, headers);
  return icrc_end(icrc_headers(state, ip + headers, len - headers));
}

std::optional<uint16_t> explain_ip_id(uint32_t difference, uint16_t udp_length) {
  if (udp_length < Udp::kSize + kIcrcSize) return std::nullopt;
  const size_t behind = 2 + kBehindId + (udp_length - Udp::kSize - kIcrcSize);
  const uint32_t bytes = crc_rewind(difference, behind);
  if (bytes >> 16 != 0) return std::nullopt;
  return static_cast<uint16_t>((bytes & 0xff) << 8 | bytes >> 8);
}

}  // namespace uroce::wire
