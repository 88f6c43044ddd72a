// Atomic Extended Transport Header: operands of compare-swap and fetch-add (IBA 9.3.4).
//
//  0 virtual address (8) | 8 R_Key (4) | 12 swap or add (8) | 20 compare (8)
#pragma once

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class AtomicEthView : public View<AtomicEthView, 28> {
 public:
  uint64_t va() const { return load64(p_); }
  uint32_t rkey() const { return load32(p_ + 8); }
  uint64_t swap_add() const { return load64(p_ + 12); }
  uint64_t compare() const { return load64(p_ + 20); }

 private:
  friend View;
  using View::View;
};

struct AtomicEth {
  static constexpr size_t kSize = AtomicEthView::kSize;

  uint64_t va = 0;
  uint32_t rkey = 0;
  uint64_t swap_add = 0;
  uint64_t compare = 0;

  bool operator==(const AtomicEth&) const = default;

  static std::optional<AtomicEth> parse(const uint8_t* p, size_t len) {
    const auto v = AtomicEthView::of(p, len);
    if (!v) return std::nullopt;
    return AtomicEth{v->va(), v->rkey(), v->swap_add(), v->compare()};
  }
  void emit(uint8_t* p) const {
    store64(p, va);
    store32(p + 8, rkey);
    store64(p + 12, swap_add);
    store64(p + 20, compare);
  }
};

}  // namespace uroce::wire
