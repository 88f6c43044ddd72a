// Invalidate Extended Transport Header (IBA 9.3.7): the R_Key that a SEND with invalidate takes away.
#pragma once

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class IethView : public View<IethView, 4> {
 public:
  uint32_t rkey() const { return load32(p_); }

 private:
  friend View;
  using View::View;
};

struct Ieth {
  static constexpr size_t kSize = IethView::kSize;

  uint32_t rkey = 0;

  bool operator==(const Ieth&) const = default;

  static std::optional<Ieth> parse(const uint8_t* p, size_t len) {
    const auto v = IethView::of(p, len);
    if (!v) return std::nullopt;
    return Ieth{v->rkey()};
  }
  void emit(uint8_t* p) const { store32(p, rkey); }
};

}  // namespace uroce::wire
