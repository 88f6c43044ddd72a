// State of the addon for each JavaScript thread, and throwing of errors.
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
  Napi::FunctionReference cm_id_class;    // also made of connection requests
};

EnvData& env_data(Napi::Env env);

// Throws the result of the error factory; see NativeErrorFactory in packages/verbs/src/native/binding.ts.
[[noreturn]] void throw_errno(Napi::Env env, int err, const char* call, const std::string& detail = {});
Napi::Value make_error(Napi::Env env, const vlbench::Failure& failure);
[[noreturn]] void throw_failure(Napi::Env env, const vlbench::Failure& failure);
// Check of calls that return 0 or an errno value.
inline void check(Napi::Env env, int err, const char* call, const std::string& detail = {}) {
  if (err != 0) throw_errno(env, err, call, detail);
}

}  // namespace addon
