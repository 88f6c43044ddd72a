#pragma once

#include <unistd.h>

#include <cstdint>
#include <string>

namespace uroce::net::test {

// A loopback address that no other test process uses, for each n.
inline std::string own_address(uint32_t n) {
  const auto pid = static_cast<uint32_t>(getpid());
  return "127." + std::to_string(16 + n) + "." + std::to_string(pid >> 8 & 0xff) + "." +
         std::to_string((pid & 0xff) % 254 + 1);
}

}  // namespace uroce::net::test
