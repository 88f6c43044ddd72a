// JSON: a reader that keeps numbers as whole billionths, and a writer of lines.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vlsim {

struct Json {
  enum class Kind : uint8_t { null, boolean, number, text, array, object } kind = Kind::null;
  bool boolean = false;
  // Value of a number: its whole part, at most 9e12, and billionths.
  bool negative = false;
  uint64_t whole = 0;
  uint32_t billionths = 0;
  std::string text;
  std::vector<Json> items;
  struct Member;
  std::vector<Member> members;

  const Json* find(std::string_view name) const;
};

struct Json::Member {
  std::string name;
  Json value;
};

// The value, or one sentence on what is wrong. Numbers have at most nine decimals.
std::expected<Json, std::string> parse_json(std::string_view text);

// A number of millionths, as short as it can be.
std::string decimal_text(uint64_t millionths);

// Builds one line, an object.
class JsonLine {
 public:
  JsonLine() = default;
  explicit JsonLine(std::string_view type) { text("type", type); }
  JsonLine& text(std::string_view name, std::string_view value);
  JsonLine& number(std::string_view name, uint64_t value);
  // value / 10^decimals.
  JsonLine& decimal(std::string_view name, uint64_t value, unsigned decimals);
  JsonLine& boolean(std::string_view name, bool value);
  JsonLine& hex(std::string_view name, uint64_t value);
  // Between open() and close(), names may be empty: then it is an array.
  JsonLine& open(std::string_view name, char bracket);
  JsonLine& close(char bracket);
  std::string end() { return std::move(out_) + "}\n"; }

 private:
  void name(std::string_view name);
  std::string out_ = "{";
};

}  // namespace vlsim
