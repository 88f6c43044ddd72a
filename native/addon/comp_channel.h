// A completion channel, watched by a thread of its own while a caller waits.
#pragma once

#include <memory>

#include "addon/resources.h"
#include "addon/watcher.h"
#include "addon/wrap.h"

namespace addon {

class CompChannelWrap : public Wrapped<CompChannelWrap, ChannelRes> {
 public:
  static constexpr const char* kName = "CompChannel";
  static constexpr const char* kDestroy = "ibv_destroy_comp_channel";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d05, 0x9c51a6b0d3f04e05};
  static Napi::Function define(Napi::Env env);
  explicit CompChannelWrap(const Napi::CallbackInfo& info);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value children(const Napi::CallbackInfo& info);
  Napi::Value fd(const Napi::CallbackInfo& info);
  void watch(const Napi::CallbackInfo& info);
  void set_ref(const Napi::CallbackInfo& info);

  std::unique_ptr<Watcher> watcher_;
};

}  // namespace addon
