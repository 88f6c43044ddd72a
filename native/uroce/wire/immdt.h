// Immediate data (IBA 9.3.6): four bytes handed on as they are, in network order.
#pragma once

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class ImmDtView : public View<ImmDtView, 4> {
 public:
  uint32_t data() const { return load_raw32(p_); }

 private:
  friend View;
  using View::View;
};

struct ImmDt {
  static constexpr size_t kSize = ImmDtView::kSize;

  uint32_t data = 0;  // network order, as ibv_wc.imm_data

  bool operator==(const ImmDt&) const = default;

  static std::optional<ImmDt> parse(const uint8_t* p, size_t len) {
    const auto v = ImmDtView::of(p, len);
    if (!v) return std::nullopt;
    return ImmDt{v->data()};
  }
  void emit(uint8_t* p) const { store_raw32(p, data); }
};

}  // namespace uroce::wire
