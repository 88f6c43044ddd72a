// Base of all header views: bytes of known sufficient length.
//
// Convention of the headers in this folder, after smoltcp:
//   - `FooView` is a thin view over bytes. FooView::of(p, len) returns nothing when there are too few bytes;
//     after that its getters need no check, and each getter is one field at its place in the packet. A view
//     costs a pointer.
//   - `Foo` is a plain value. Foo::parse(p, len) goes through the view; emit(p) writes exactly Foo::kSize
//     bytes, and parsing them returns the same value.
// The meaning of a field for the protocol belongs to transport.
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
