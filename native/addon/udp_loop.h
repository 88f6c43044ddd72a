// A measuring loop over UDP.
#pragma once

#include <memory>

#include "addon/loop_host.h"

namespace addon {

class UdpLoopWrap : public Napi::ObjectWrap<UdpLoopWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit UdpLoopWrap(const Napi::CallbackInfo& info);

 private:
  void stop(const Napi::CallbackInfo& info);
  Napi::Value running(const Napi::CallbackInfo& info);
  std::unique_ptr<LoopHost> host_;
};

}  // namespace addon
