// What the addon keeps for each JavaScript thread, and how it throws.
#pragma once

#include <napi.h>

#include <string>

#include "bench/failure.h"

namespace addon {

// Instance data of an environment (main thread or worker).
struct EnvData {
  Napi::FunctionReference error_factory;
  Napi::FunctionReference device_class;   // made by Library only
  Napi::FunctionReference context_class;  // also made by CmId
  Napi::FunctionReference cm_id_class;    // also made of requests
};

EnvData& env_data(Napi::Env env);

// Throws what the error factory makes of it; see NativeErrorFactory in packages/verbs/src/native/binding.ts.
[[noreturn]] void throw_errno(Napi::Env env, int err, const char* call, const std::string& detail = {});
Napi::Value make_error(Napi::Env env, const vlbench::Failure& failure);
[[noreturn]] void throw_failure(Napi::Env env, const vlbench::Failure& failure);
// For calls that return 0 or an errno value.
inline void check(Napi::Env env, int err, const char* call, const std::string& detail = {}) {
  if (err != 0) throw_errno(env, err, call, detail);
}

}  // namespace addon
