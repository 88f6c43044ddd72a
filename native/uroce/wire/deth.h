// Datagram Extended Transport Header (IBA 9.3.2): in every UD packet.
//
//  0 Q_Key (4) | 4 reserved (1) | 5 source QPN (3)
#pragma once

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class DethView : public View<DethView, 8> {
 public:
  uint32_t qkey() const { return load32(p_); }
  uint32_t src_qpn() const { return load24(p_ + 5); }

 private:
  friend View;
  using View::View;
};

struct Deth {
  static constexpr size_t kSize = DethView::kSize;

  uint32_t qkey = 0;
  uint32_t src_qpn = 0;  // 24 bits

  bool operator==(const Deth&) const = default;

  static std::optional<Deth> parse(const uint8_t* p, size_t len) {
    const auto v = DethView::of(p, len);
    if (!v) return std::nullopt;
    return Deth{v->qkey(), v->src_qpn()};
  }
  void emit(uint8_t* p) const {
    store32(p, qkey);
    p[4] = 0;
    store24(p + 5, src_qpn);
  }
};

}  // namespace uroce::wire
