#include "sim/scenario/json.h"

#include <algorithm>
#include <cctype>

#include "uroce/json.h"

namespace vlsim {
namespace {

constexpr int kDeepest = 16;
constexpr uint64_t kLargest = 9'000'000'000'000;
constexpr int kDecimals = 9;
// Exponents beyond it make any number with so many digits too large, too small or 0.
constexpr int kFarthest = 1'000'000;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  std::expected<Json, std::string> whole() {
    Json value;
    if (!read(value, 0)) return std::unexpected(error_);
    skip();
    if (at_ != text_.size()) return std::unexpected(fail_text("text behind the value"));
    return value;
  }

 private:
  std::string fail_text(const char* what) const {
    size_t line = 1;
    for (size_t i = 0; i < at_ && i < text_.size(); ++i) line += text_[i] == '\n';
    return "Line " + std::to_string(line) + " of the scenario is not valid JSON: " + what + ".";
  }
  bool fail(const char* what) {
    if (error_.empty()) error_ = fail_text(what);
    return false;
  }
  void skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  bool next(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view w) {
    if (text_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    return true;
  }
  bool read(Json& value, int depth) {
    if (depth > kDeepest) return fail("it is nested too deeply");
    skip();
    if (at_ >= text_.size()) return fail("it ends too early");
    const char c = text_[at_];
    if (c == '{') return object(value, depth);
    if (c == '[') return array(value, depth);
    if (c == '"') {
      value.kind = Json::Kind::text;
      return quoted(value.text);
    }
    if (c == '-' || std::isdigit(static_cast<unsigned char>(c))) return number(value);
    if (word("null")) return true;
    value.kind = Json::Kind::boolean;
    value.boolean = c == 't';
    return word("true") || word("false") || fail("a value is missing");
  }
  bool object(Json& value, int depth) {
    value.kind = Json::Kind::object;
    ++at_;
    if (next('}')) return true;
    do {
      skip();
      std::string name;
      if (at_ >= text_.size() || text_[at_] != '"' || !quoted(name)) return fail("a name is missing");
      if (!next(':')) return fail("a colon is missing");
      if (value.find(name) != nullptr) return fail("a name is there twice");
      value.members.push_back({std::move(name), {}});
      if (!read(value.members.back().value, depth + 1)) return false;
    } while (next(','));
    return next('}') || fail("a brace is missing");
  }
  bool array(Json& value, int depth) {
    value.kind = Json::Kind::array;
    ++at_;
    if (next(']')) return true;
    do {
      value.items.emplace_back();
      if (!read(value.items.back(), depth + 1)) return false;
    } while (next(','));
    return next(']') || fail("a bracket is missing");
  }
  bool quoted(std::string& out) {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) return fail("a control character is in a string");
      if (text_[at_] == '\\') {
        ++at_;
        if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\\' && text_[at_] != '/'))
          return fail("only \\\", \\\\ and \\/ may be escaped");
      }
      out += text_[at_];
    }
    if (at_ >= text_.size()) return fail("a string does not end");
    ++at_;
    return true;
  }
  bool digit() const {
    return at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
  }
  // The digits from here on.
  std::string_view digits() {
    const size_t from = at_;
    while (digit()) ++at_;
    return text_.substr(from, at_ - from);
  }
  bool exponent(int& power) {
    if (!word("e") && !word("E")) return true;
    const bool down = word("-");
    if (!down) word("+");
    if (!digit()) return fail("a digit is missing");
    for (const char c : digits()) power = std::min(power * 10 + (c - '0'), kFarthest);
    if (down) power = -power;
    return true;
  }
  bool number(Json& value) {
    value.kind = Json::Kind::number;
    value.negative = word("-");
    if (!digit()) return fail("a digit is missing");
    const std::string_view whole = digits();
    const std::string_view part = word(".") ? digits() : std::string_view();
    int power = 0;
    if (!exponent(power)) return false;
    // Where the point is among all digits.
    const int64_t point = static_cast<int64_t>(whole.size()) + power;
    uint64_t billionths = 0;
    for (size_t i = 0; i < whole.size() + part.size(); ++i) {
      const uint64_t d = static_cast<uint64_t>((i < whole.size() ? whole[i] : part[i - whole.size()]) - '0');
      if (d == 0) continue;
      const int64_t place = point - 1 - static_cast<int64_t>(i);  // d is worth d * 10^place
      if (place < -kDecimals) return fail("a number has more than nine decimals");
      if (place >= 13) return fail("a number is too large");
      uint64_t worth = d;
      for (int64_t n = place < 0 ? place + kDecimals : place; n > 0; --n) worth *= 10;
      (place < 0 ? billionths : value.whole) += worth;
    }
    value.billionths = static_cast<uint32_t>(billionths);
    return value.whole <= kLargest || fail("a number is too large");
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
  for (const auto& [key, value] : members) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::expected<Json, std::string> parse_json(std::string_view text) { return Reader(text).whole(); }

std::string decimal_text(uint64_t millionths) {
  std::string text = std::to_string(millionths / 1'000'000);
  if (millionths % 1'000'000 == 0) return text;
  text += '.' + std::to_string(1'000'000 + millionths % 1'000'000).substr(1);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

void JsonLine::name(std::string_view name) {
  const char last = out_.back();
  if (last != '{' && last != '[') out_ += ',';
  if (!name.empty()) out_ += uroce::json_quoted(std::string(name)) + ':';
}

JsonLine& JsonLine::text(std::string_view n, std::string_view value) {
  name(n);
  out_ += uroce::json_quoted(std::string(value));
  return *this;
}

JsonLine& JsonLine::number(std::string_view n, uint64_t value) {
  name(n);
  out_ += std::to_string(value);
  return *this;
}

JsonLine& JsonLine::decimal(std::string_view n, uint64_t value, unsigned decimals) {
  name(n);
  uint64_t unit = 1;
  for (unsigned i = 0; i < decimals; ++i) unit *= 10;
  out_ += std::to_string(value / unit);
  std::string part = std::to_string(value % unit);
  if (value % unit != 0) out_ += '.' + std::string(decimals - part.size(), '0') + part;
  return *this;
}

JsonLine& JsonLine::boolean(std::string_view n, bool value) {
  name(n);
  out_ += value ? "true" : "false";
  return *this;
}

JsonLine& JsonLine::hex(std::string_view n, uint64_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string digits(16, '0');
  for (size_t i = 16; i-- > 0; value >>= 4) digits[i] = kDigits[value & 15];
  return text(n, digits);
}

JsonLine& JsonLine::open(std::string_view n, char bracket) {
  name(n);
  out_ += bracket;
  return *this;
}

JsonLine& JsonLine::close(char bracket) {
  out_ += bracket;
  return *this;
}

}  // namespace vlsim
