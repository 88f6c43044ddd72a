// Reads the members of an object of JSON, each once, and says in one sentence what is wrong. The same calls describe them:
// then nothing is read, and a JSON Schema with the same names, limits and defaults is made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/json.h"

namespace vlsim {

// A JSON Schema of an object, as far as it is made.
struct ObjectSchema {
  bool defaults = true;  // false: what is left out has no value of its own
  std::string members;   // text of "properties"
  std::string rest;      // behind them

  std::string whole() const;
};

class Fields {
 public:
  // where: the path of the object, for messages. error: stays empty while all is right.
  Fields(const Json& object, std::string where, std::string* error)
      : object_(object), where_(std::move(where)), error_(error) {
    if (object.kind != Json::Kind::object) fail("", "must be an object");
  }
  explicit Fields(ObjectSchema* schema) : object_(kNothing), error_(&unused_), schema_(schema) {}

  // A number times multiplier / divisor, from low to high; both limits are meant before that.
  template <class T>
  void number(std::string_view name, T* out, uint64_t low, uint64_t high, uint64_t multiplier = 1,
              uint64_t divisor = 1) {
    if (schema_ != nullptr) {
      using Wide = unsigned __int128;
      const Wide n = Wide{*out} * kMillion * divisor / multiplier;
      const bool has_default = schema_->defaults && n >= Wide{low} * kMillion && n <= Wide{high} * kMillion;
      return describe(name,
                      "\"type\":\"number\",\"minimum\":" + std::to_string(low) +
                          ",\"maximum\":" + std::to_string(high) +
                          (has_default ? ",\"default\":" + decimal_text(static_cast<uint64_t>(n)) : ""));
    }
    const Json* value = take(name, Json::Kind::number, "must be a number");
    if (value == nullptr) return;
    const uint64_t n = value->whole, part = value->billionths;
    const bool below = n < low || (value->negative && (n != 0 || part != 0));
    if (below || n > high || (n == high && part != 0))
      return fail(name, "must be from " + std::to_string(low) + " to " + std::to_string(high));
    // Multiplied in two parts, so that nothing overflows.
    *out = static_cast<T>(n * multiplier / divisor + part * multiplier / divisor / 1'000'000'000);
  }
  // A number that must be one of these; the others have passed its limits.
  void only(std::string_view name, uint64_t value, const std::vector<uint64_t>& values) {
    std::string text, list;
    for (size_t i = 0; i < values.size(); ++i) {
      text += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + std::to_string(values[i]);
      list += (i == 0 ? "" : ",") + std::to_string(values[i]);
    }
    if (schema_ != nullptr) {
      schema_->members.insert(schema_->members.size() - 1, ",\"enum\":[" + list + "]");
    } else if (std::find(values.begin(), values.end(), value) == values.end()) {
      fail(name, "must be " + text);
    }
  }
  void boolean(std::string_view name, bool* out) {
    if (schema_ != nullptr) {
      const char* const preset = !schema_->defaults ? "" : *out ? ",\"default\":true" : ",\"default\":false";
      return describe(name, std::string("\"type\":\"boolean\"") + preset);
    }
    if (const Json* value = take(name, Json::Kind::boolean, "must be true or false")) *out = value->boolean;
  }
  void text(std::string_view name, std::string* out) {
    if (schema_ != nullptr) return describe(name, "\"type\":\"string\"");
    if (const Json* value = take(name, Json::Kind::text, "must be a string")) *out = value->text;
  }
  // A word of a list.
  template <class E>
  void word(std::string_view name, E* out, const std::vector<std::pair<std::string_view, E>>& words) {
    if (schema_ != nullptr) return describe_words(name, *out, words);
    const Json* value = take(name, Json::Kind::text, "must be a string");
    if (value == nullptr) return;
    std::string known;
    for (const auto& [one, meaning] : words) {
      if (one == value->text) {
        *out = meaning;
        return;
      }
      known += (known.empty() ? "" : ", ") + std::string(one);
    }
    fail(name, "must be one of " + known);
  }
  // Calls f(Fields&) for the object of that name, if there is one.
  template <class F>
  void object(std::string_view name, F&& f, bool defaults = true) {
    if (schema_ != nullptr) {
      ObjectSchema schema{defaults, "", ""};
      Fields inner(&schema);
      f(inner);
      return describe(name, schema.whole());
    }
    const Json* value = take(name, Json::Kind::object, "must be an object");
    if (value == nullptr) return;
    Fields inner(*value, path(name), error_);
    f(inner);
    inner.end();
  }
  // Calls f(Fields&) for each object of the array.
  template <class F>
  void each(std::string_view name, size_t most, F&& f, bool defaults = true) {
    if (schema_ != nullptr) {
      ObjectSchema schema{defaults, "", ""};
      Fields inner(&schema);
      f(inner);
      return describe(name, "\"type\":\"array\",\"maxItems\":" + std::to_string(most) + ",\"items\":{" +
                                schema.whole() + "}");
    }
    const Json* value = take(name, Json::Kind::array, "must be an array");
    if (value == nullptr) return;
    if (value->items.size() > most)
      return fail(name, "may have at most " + std::to_string(most) + " entries");
    for (size_t i = 0; i < value->items.size(); ++i) {
      Fields inner(value->items[i], path(name) + "[" + std::to_string(i) + "]", error_);
      if (error_->empty()) f(inner);
      inner.end();
    }
  }
  // True if it is there, or described.
  bool has(std::string_view name) const { return schema_ != nullptr || object_.find(name) != nullptr; }
  // Exactly one of these members must be there.
  void exactly_one(const std::vector<std::string_view>& names) {
    std::string list, schemas;
    size_t given = 0;
    for (const std::string_view name : names) {
      list += (list.empty() ? "" : ", ") + std::string(name);
      const std::string quoted = "\"" + std::string(name) + "\"";
      // Some readers of schemas look at `required` only together with `properties`.
      schemas += (schemas.empty() ? "" : ",") +
                 ("{\"type\":\"object\",\"properties\":{" + quoted + ":{}},\"required\":[" + quoted + "]}");
      given += has(name);
    }
    if (schema_ != nullptr) {
      schema_->rest += ",\"oneOf\":[" + schemas + "]";
    } else if (given != 1) {
      fail("", "must have exactly one of " + list);
    }
  }
  void fail(std::string_view name, const std::string& what) {
    if (schema_ == nullptr && error_->empty()) *error_ = path(name) + " " + what + ".";
  }
  // Complains of names that nothing has read.
  void end() {
    for (const auto& [name, value] : object_.members) {
      if (std::find(known_.begin(), known_.end(), name) == known_.end()) fail(name, "is not known");
    }
  }

 private:
  static constexpr uint64_t kMillion = 1'000'000;
  std::string path(std::string_view name) const {
    std::string full =
        where_.empty() || name.empty() ? where_ + std::string(name) : where_ + "." + std::string(name);
    return full.empty() ? "The scenario" : full;
  }
  const Json* take(std::string_view name, Json::Kind kind, const char* otherwise) {
    known_.push_back(name);
    const Json* value = object_.find(name);
    if (value == nullptr) return nullptr;
    if (value->kind == kind) return value;
    fail(name, otherwise);
    return nullptr;
  }

  // A member of the schema, without its braces.
  void describe(std::string_view name, const std::string& schema) {
    schema_->members += (schema_->members.empty() ? "\"" : ",\"") + std::string(name) + "\":{" + schema + "}";
  }
  template <class E>
  void describe_words(std::string_view name, E now,
                      const std::vector<std::pair<std::string_view, E>>& words) {
    std::string list, preset;
    for (const auto& [one, meaning] : words) {
      list += (list.empty() ? "\"" : ",\"") + std::string(one) + "\"";
      if (meaning == now && schema_->defaults) preset = ",\"default\":\"" + std::string(one) + "\"";
    }
    describe(name, "\"type\":\"string\",\"enum\":[" + list + "]" + preset);
  }

  static const Json kNothing;
  const Json& object_;
  std::string where_;
  std::string unused_;
  std::string* error_;
  ObjectSchema* schema_ = nullptr;
  std::vector<std::string_view> known_;
};

inline const Json Fields::kNothing{};

inline std::string ObjectSchema::whole() const {
  return "\"type\":\"object\",\"properties\":{" + members + "},\"additionalProperties\":false" + rest;
}

}  // namespace vlsim
