// Global Route Header: RoCEv1's network header, and the first 40 bytes of every UD receive buffer. It has the
// layout of an IPv6 header (IBA 8.3) with next header 27. For IPv4 packets the 40 bytes end with the IPv4
// header (bytes 20..39), as rxe and NICs deliver them.
#pragma once

#include "uroce/wire/ipv4.h"
#include "uroce/wire/ipv6.h"

namespace uroce::wire {

using Grh = Ipv6;

// The 40 bytes of a UD receive buffer for a packet that came over IPv4.
inline void emit_grh_ipv4(uint8_t* p, const Ipv4& header) {
  std::memset(p, 0, Grh::kSize - Ipv4::kSize);
  header.emit(p + Grh::kSize - Ipv4::kSize);
}

}  // namespace uroce::wire
