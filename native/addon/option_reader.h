// Reads the options of a measuring loop by their names in packages/protocol/src/loop-options.ts, which has
// their bounds.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "addon/args.h"

namespace addon {

class OptionReader {
 public:
  explicit OptionReader(const Napi::Value& options) : in_(object(options, "options")) {}

  Napi::Value value(const char* name) {
    ++read_;
    return in_.Get(name);
  }
  // Choices come as numbers.
  template <typename T>
  OptionReader& read(const char* name, T& field) {
    const Napi::Value given = value(name);
    if constexpr (std::is_same_v<T, std::string>) {
      field = text(given, name);
    } else if constexpr (std::is_same_v<T, double>) {
      field = number(given, name);
    } else if constexpr (std::is_same_v<T, bool>) {
      field = given.IsNumber() ? number(given, name) != 0 : boolean(given, name);
    } else if constexpr (std::is_enum_v<T>) {
      field = static_cast<T>(integer<int>(given, name));
    } else {
      field = given.IsBigInt() ? static_cast<T>(big(given, name)) : integer<T>(given, name);
    }
    return *this;
  }
  OptionReader& read_ms(const char* name, uint64_t& ns) {
    ns = static_cast<uint64_t>(number(value(name), name) * 1e6);
    return *this;
  }
  // Throws a TypeError if there are options that were not read: the tables have one that no loop knows.
  void end() const {
    const uint32_t given = in_.GetPropertyNames().Length();
    if (given != read_)
      throw Napi::TypeError::New(
          in_.Env(), std::to_string(given) + " options were given, and " + std::to_string(read_) + " read");
  }

 private:
  Napi::Object in_;
  uint32_t read_ = 0;
};

}  // namespace addon
