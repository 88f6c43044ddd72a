// An opened device.
#pragma once

#include <memory>

#include "addon/resources.h"
#include "addon/watcher.h"
#include "addon/wrap.h"

namespace addon {

class ContextWrap : public Wrapped<ContextWrap, ContextRes> {
 public:
  static constexpr const char* kName = "Context";
  static constexpr const char* kDestroy = "ibv_close_device";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d02, 0x9c51a6b0d3f04e02};
  static Napi::Function define(Napi::Env env);
  explicit ContextWrap(const Napi::CallbackInfo& info);
  // A context that the connection manager opened.
  static Napi::Object borrow(Napi::Env env, const std::shared_ptr<CmDevicesRes>& owner, ibv_context* context);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value children(const Napi::CallbackInfo& info);
  Napi::Value query_device(const Napi::CallbackInfo& info);
  Napi::Value query_port(const Napi::CallbackInfo& info);
  Napi::Value query_gid(const Napi::CallbackInfo& info);
  Napi::Value query_gid_type(const Napi::CallbackInfo& info);
  Napi::Value query_pkey(const Napi::CallbackInfo& info);
  void watch_events(const Napi::CallbackInfo& info);
  void set_ref(const Napi::CallbackInfo& info);

  // After resource_ in the base, so that the thread is gone before the context is.
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace addon
