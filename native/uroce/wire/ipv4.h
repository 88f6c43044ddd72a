// IPv4 header without options, as far as the ICRC and captures need it (RFC 791).
//
//  0 version 4, IHL 5 | 1 TOS | 2 total length (2) | 4 identification (2) | 6 flags, fragment offset (2)
//  8 TTL | 9 protocol | 10 checksum (2) | 12 source (4) | 16 destination (4)
#pragma once

#include <array>

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class Ipv4View : public View<Ipv4View, 20> {
 public:
  using Address = std::array<uint8_t, 4>;
  uint8_t version_ihl() const { return p_[0]; }
  uint8_t tos() const { return p_[1]; }
  uint16_t total_length() const { return load16(p_ + 2); }
  uint16_t id() const { return load16(p_ + 4); }
  uint16_t flags_fragment() const { return load16(p_ + 6); }
  uint8_t ttl() const { return p_[8]; }
  uint8_t protocol() const { return p_[9]; }
  uint16_t checksum() const { return load16(p_ + 10); }
  Address src() const { return address(p_ + 12); }
  Address dst() const { return address(p_ + 16); }

 private:
  friend View;
  static Address address(const uint8_t* p) {
    Address a;
    std::memcpy(a.data(), p, a.size());
    return a;
  }
  using View::View;
};

struct Ipv4 {
  static constexpr size_t kSize = Ipv4View::kSize;
  using Address = Ipv4View::Address;

  uint8_t version_ihl = 0x45;
  uint8_t tos = 0;
  uint16_t total_length = 0;
  uint16_t id = 0;
  uint16_t flags_fragment = 0x4000;  // 0x4000: do not fragment
  uint8_t ttl = 64;
  uint8_t protocol = 17;  // 17: UDP
  uint16_t checksum = 0;
  Address src = {};
  Address dst = {};

  bool operator==(const Ipv4&) const = default;

  static std::optional<Ipv4> parse(const uint8_t* p, size_t len) {
    const auto v = Ipv4View::of(p, len);
    if (!v) return std::nullopt;
    return Ipv4{v->version_ihl(), v->tos(),      v->total_length(), v->id(),  v->flags_fragment(),
                v->ttl(),         v->protocol(), v->checksum(),     v->src(), v->dst()};
  }
  void emit(uint8_t* p) const {
    p[0] = version_ihl;
    p[1] = tos;
    store16(p + 2, total_length);
    store16(p + 4, id);
    store16(p + 6, flags_fragment);
    p[8] = ttl;
    p[9] = protocol;
    store16(p + 10, checksum);
    std::memcpy(p + 12, src.data(), 4);
    std::memcpy(p + 16, dst.data(), 4);
  }
};

// Checksum of these 20 bytes with the checksum field taken as zero (RFC 1071).
inline uint16_t ipv4_checksum(const uint8_t* header) {
  uint32_t sum = 0;
  for (size_t i = 0; i < Ipv4::kSize; i += 2) sum += i == 10 ? 0 : load16(header + i);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

}  // namespace uroce::wire
