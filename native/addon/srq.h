// A shared receive queue.
#pragma once

#include "addon/resources.h"
#include "addon/wrap.h"

namespace addon {

class SrqWrap : public Wrapped<SrqWrap, SrqRes> {
 public:
  static constexpr const char* kName = "Srq";
  static constexpr const char* kDestroy = "ibv_destroy_srq";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d09, 0x9c51a6b0d3f04e09};
  static Napi::Function define(Napi::Env env);
  explicit SrqWrap(const Napi::CallbackInfo& info);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value children(const Napi::CallbackInfo& info);
  Napi::Value token(const Napi::CallbackInfo& info);
  void modify(const Napi::CallbackInfo& info);
  Napi::Value query(const Napi::CallbackInfo& info);
  void post_recv(const Napi::CallbackInfo& info);
  uint32_t token_ = 0;
};

}  // namespace addon
