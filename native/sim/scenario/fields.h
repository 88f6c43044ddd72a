// Reads the members of an object of JSON, each once, and says in one sentence what is wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/json.h"

namespace vlsim {

class Fields {
 public:
  // where: the path of the object, for messages. error: stays empty while all is right.
  Fields(const Json& object, std::string where, std::string* error)
      : object_(object), where_(std::move(where)), error_(error) {
    if (object.kind != Json::Kind::object) fail("", "must be an object");
  }

  // A number times multiplier / divisor, from low to high; both limits are meant before that.
  template <class T>
  void number(std::string_view name, T* out, uint64_t low, uint64_t high, uint64_t multiplier = 1,
              uint64_t divisor = 1) {
    const Json* value = take(name, Json::Kind::number, "must be a number");
    if (value == nullptr) return;
    const int64_t n = value->millionths;
    if (n < static_cast<int64_t>(low * kMillion) || n > static_cast<int64_t>(high * kMillion))
      return fail(name, "must be from " + std::to_string(low) + " to " + std::to_string(high));
    // Multiplied in two parts, so that nothing overflows.
    const auto m = static_cast<uint64_t>(n);
    *out =
        static_cast<T>(m / kMillion * multiplier / divisor + m % kMillion * multiplier / divisor / kMillion);
  }
  void boolean(std::string_view name, bool* out) {
    if (const Json* value = take(name, Json::Kind::boolean, "must be true or false")) *out = value->boolean;
  }
  void text(std::string_view name, std::string* out) {
    if (const Json* value = take(name, Json::Kind::text, "must be a string")) *out = value->text;
  }
  // One of a list of words.
  template <class E>
  void word(std::string_view name, E* out, const std::vector<std::pair<std::string_view, E>>& words) {
    std::string text;
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
  void object(std::string_view name, F&& f) {
    const Json* value = take(name, Json::Kind::object, "must be an object");
    if (value == nullptr) return;
    Fields inner(*value, path(name), error_);
    f(inner);
    inner.end();
  }
  // Calls f(Fields&) for each object of the array.
  template <class F>
  void each(std::string_view name, size_t most, F&& f) {
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
  bool has(std::string_view name) const { return object_.find(name) != nullptr; }
  void fail(std::string_view name, const std::string& what) {
    if (error_->empty()) *error_ = path(name) + " " + what + ".";
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

  const Json& object_;
  std::string where_;
  std::string* error_;
  std::vector<std::string_view> known_;
};

}  // namespace vlsim
