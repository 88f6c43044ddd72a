// An address handle: where datagrams go.
#pragma once

#include "addon/resources.h"
#include "addon/wrap.h"

namespace addon {

class AhWrap : public Wrapped<AhWrap, AhRes> {
 public:
  static constexpr const char* kName = "Ah";
  static constexpr const char* kDestroy = "ibv_destroy_ah";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d08, 0x9c51a6b0d3f04e08};
  static Napi::Function define(Napi::Env env);
  explicit AhWrap(const Napi::CallbackInfo& info);

 private:
  void close(const Napi::CallbackInfo& info);
};

}  // namespace addon
