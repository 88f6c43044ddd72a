// A loaded verbs library, and the devices it lists.
#pragma once

#include <napi.h>

#include <memory>

#include "addon/resources.h"

namespace addon {

class LibraryWrap : public Napi::ObjectWrap<LibraryWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit LibraryWrap(const Napi::CallbackInfo& info);

 private:
  Napi::Value path(const Napi::CallbackInfo& info);
  Napi::Value devices(const Napi::CallbackInfo& info);
  Library verbs_;
};

class DeviceWrap : public Napi::ObjectWrap<DeviceWrap> {
 public:
  static constexpr const char* kName = "Device";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d01, 0x9c51a6b0d3f04e01};
  struct Handle {
    std::shared_ptr<DeviceListRes> list;
    ibv_device* device;
  };

  static Napi::Function define(Napi::Env env);
  explicit DeviceWrap(const Napi::CallbackInfo& info);
  static DeviceWrap& from(const Napi::Value& value);
  const Handle& handle() const noexcept { return handle_; }

 private:
  Napi::Value name(const Napi::CallbackInfo& info);
  Napi::Value guid(const Napi::CallbackInfo& info);
  Napi::Value node_type(const Napi::CallbackInfo& info);
  Napi::Value transport(const Napi::CallbackInfo& info);
  Napi::Value sysfs_path(const Napi::CallbackInfo& info);
  Napi::Value extensions(const Napi::CallbackInfo& info);
  Handle handle_;
};

}  // namespace addon
