// A sampled value, and since when it is the same.
#pragma once

#include <cstdint>

namespace uroce::verbs::watch {

template <class T>
class Still {
 public:
  // True if the value is new.
  bool sample(T value, uint64_t now) {
    if (since_ != 0 && value == value_) return false;
    value_ = value;
    since_ = now;
    return true;
  }
  uint64_t since() const { return since_; }

 private:
  T value_{};
  uint64_t since_ = 0;
};

}  // namespace uroce::verbs::watch
