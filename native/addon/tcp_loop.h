// A measuring loop over TCP.
#pragma once

#include <memory>

#include "addon/loop_host.h"

namespace addon {

class TcpLoopWrap : public Napi::ObjectWrap<TcpLoopWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit TcpLoopWrap(const Napi::CallbackInfo& info);

 private:
  void stop(const Napi::CallbackInfo& info);
  Napi::Value running(const Napi::CallbackInfo& info);
  std::unique_ptr<LoopHost> host_;
};

}  // namespace addon
