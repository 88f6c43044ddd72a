// UDP header, as far as the ICRC and captures need it. RoCEv2's destination port is 4791.
//
//  0 source port (2) | 2 destination port (2) | 4 length (2) | 6 checksum (2)
#pragma once

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

inline constexpr uint16_t kRocePort = 4791;

class UdpView : public View<UdpView, 8> {
 public:
  uint16_t src_port() const { return load16(p_); }
  uint16_t dst_port() const { return load16(p_ + 2); }
  uint16_t length() const { return load16(p_ + 4); }
  uint16_t checksum() const { return load16(p_ + 6); }

 private:
  friend View;
  using View::View;
};

struct Udp {
  static constexpr size_t kSize = UdpView::kSize;

  uint16_t src_port = 0;
  uint16_t dst_port = kRocePort;
  uint16_t length = 0;  // header included
  uint16_t checksum = 0;

  bool operator==(const Udp&) const = default;

  static std::optional<Udp> parse(const uint8_t* p, size_t len) {
    const auto v = UdpView::of(p, len);
    if (!v) return std::nullopt;
    return Udp{v->src_port(), v->dst_port(), v->length(), v->checksum()};
  }
  void emit(uint8_t* p) const {
    store16(p, src_port);
    store16(p + 2, dst_port);
    store16(p + 4, length);
    store16(p + 6, checksum);
  }
};

}  // namespace uroce::wire
