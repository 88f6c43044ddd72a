// A JSON object under construction, for Feed::queue().
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "uroce/json.h"

namespace uroce::feed {

class Object {
 public:
  Object() = default;
  explicit Object(std::string_view type) { text("type", type); }

  Object& text(std::string_view name, std::string_view value) {
    return raw(name, json_quoted(std::string(value)));
  }
  Object& number(std::string_view name, uint64_t value) { return raw(name, std::to_string(value)); }
  // 64 bits, as `"0x…"`: a JSON number cannot hold them.
  Object& hex(std::string_view name, uint64_t value);
  // The names of the bits that are set.
  Object& flags(std::string_view name, uint64_t bits,
                std::initializer_list<std::pair<uint64_t, const char*>> names);
  Object& raw(std::string_view name, std::string_view json) {
    text_ += text_.empty() ? "{\"" : ",\"";
    text_ += name;
    text_ += "\":";
    text_ += json;
    return *this;
  }

  // Still open: queue() adds the time and the brace.
  std::string take() { return std::move(text_); }
  // Whole, to be a member of another.
  std::string closed() { return text_.empty() ? "{}" : std::move(text_ += "}"); }

 private:
  std::string text_;
};

}  // namespace uroce::feed
