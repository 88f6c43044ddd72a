// Base Transport Header: the first header of every RoCE packet (IBA 9.2).
//
//  0 opcode | 1 SE 0x80, MigReq 0x40, pad 0x30, version 0x0f | 2 P_Key (2)
//  4 FECN 0x80, BECN 0x40, reserved | 5 destination QPN (3) | 8 AckReq 0x80, selective 0x40, reserved | 9 PSN (3)
//
// `selective` is not standard: the specification reserves the bit, and receivers ignore it. The sender uses selective
// repeat (transport/rc/arrived_header.h).
#pragma once

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class BthView : public View<BthView, 12> {
 public:
  uint8_t opcode() const { return p_[0]; }
  bool solicited() const { return p_[1] & 0x80; }
  bool migreq() const { return p_[1] & 0x40; }
  uint8_t pad() const { return p_[1] >> 4 & 3; }
  uint8_t version() const { return p_[1] & 0x0f; }
  uint16_t pkey() const { return load16(p_ + 2); }
  bool fecn() const { return p_[4] & 0x80; }
  bool becn() const { return p_[4] & 0x40; }
  uint32_t dest_qpn() const { return load24(p_ + 5); }
  bool ack_req() const { return p_[8] & 0x80; }
  bool selective() const { return p_[8] & 0x40; }
  uint32_t psn() const { return load24(p_ + 9); }

 private:
  friend View;
  using View::View;
};

struct Bth {
  static constexpr size_t kSize = BthView::kSize;

  uint8_t opcode = 0;
  bool solicited = false;
  bool migreq = true;  // 1 while no path migration is in progress
  uint8_t pad = 0;     // 0..3
  uint8_t version = 0;
  uint16_t pkey = 0xffff;
  bool fecn = false;
  bool becn = false;
  uint32_t dest_qpn = 0;  // 24 bits
  bool ack_req = false;
  uint32_t psn = 0;        // 24 bits
  bool selective = false;  // not standard

  bool operator==(const Bth&) const = default;

  static std::optional<Bth> parse(const uint8_t* p, size_t len) {
    const auto v = BthView::of(p, len);
    if (!v) return std::nullopt;
    return Bth{v->opcode(), v->solicited(), v->migreq(),   v->pad(),     v->version(), v->pkey(),
               v->fecn(),   v->becn(),      v->dest_qpn(), v->ack_req(), v->psn(),     v->selective()};
  }
  void emit(uint8_t* p) const {
    p[0] = opcode;
    p[1] = static_cast<uint8_t>(solicited << 7 | migreq << 6 | (pad & 3) << 4 | (version & 0x0f));
    store16(p + 2, pkey);
    p[4] = static_cast<uint8_t>(fecn << 7 | becn << 6);
    store24(p + 5, dest_qpn);
    p[8] = static_cast<uint8_t>(ack_req << 7 | selective << 6);
    store24(p + 9, psn);
  }
};

}  // namespace uroce::wire
