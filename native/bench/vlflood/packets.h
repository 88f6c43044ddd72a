// The packets of a flood: what any process of the machine can send to a device, and what the device must turn
// down.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace vlflood {

using Ip = std::array<uint8_t, 4>;
using Packet = std::vector<uint8_t>;  // UDP payload

enum class Kind : uint8_t { unknown_qp, bad_icrc, wrong_pkey, wrong_psn, garbage, kinds };

struct Aim {
  Ip from{};
  Ip to{};
  uint32_t qpn = 0;  // the victim's
};

// The n-th packet of its kind. All but garbage are a BTH and an ICRC.
Packet make_packet(const Aim& aim, Kind kind, uint32_t n);

}  // namespace vlflood
