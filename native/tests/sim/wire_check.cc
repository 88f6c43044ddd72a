#include "wire_check.h"

#include <algorithm>
#include <bit>

#include "uroce/transport/rc/arrived_header.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"
#include "violation.h"

namespace uroce::sim {
namespace {

namespace op = wire::opcode;
using Info = wire::OpcodeInfo;

constexpr transport::ExtPsn kExtPsnBase = kPsnMask + 1ull;

}  // namespace

void WireCheck::start(const Limits& limits, uint32_t peer_qpn, uint32_t own_psn, uint32_t peer_psn) {
  limits_ = limits;
  peer_qpn_ = peer_qpn;
  asked_ = acked_ = kExtPsnBase + own_psn;
  heard_ = kExtPsnBase + peer_psn;
}

// A READ request stands for as many PSNs as its answer has packets.
uint32_t WireCheck::psns_of(const uint8_t* bytes) const {
  if (bytes[0] != op::read_request) return 1;
  const uint32_t length = wire::RethView::of(bytes + wire::Bth::kSize, wire::Reth::kSize)->length();
  return length == 0 ? 1 : (length - 1) / limits_.mtu + 1;
}

// A NAK of selective repeat: to a peer that has it, which is the condition for every packet of ours to say so.
bool WireCheck::names_arrived(const transport::TxPacket& p, const wire::BthView& bth) const {
  constexpr uint32_t kHeaders = wire::Bth::kSize + wire::Aeth::kSize;
  if (bth.opcode() != op::acknowledge || !peer_is_selective_ || !bth.selective()) return false;
  if (p.header[wire::Bth::kSize] != wire::aeth::kNakSequence) return false;
  const auto arrived = transport::ArrivedHeader::parse(p.header + kHeaders, p.header_len - kHeaders);
  if (!arrived || arrived->bits[arrived->words - 1] == 0) return false;
  // The last one named has come.
  const auto last =
      arrived->words * 64 - static_cast<uint32_t>(std::countl_zero(arrived->bits[arrived->words - 1]));
  return transport::extend_psn(p.psn, heard_) + last < heard_;
}

void WireCheck::sent(const transport::TxPacket& p) {
  const Info& info = wire::kOpcodes[p.header[0]];
  require(info.has(Info::known), "an unknown opcode on the wire");
  const auto bth = *wire::BthView::of(p.header, p.header_len);
  require(p.header_len == info.header_size || names_arrived(p, bth), "headers that do not fit the opcode");
  require(bth.opcode() == p.opcode && bth.psn() == p.psn && bth.dest_qpn() == p.dest_qpn,
          "a header that says other than its packet");
  require(bth.dest_qpn() == peer_qpn_, "a packet to another queue pair");
  if (p.opcode == op::cnp) {
    require(bth.becn() && !bth.fecn() && bth.pkey() == kDefaultPkey && p.payload_len == wire::kCnpReserved,
            "a CNP with wrong constants");
    return;
  }
  require(bth.version() == 0 && bth.migreq() && bth.pkey() == kDefaultPkey && !bth.fecn() && !bth.becn(),
          "a BTH with wrong constants");
  require(p.pad == (-p.payload_len & 3) && bth.pad() == p.pad, "a wrong pad");
  require(p.payload_len == 0 || info.has(Info::payload), "payload where there is none");
  uint32_t length = 0;
  for (uint32_t i = 0; i < p.iov_count; ++i) length += p.iov[i].len;
  require(length == p.payload_len, "pieces that do not add up");
  if (info.has(Info::first | Info::middle)) {
    require(p.payload_len == limits_.mtu, "a First or Middle that is not a whole MTU");
  } else {
    require(p.payload_len <= limits_.mtu, "a packet above the MTU");
    require(p.payload_len != 0 || !info.has(Info::last), "an empty Last");
  }
  if (info.has(Info::request)) {
    request(p);
  } else {
    response(p);
  }
}

void WireCheck::request(const transport::TxPacket& p) {
  const Info& info = wire::kOpcodes[p.opcode];
  const auto bth = *wire::BthView::of(p.header, p.header_len);
  const transport::ExtPsn seq = transport::extend_psn(p.psn, asked_);
  const transport::ExtPsn end = seq + psns_of(p.header);
  require(seq <= asked_, "a request that leaves PSNs out");
  require(!info.has(Info::last | Info::only) || bth.ack_req(), "a message's end that asks for no ACK");
  require(!bth.solicited() || info.has(Info::last | Info::only), "a solicited event before the end");
  if (acked_ < seq) {
    require(end - acked_ <= limits_.window_packets, "more packets in flight than the window");
  }
  if (seq < asked_) {
    ++repeats_;
  } else {
    ++requests_;
    // First, Middle... and Last of one message in a row.
    const bool send = p.opcode < op::write_first || info.has(Info::ieth);
    const uint32_t kind = send ? 1 : p.opcode <= op::write_only_imm ? 2 : 3;
    const bool goes_on = info.has(Info::middle | Info::last);
    require(goes_on ? message_ == kind : message_ == 0, "a message broken off or without a beginning");
    message_ = info.has(Info::first | Info::middle) ? kind : 0;
  }
  asked_ = std::max(asked_, end);
}

void WireCheck::response(const transport::TxPacket& p) {
  const Info& info = wire::kOpcodes[p.opcode];
  const transport::ExtPsn seq = transport::extend_psn(p.psn, heard_);
  bool nak = false;
  if (info.has(Info::aeth)) {
    const auto aeth = *wire::AethView::of(p.header + wire::Bth::kSize, wire::Aeth::kSize);
    nak = p.opcode == op::acknowledge && (aeth.syndrome() & wire::aeth::kKindMask) != wire::aeth::kAck;
    require(((aeth.msn() - msn_) & kPsnMask) < 1u << 23, "an MSN that goes back");
    msn_ = aeth.msn();
  }
  // A sequence NAK names the first PSN that has not come.
  require(nak ? seq <= heard_ : seq < heard_, "an answer to what was not asked");
}

void WireCheck::received(const uint8_t* bytes, uint32_t len) {
  const auto bth = *wire::BthView::of(bytes, len);
  if (bth.opcode() == op::cnp) return;
  const Info& info = wire::kOpcodes[bth.opcode()];
  peer_is_selective_ |= bth.selective();
  if (info.has(Info::request)) {
    heard_ = std::max(heard_, transport::extend_psn(bth.psn(), heard_) + psns_of(bytes));
    return;
  }
  const transport::ExtPsn seq = transport::extend_psn(bth.psn(), acked_);
  if (seq >= asked_) return;
  bool nak = false;
  if (bth.opcode() == op::acknowledge) {
    const uint8_t syndrome = wire::AethView::of(bytes + wire::Bth::kSize, len - wire::Bth::kSize)->syndrome();
    nak = (syndrome & wire::aeth::kKindMask) != wire::aeth::kAck;
  }
  acked_ = std::max(acked_, nak ? seq : seq + 1);
}

}  // namespace uroce::sim
