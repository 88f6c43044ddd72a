#include "capture/link.h"

#include <pcap/dlt.h>

namespace vlcapture {
namespace {

constexpr size_t kEthernet = 14;
constexpr size_t kVlanTag = 4;
constexpr size_t kIpv4Header = 20;
constexpr size_t kIpv6Header = 40;
constexpr uint16_t kIpv4Type = 0x0800;
constexpr uint16_t kIpv6Type = 0x86dd;
constexpr uint16_t kVlanType = 0x8100;
constexpr uint16_t kServiceVlanType = 0x88a8;

uint16_t u16(std::span<const uint8_t> bytes, size_t at) noexcept {
  return static_cast<uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

// `type_at`: where the EtherType stands; what it names comes right behind it, or at `next`.
std::optional<size_t> behind_type(std::span<const uint8_t> frame, size_t type_at, size_t next) noexcept {
  while (type_at + 2 <= frame.size()) {
    const uint16_t type = u16(frame, type_at);
    if (type == kIpv4Type || type == kIpv6Type) return next;
    if (type != kVlanType && type != kServiceVlanType) return std::nullopt;
    type_at = next + 2;
    next += kVlanTag;
  }
  return std::nullopt;
}

}  // namespace

bool known_link(int dlt) noexcept {
  return dlt == DLT_EN10MB || dlt == DLT_RAW || dlt == DLT_LINUX_SLL || dlt == DLT_LINUX_SLL2;
}

std::optional<size_t> ip_offset(int dlt, std::span<const uint8_t> frame) noexcept {
  switch (dlt) {
    case DLT_EN10MB:
      return behind_type(frame, kEthernet - 2, kEthernet);
    case DLT_LINUX_SLL:
      return behind_type(frame, 14, 16);
    case DLT_LINUX_SLL2:
      return behind_type(frame, 0, 20);
    case DLT_RAW:
      return 0;
    default:
      return std::nullopt;
  }
}

std::optional<size_t> ip_length(std::span<const uint8_t> packet) noexcept {
  if (packet.empty()) return std::nullopt;
  if (packet[0] >> 4 == 4 && packet.size() >= kIpv4Header) {
    const size_t length = u16(packet, 2);
    return length >= kIpv4Header ? std::optional(length) : std::nullopt;
  }
  if (packet[0] >> 4 == 6 && packet.size() >= kIpv6Header) {
    const size_t payload = u16(packet, 4);
    return payload > 0 ? std::optional(kIpv6Header + payload) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace vlcapture
