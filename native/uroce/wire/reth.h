// RDMA Extended Transport Header: where a WRITE or READ request points (IBA 9.3.3).
//
//  0 virtual address (8) | 8 R_Key (4) | 12 DMA length (4)
#pragma once

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

class RethView : public View<RethView, 16> {
 public:
  uint64_t va() const { return load64(p_); }
  uint32_t rkey() const { return load32(p_ + 8); }
  uint32_t length() const { return load32(p_ + 12); }

 private:
  friend View;
  using View::View;
};

struct Reth {
  static constexpr size_t kSize = RethView::kSize;

  uint64_t va = 0;
  uint32_t rkey = 0;
  uint32_t length = 0;  // bytes of the whole message

  bool operator==(const Reth&) const = default;

  static std::optional<Reth> parse(const uint8_t* p, size_t len) {
    const auto v = RethView::of(p, len);
    if (!v) return std::nullopt;
    return Reth{v->va(), v->rkey(), v->length()};
  }
  void emit(uint8_t* p) const {
    store64(p, va);
    store32(p + 8, rkey);
    store32(p + 12, length);
  }
};

}  // namespace uroce::wire
