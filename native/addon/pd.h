// A protection domain.
#pragma once

#include "addon/resources.h"
#include "addon/wrap.h"

namespace addon {

class PdWrap : public Wrapped<PdWrap, PdRes> {
 public:
  static constexpr const char* kName = "Pd";
  static constexpr const char* kDestroy = "ibv_dealloc_pd";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d03, 0x9c51a6b0d3f04e03};
  static Napi::Function define(Napi::Env env);
  explicit PdWrap(const Napi::CallbackInfo& info);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value children(const Napi::CallbackInfo& info);
  Napi::Value handle(const Napi::CallbackInfo& info);
};

}  // namespace addon
