#include "bench/vlflood/packets.h"

#include "uroce/wire/bth.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/ip.h"
#include "uroce/wire/opcode.h"

namespace vlflood {
namespace {

namespace wire = uroce::wire;

// Queue pair numbers of one process differ in these bits.
constexpr uint32_t kLocalMask = 0xfff;

// A multiplicative hash: packets differ, runs do not.
uint32_t scattered(uint32_t n) { return n * 2654435761u; }

uint32_t icrc(const Aim& aim, const Packet& packet, std::size_t length) {
  const auto udp = static_cast<uint16_t>(wire::Udp::kSize + length + wire::kIcrcSize);
  const uint32_t state =
      wire::icrc_begin_ipv4(aim.from.data(), aim.to.data(), wire::kRocePort, wire::kRocePort, udp);
  return wire::icrc_end(wire::icrc_headers(state, packet.data(), length));
}

Packet garbage(uint32_t n) {
  Packet packet(scattered(n) >> 24);
  for (std::size_t i = 0; i < packet.size(); ++i)
    packet[i] = static_cast<uint8_t>(scattered(n + static_cast<uint32_t>(i)) >> 16);
  return packet;
}

}  // namespace

Packet make_packet(const Aim& aim, Kind kind, uint32_t n) {
  if (kind == Kind::garbage) {
    Packet packet = garbage(n);
    // Steered by these bytes: it is to arrive where the others do.
    if (packet.size() >= wire::Bth::kSize) wire::store24(&packet[5], aim.qpn);
    return packet;
  }
  wire::Bth bth;
  bth.opcode = wire::opcode::send_only;
  bth.dest_qpn = aim.qpn;
  bth.psn = scattered(n) >> 8;
  if (kind == Kind::unknown_qp) bth.dest_qpn ^= 1 + scattered(n) % kLocalMask;
  if (kind == Kind::wrong_pkey) bth.pkey = 0x1234;
  Packet packet(wire::Bth::kSize + wire::kIcrcSize);
  bth.emit(packet.data());
  const uint32_t right = icrc(aim, packet, wire::Bth::kSize);
  wire::icrc_store(&packet[wire::Bth::kSize], kind == Kind::bad_icrc ? right ^ scattered(n) ^ 1 : right);
  return packet;
}

}  // namespace vlflood
