// What went wrong in the launcher itself, as opposed to what the program did.
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace vlconfine {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// With the reason of errno.
[[noreturn]] inline void fail(const std::string& what) { throw Failure(what + ": " + std::strerror(errno)); }

}  // namespace vlconfine
