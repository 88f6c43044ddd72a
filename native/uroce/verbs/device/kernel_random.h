// Random numbers from the kernel, for keys, QPNs and PSNs that cannot be guessed.
#pragma once

#include <sys/random.h>

#include <cstdint>

#include "uroce/random.h"

namespace uroce::verbs {

class KernelRandom final : public RandomSource {
 public:
  uint32_t next() override {
    uint32_t value = 0;
    while (getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) {
    }
    return value;
  }
};

}  // namespace uroce::verbs
