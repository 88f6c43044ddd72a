// An event channel of the connection manager, watched by a thread of its own.
#pragma once

#include <memory>

#include "addon/cm_event.h"
#include "addon/watcher.h"
#include "addon/wrap.h"

namespace addon {

class EventChannelWrap : public Wrapped<EventChannelWrap, CmChannelRes> {
 public:
  static constexpr const char* kName = "EventChannel";
  static constexpr const char* kDestroy = "rdma_destroy_event_channel";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d0b, 0x9c51a6b0d3f04e0b};
  static Napi::Function define(Napi::Env env);
  explicit EventChannelWrap(const Napi::CallbackInfo& info);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value children(const Napi::CallbackInfo& info);
  Napi::Value fd(const Napi::CallbackInfo& info);
  void watch(const Napi::CallbackInfo& info);
  void set_ref(const Napi::CallbackInfo& info);

  // A call that is still in the event loop's queue holds it, too.
  std::shared_ptr<CmEventQueue> queue_;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace addon
