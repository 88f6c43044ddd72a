// A completion queue.
#pragma once

#include "addon/resources.h"
#include "addon/wrap.h"

namespace addon {

class CqWrap : public Wrapped<CqWrap, CqRes> {
 public:
  static constexpr const char* kName = "Cq";
  static constexpr const char* kDestroy = "ibv_destroy_cq";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d06, 0x9c51a6b0d3f04e06};
  static Napi::Function define(Napi::Env env);
  explicit CqWrap(const Napi::CallbackInfo& info);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value children(const Napi::CallbackInfo& info);
  Napi::Value depth(const Napi::CallbackInfo& info);
  Napi::Value token(const Napi::CallbackInfo& info);
  Napi::Value poll(const Napi::CallbackInfo& info);
  void req_notify(const Napi::CallbackInfo& info);
  void resize(const Napi::CallbackInfo& info);
  uint32_t token_ = 0;
};

}  // namespace addon
