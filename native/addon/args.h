// Reading arguments. packages/verbs checks what people pass, with sentences; what comes here wrong is a
// mistake of that package, and gets a TypeError.
#pragma once

#include <napi.h>

#include <cstdint>
#include <limits>
#include <string>

namespace addon {

inline double number(const Napi::Value& value, const char* what) {
  if (!value.IsNumber()) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a number");
  return value.As<Napi::Number>().DoubleValue();
}

// Clamped to the range of T.
template <typename T>
T integer(const Napi::Value& value, const char* what) {
  const double raw = number(value, what);
  if (!(raw >= 0)) return 0;
  if (raw >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(raw);
}

// For fields that the interface fixes: what does not fit would arrive as another value.
template <typename T>
T fitting(double raw, const Napi::Env& env, const char* what) {
  if (!(raw >= 0 && raw <= static_cast<double>(std::numeric_limits<T>::max())))
    throw Napi::TypeError::New(
        env, std::string(what) + " must be from 0 to " + std::to_string(std::numeric_limits<T>::max()));
  return static_cast<T>(raw);
}

inline uint64_t big(const Napi::Value& value, const char* what) {
  if (!value.IsBigInt()) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a bigint");
  bool lossless = false;
  return value.As<Napi::BigInt>().Uint64Value(&lossless);
}

inline bool boolean(const Napi::Value& value, const char* what) {
  if (!value.IsBoolean()) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a boolean");
  return value.As<Napi::Boolean>().Value();
}

inline std::string text(const Napi::Value& value, const char* what) {
  if (!value.IsString()) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a string");
  return value.As<Napi::String>().Utf8Value();
}

inline Napi::Object object(const Napi::Value& value, const char* what) {
  if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be an object");
  return value.As<Napi::Object>();
}

inline Napi::Function function(const Napi::Value& value, const char* what) {
  if (!value.IsFunction()) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a function");
  return value.As<Napi::Function>();
}

inline Napi::Array array(const Napi::Value& value, const char* what) {
  if (!value.IsArray()) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be an array");
  return value.As<Napi::Array>();
}

inline Napi::Number js(Napi::Env env, uint64_t value) {
  return Napi::Number::New(env, static_cast<double>(value));
}

}  // namespace addon
