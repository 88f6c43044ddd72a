#include "uroce/transport/validate.h"

#include "uroce/transport/engine.h"
#include "uroce/transport/rc/arrived_header.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

using Info = wire::OpcodeInfo;

// Header sizes are multiples of four, so payload and pad together must be.
bool length_ok(const Info& info, uint32_t length, uint32_t pad) {
  return length >= info.header_size + pad && (length & 3) == 0 &&
         (info.has(Info::payload) || length == info.header_size);
}

// A NAK that says what has arrived (ArrivedHeader).
bool names_arrived(const RxPacket& packet, const wire::BthView& bth) {
  constexpr uint32_t kHeaders = wire::Bth::kSize + wire::Aeth::kSize;
  return bth.opcode() == wire::opcode::acknowledge && bth.selective() && bth.pad() == 0 &&
         packet.len > kHeaders && ArrivedHeader::valid_size(packet.len - kHeaders) &&
         packet.data[wire::Bth::kSize] == wire::aeth::kNakSequence;
}

bool from_peer(const Path& path, const RxPacket& packet) {
  return same_gid(*packet.source, path.dgid) && same_gid(*packet.destination, path.sgid);
}

Validated validate_cnp(const Engine& engine, const RxPacket& packet, const wire::BthView& bth) {
  if (packet.len != wire::Bth::kSize + wire::kCnpReserved || bth.pad() != 0) return {Reject::malformed};
  Qp* qp = engine.find_qp(bth.dest_qpn());
  if (qp == nullptr) return {Reject::unknown_qp};
  return {qp->classify_cnp(packet, bth), qp};
}

}  // namespace

Reject Qp::classify_cnp(const RxPacket& packet, const wire::BthView& bth) const {
  if (!can_receive() && !can_send()) return Reject::wrong_state;
  if (init_.type == QpType::ud) return Reject::wrong_transport;
  if (!is_default_pkey(bth.pkey())) return Reject::wrong_pkey;
  return from_peer(attr_.av, packet) ? Reject::none : Reject::wrong_address;
}

Reject Qp::classify(const RxPacket& packet, const wire::BthView& bth) const {
  const bool response = wire::kOpcodes[bth.opcode()].has(Info::response);
  if (!(response ? can_send() : can_receive())) return Reject::wrong_state;
  if (service_ != (bth.opcode() & wire::service::kMask)) return Reject::wrong_transport;
  if (!is_default_pkey(bth.pkey())) return Reject::wrong_pkey;
  // A datagram may come from anywhere, but to a group only by the group's queue pair number.
  const bool address_ok =
      init_.type == QpType::ud ? !is_multicast(*packet.destination) : from_peer(attr_.av, packet);
  if (!address_ok) return Reject::wrong_address;
  return response && !completer_.expects(bth.psn()) ? Reject::stray_response : Reject::none;
}

Validated validate(const Engine& engine, const RxPacket& packet) {
  const auto bth = wire::BthView::of(packet.data, packet.len);
  if (!bth || bth->version() != 0) return {Reject::malformed};
  if (Gsi::is_for(bth->dest_qpn())) [[unlikely]]
    return {Gsi::parse(packet) ? Reject::none : Reject::malformed};
  const Info& info = wire::kOpcodes[bth->opcode()];
  const uint8_t service = bth->opcode() & wire::service::kMask;
  if (!info.has(Info::known) || service > wire::service::kUd) [[unlikely]] {
    if (bth->opcode() == wire::opcode::cnp) return validate_cnp(engine, packet, *bth);
    return {Reject::unsupported};
  }
  if (!length_ok(info, packet.len, bth->pad()) && !names_arrived(packet, *bth)) return {Reject::malformed};
  if (bth->dest_qpn() == kMulticastQpn && service == wire::service::kUd) {
    if (!is_default_pkey(bth->pkey())) return {Reject::wrong_pkey};
    return {engine.has_mcast(*packet.destination) ? Reject::none : Reject::unknown_qp};
  }
  Qp* qp = engine.find_qp(bth->dest_qpn());
  if (qp == nullptr) return {Reject::unknown_qp};
  return {qp->classify(packet, *bth), qp};
}

}  // namespace uroce::transport
