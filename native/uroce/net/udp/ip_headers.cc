#include "uroce/net/udp/ip_headers.h"

#include <algorithm>

#include "uroce/net/host/address.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/ip.h"

namespace uroce::net {
namespace {

wire::Ipv4::Address ipv4_of(const Gid& gid) { return {gid[12], gid[13], gid[14], gid[15]}; }

}  // namespace

uint32_t write_ip_udp(const IpUdp& f, uint32_t payload, uint8_t* out) {
  const auto udp_length = static_cast<uint16_t>(wire::Udp::kSize + payload);
  std::size_t ip_size;
  if (is_ipv4(f.source)) {
    ip_size = wire::Ipv4::kSize;
    wire::Ipv4 ip;
    ip.tos = f.tos;
    ip.total_length = static_cast<uint16_t>(wire::Ipv4::kSize + udp_length);
    ip.id = f.id;
    ip.ttl = f.ttl;
    ip.src = ipv4_of(f.source);
    ip.dst = ipv4_of(f.destination);
    ip.emit(out);
    ip.checksum = wire::ipv4_checksum(out);
    ip.emit(out);
  } else {
    ip_size = wire::Ipv6::kSize;
    wire::Ipv6 ip;
    ip.traffic_class = f.tos;
    ip.payload_length = udp_length;
    ip.hop_limit = f.ttl;
    ip.src = f.source;
    ip.dst = f.destination;
    ip.emit(out);
  }
  wire::Udp{f.source_port, f.destination_port, udp_length, 0}.emit(out + ip_size);
  return static_cast<uint32_t>(ip_size + wire::Udp::kSize);
}

uint32_t icrc_begin(const IpUdp& f, uint32_t payload) {
  const auto udp_length = static_cast<uint16_t>(wire::Udp::kSize + payload);
  if (is_ipv4(f.source)) {
    return wire::icrc_begin_ipv4(&f.source[12], &f.destination[12], f.source_port, f.destination_port,
                                 udp_length, f.id);
  }
  return wire::icrc_begin_ipv6(f.source.data(), f.destination.data(), f.source_port, f.destination_port,
                               udp_length);
}

}  // namespace uroce::net
