#include "addon/env.h"

#include <cerrno>

namespace addon {

EnvData& env_data(Napi::Env env) { return *env.GetInstanceData<EnvData>(); }

Napi::Value make_error(Napi::Env env, const vlbench::Failure& failure) {
  EnvData& data = env_data(env);
  if (data.error_factory.IsEmpty())
    return Napi::Error::New(env, failure.call + ": errno " + std::to_string(failure.error_number)).Value();
  return data.error_factory.Call(
      {Napi::Number::New(env, failure.error_number), Napi::String::New(env, failure.call),
       Napi::String::New(env, failure.detail), Napi::Number::New(env, failure.wc_status),
       Napi::Number::New(env, failure.vendor_error)});
}

void throw_failure(Napi::Env env, const vlbench::Failure& failure) {
  throw Napi::Error(env, make_error(env, failure));
}

void throw_errno(Napi::Env env, int err, const char* call, const std::string& detail) {
  // Some providers fail without saying why.
  throw_failure(env, vlbench::Failure(err == 0 ? EIO : err, call, detail));
}

}  // namespace addon
