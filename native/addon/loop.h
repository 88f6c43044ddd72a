// A measuring loop, over verbs or sockets.
#pragma once

#include <memory>

#include "addon/loop_host.h"

namespace addon {

class LoopWrap : public Napi::ObjectWrap<LoopWrap> {
 public:
  // The classes Loop, TcpLoop and UdpLoop, which differ in their options.
  static void define(Napi::Env env, Napi::Object& exports);
  explicit LoopWrap(const Napi::CallbackInfo& info);

 private:
  void stop(const Napi::CallbackInfo& info);
  Napi::Value running(const Napi::CallbackInfo& info);
  std::unique_ptr<LoopHost> host_;
};

}  // namespace addon
