// Where in the program a call came from.
#pragma once

#include <cstdint>
#include <string>

namespace uroce::report {

// The innermost return address on this thread's stack that is not in this library; null if there is none.
const void* caller();

struct Place {
  std::string function;  // empty if dladdr knows none: the program does not export it
  std::string object;    // file
  uintptr_t offset = 0;  // in the file, of the call itself: what addr2line -e takes
};
Place place_of(const void* return_address);

}  // namespace uroce::report
