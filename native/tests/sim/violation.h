// A broken expectation. The caller of a simulation catches it and adds the seed.
#pragma once

#include <stdexcept>
#include <string>

namespace uroce::sim {

struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool ok, const char* what) {
  if (!ok) [[unlikely]]
    throw Violation(what);
}

}  // namespace uroce::sim
