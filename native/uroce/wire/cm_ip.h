// What rdma_cm puts in front of the consumer's private data in REQ and SIDR_REQ (IBA annex A11, "RDMA IP CM
// service"; struct cma_hdr of the kernel), and the service IDs that go with it.
//
//  0 CMA version | 1 IP version (4 bits), reserved | 2 source port (2) | 4 source (16) | 20 destination (16)
//
// An IPv4 address is in the last four bytes of its field.
#pragma once

#include "uroce/wire/mad.h"

namespace uroce::wire {

struct CmIp {
  static constexpr size_t kSize = 36;

  uint8_t version = 0;     // of this header; only 0 is known
  uint8_t ip_version = 4;  // 4 or 6
  uint16_t source_port = 0;
  std::array<uint8_t, 16> source{};
  std::array<uint8_t, 16> destination{};

  bool operator==(const CmIp&) const = default;

  static std::optional<CmIp> parse(const uint8_t* p, size_t len) {
    if (len < kSize) return std::nullopt;
    return CmIp{p[0], static_cast<uint8_t>(p[1] >> 4), load16(p + 2), load_array<16>(p + 4),
                load_array<16>(p + 20)};
  }
  void emit(uint8_t* p) const {
    p[0] = version;
    p[1] = static_cast<uint8_t>(ip_version << 4);
    store16(p + 2, source_port);
    store_array(p + 4, source);
    store_array(p + 20, destination);
  }
};

// Service ID of a port in one of the IP port spaces: 0x0000000001PPpppp with the protocol's (TCP 06, UDP 11)
// or a private number.
inline constexpr uint64_t service_id_of(uint16_t port_space, uint16_t port) {
  return uint64_t{port_space} << 16 | port;
}
inline constexpr uint16_t port_of(uint64_t service_id) { return static_cast<uint16_t>(service_id); }
// 0 for a service ID outside of the port spaces.
inline constexpr uint16_t port_space_of(uint64_t service_id) {
  return service_id >> 32 == 0 ? static_cast<uint16_t>(service_id >> 16) : 0;
}

}  // namespace uroce::wire
