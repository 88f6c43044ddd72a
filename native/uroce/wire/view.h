// What every header view shares: bytes of known sufficient length.
//
// How each header in this folder is written, explained here once (the habit is smoltcp's):
//   - `FooView` is a thin view over bytes. FooView::of(p, len) gives nothing when the bytes do not suffice;
//     after that its getters need no check, and each getter is one field at its place in the packet. A view
//     costs a pointer.
//   - `Foo` is a plain value. Foo::parse(p, len) goes through the view; emit(p) writes exactly Foo::kSize
//     bytes, and what is parsed from them is the same value again.
// Nothing here knows what a field means to the protocol; that is transport's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace uroce::wire {

template <class Derived, size_t Size>
class View {
 public:
  static constexpr size_t kSize = Size;
  static std::optional<Derived> of(const uint8_t* p, size_t len) {
    if (len < Size) return std::nullopt;
    return Derived(p);
  }

 protected:
  explicit View(const uint8_t* p) : p_(p) {}
  const uint8_t* p_;
};

}  // namespace uroce::wire
