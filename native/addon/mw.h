// A memory window: rights to a part of a memory region, under a key of its own.
#pragma once

#include "addon/resources.h"
#include "addon/wrap.h"

namespace addon {

class MwWrap : public Wrapped<MwWrap, MwRes> {
 public:
  static constexpr const char* kName = "Mw";
  static constexpr const char* kDestroy = "ibv_dealloc_mw";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d0a, 0x9c51a6b0d3f04e0a};
  static Napi::Function define(Napi::Env env);
  explicit MwWrap(const Napi::CallbackInfo& info);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value rkey(const Napi::CallbackInfo& info);
  uint32_t rkey_ = 0;
};

}  // namespace addon
