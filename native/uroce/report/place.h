// Where in the program a call came from.
#pragma once

#include <cstdint>
#include <string>

#include "uroce/report/finding.h"

namespace uroce::report {

// The innermost return addresses on this thread's stack that are not in this library.
Caller caller();

struct Place {
  std::string function;  // empty if dladdr knows none: the program does not export it
  std::string object;    // path of the file
  uintptr_t offset = 0;  // of the call itself, after where the file is loaded
};
Place place_of(const void* return_address);

}  // namespace uroce::report
