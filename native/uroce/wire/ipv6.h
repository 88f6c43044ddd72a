// IPv6 header, as far as the ICRC and captures need it (RFC 8200).
//
//  0 version 6, traffic class, flow label (4) | 4 payload length (2) | 6 next header | 7 hop limit
//  8 source (16) | 24 destination (16)
#pragma once

#include <array>

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class Ipv6View : public View<Ipv6View, 40> {
 public:
  using Address = std::array<uint8_t, 16>;
  uint8_t version() const { return static_cast<uint8_t>(p_[0] >> 4); }
  uint8_t traffic_class() const { return static_cast<uint8_t>(load32(p_) >> 20); }
  uint32_t flow_label() const { return load32(p_) & 0xfffff; }
  uint16_t payload_length() const { return load16(p_ + 4); }
  uint8_t next_header() const { return p_[6]; }
  uint8_t hop_limit() const { return p_[7]; }
  Address src() const { return address(p_ + 8); }
  Address dst() const { return address(p_ + 24); }

 private:
  friend View;
  static Address address(const uint8_t* p) {
    Address a;
    std::memcpy(a.data(), p, a.size());
    return a;
  }
  using View::View;
};

struct Ipv6 {
  static constexpr size_t kSize = Ipv6View::kSize;
  using Address = Ipv6View::Address;

  uint8_t version = 6;
  uint8_t traffic_class = 0;
  uint32_t flow_label = 0;  // 20 bits
  uint16_t payload_length = 0;
  uint8_t next_header = 17;  // 17: UDP; 27 (GRH): BTH
  uint8_t hop_limit = 64;
  Address src = {};
  Address dst = {};

  bool operator==(const Ipv6&) const = default;

  static std::optional<Ipv6> parse(const uint8_t* p, size_t len) {
    const auto v = Ipv6View::of(p, len);
    if (!v) return std::nullopt;
    return Ipv6{v->version(),     v->traffic_class(), v->flow_label(), v->payload_length(),
                v->next_header(), v->hop_limit(),     v->src(),        v->dst()};
  }
  void emit(uint8_t* p) const {
    store32(p, static_cast<uint32_t>(version) << 28 | static_cast<uint32_t>(traffic_class) << 20 |
                   (flow_label & 0xfffff));
    store16(p + 4, payload_length);
    p[6] = next_header;
    p[7] = hop_limit;
    std::memcpy(p + 8, src.data(), 16);
    std::memcpy(p + 24, dst.data(), 16);
  }
};

}  // namespace uroce::wire
