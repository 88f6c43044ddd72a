// Atomic Acknowledge Extended Transport Header (IBA 9.3.5): the value before the operation.
#pragma once

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class AtomicAckEthView : public View<AtomicAckEthView, 8> {
 public:
  uint64_t original() const { return load64(p_); }

 private:
  friend View;
  using View::View;
};

struct AtomicAckEth {
  static constexpr size_t kSize = AtomicAckEthView::kSize;

  uint64_t original = 0;

  bool operator==(const AtomicAckEth&) const = default;

  static std::optional<AtomicAckEth> parse(const uint8_t* p, size_t len) {
    const auto v = AtomicAckEthView::of(p, len);
    if (!v) return std::nullopt;
    return AtomicAckEth{v->original()};
  }
  void emit(uint8_t* p) const { store64(p, original); }
};

}  // namespace uroce::wire
