// A memory region, over memory of the addon or of JavaScript.
#pragma once

#include "addon/resources.h"
#include "addon/wrap.h"

namespace addon {

class MrWrap : public Wrapped<MrWrap, MrRes> {
 public:
  static constexpr const char* kName = "Mr";
  static constexpr const char* kDestroy = "ibv_dereg_mr";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d04, 0x9c51a6b0d3f04e04};
  static Napi::Function define(Napi::Env env);
  explicit MrWrap(const Napi::CallbackInfo& info);

 private:
  // Place of a region: memory of the addon if `memory` is set.
  struct Place {
    std::shared_ptr<Memory> memory;
    Napi::Object keeper;
    void* data = nullptr;
    size_t length = 0;
    size_t byte_offset = 0;
  };
  Place make_place(const Napi::Value& in, bool huge) const;
  void settle(const Place& place);
  void detach();
  void close(const Napi::CallbackInfo& info);
  void rereg(const Napi::CallbackInfo& info);
  void replace_pages(const Napi::CallbackInfo& info);
  Napi::Value addr(const Napi::CallbackInfo& info);
  Napi::Value length(const Napi::CallbackInfo& info);
  Napi::Value lkey(const Napi::CallbackInfo& info);
  Napi::Value rkey(const Napi::CallbackInfo& info);
  Napi::Value buffer(const Napi::CallbackInfo& info);
  Napi::Value byte_offset(const Napi::CallbackInfo& info);

  // Keeps the memory alive: the addon's ArrayBuffer, or the caller's view. Released after the region is
  // deregistered.
  Napi::ObjectReference keeper_;
  bool own_ = false;
  size_t byte_offset_ = 0;
  uint64_t addr_ = 0;
  size_t length_ = 0;
  uint32_t lkey_ = 0;
  uint32_t rkey_ = 0;
};

}  // namespace addon
