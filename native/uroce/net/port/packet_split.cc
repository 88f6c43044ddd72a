#include "uroce/net/port/packet_split.h"

#include "uroce/wire/bth.h"

namespace uroce::net {
namespace {

// Places tried at most: a hostile payload may be full of what looks like headers.
constexpr uint32_t kMaxTries = 64;

// Could a packet of ours to the same process begin here?
bool like_header(const uint8_t* p, uint32_t slot) {
  return p[2] == 0xff && p[3] == 0xff && (p[1] & 0x0f) == 0 && (p[4] & 0x3f) == 0 && (p[8] & 0x3f) == 0 &&
         slot_of(wire::load24(p + 5)) == slot;
}

}  // namespace

uint32_t PacketSplit::find(const Datagram& d, IcrcCheck& check) {
  if (d.length < 2 * IcrcCheck::kMinPacket || check.matches(d.data, d.length)) return d.length;
  const uint32_t slot = slot_of(wire::load24(d.data + 5));
  uint32_t tries = 0;
  for (uint32_t at = IcrcCheck::kMinPacket; at + IcrcCheck::kMinPacket <= d.length && tries < kMaxTries;
       at += 4) {
    if (!like_header(d.data + at, slot)) continue;
    ++tries;
    if (check.matches(d.data, at)) return at;
  }
  return d.length;
}

}  // namespace uroce::net
