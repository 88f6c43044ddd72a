// IP and UDP headers, as far as the ICRC and captures need them.
#pragma once

#include <array>

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

// IPv4 header without options, as far as the ICRC and captures need it (RFC 791).
//
//  0 version 4, IHL 5 | 1 TOS | 2 total length (2) | 4 identification (2) | 6 flags, fragment offset (2)
//  8 TTL | 9 protocol | 10 checksum (2) | 12 source (4) | 16 destination (4)
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

// IPv6 header, as far as the ICRC and captures need it (RFC 8200).
//
//  0 version 6, traffic class, flow label (4) | 4 payload length (2) | 6 next header | 7 hop limit
//  8 source (16) | 24 destination (16)
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

// UDP header, as far as the ICRC and captures need it. RoCEv2's destination port is 4791.
//
//  0 source port (2) | 2 destination port (2) | 4 length (2) | 6 checksum (2)

inline constexpr uint16_t kRocePort = 4791;

class UdpView : public View<UdpView, 8> {
 public:
  uint16_t src_port() const { return load16(p_); }
  uint16_t dst_port() const { return load16(p_ + 2); }
  uint16_t length() const { return load16(p_ + 4); }
  uint16_t checksum() const { return load16(p_ + 6); }

 private:
  friend View;
  using View::View;
};

struct Udp {
  static constexpr size_t kSize = UdpView::kSize;

  uint16_t src_port = 0;
  uint16_t dst_port = kRocePort;
  uint16_t length = 0;  // header included
  uint16_t checksum = 0;

  bool operator==(const Udp&) const = default;

  static std::optional<Udp> parse(const uint8_t* p, size_t len) {
    const auto v = UdpView::of(p, len);
    if (!v) return std::nullopt;
    return Udp{v->src_port(), v->dst_port(), v->length(), v->checksum()};
  }
  void emit(uint8_t* p) const {
    store16(p, src_port);
    store16(p + 2, dst_port);
    store16(p + 4, length);
    store16(p + 6, checksum);
  }
};

}  // namespace uroce::wire
