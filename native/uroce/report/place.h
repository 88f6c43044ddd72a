// The place of a call in the program.
#pragma once

#include <cstdint>
#include <string>

#include "uroce/report/finding.h"

namespace uroce::report {

// The innermost return addresses on this thread's stack outside this library.
Caller caller();

// Caller of the function that this is inlined into, which the program calls directly. For functions that
// are called too often for caller(). `outer` is right where the program keeps frame pointers. A program
// without optimization does, and only there are verbs' inline functions real functions.
[[gnu::always_inline]] inline Caller direct_caller() {
  struct Frame {
    const Frame* up;
    const void* back;
  };
  const auto* frame = static_cast<const Frame*>(__builtin_frame_address(0));
  const auto here = reinterpret_cast<uintptr_t>(frame), up = reinterpret_cast<uintptr_t>(frame->up);
  constexpr uintptr_t kNear = 512;  // bytes: a larger frame does not belong to verbs' inline functions
  const bool near = up > here && up - here <= kNear && up % alignof(Frame) == 0;
  return {frame->back, near ? frame->up->back : nullptr};
}

struct Place {
  std::string function;  // empty if dladdr knows none: the program does not export it
  std::string object;    // path of the file
  uintptr_t offset = 0;  // where the call is, after where the file is loaded
};
Place place_of(const void* return_address);
// As an object of JSON; `null` for no place.
std::string place_json(const Caller& where);
// True if the call is the program's own, not one of a library that it uses.
bool in_program(const void* return_address);
// True if the call comes from a library. An interpreter's extension module does not count: its calls are
// those of the interpreted program.
bool in_library(const void* return_address);

}  // namespace uroce::report
