// A measuring loop over verbs.
#pragma once

#include <memory>

#include "addon/loop_host.h"

namespace addon {

class LoopWrap : public Napi::ObjectWrap<LoopWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit LoopWrap(const Napi::CallbackInfo& info);

 private:
  void stop(const Napi::CallbackInfo& info);
  Napi::Value running(const Napi::CallbackInfo& info);
  std::unique_ptr<LoopHost> host_;
};

}  // namespace addon
