// The calls of uroce.h on a context, each looked up in its library; a missing call throws ENOSYS.
#pragma once

#include "addon/resources.h"
#include "addon/wrap.h"
#include "uroce/ext/uroce.h"

namespace addon {

// The arguments of ExtensionsWrap::set_faults in the format of uroce/ext/faults_bytes.h.
Napi::Value faults_bytes(const Napi::CallbackInfo& info);

class ExtensionsWrap : public Napi::ObjectWrap<ExtensionsWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit ExtensionsWrap(const Napi::CallbackInfo& info);

 private:
  Napi::Value cpu(const Napi::CallbackInfo& info);
  Napi::Value counters(const Napi::CallbackInfo& info);
  void tap_start(const Napi::CallbackInfo& info);
  Napi::Value tap_read(const Napi::CallbackInfo& info);
  void tap_stop(const Napi::CallbackInfo& info);
  void pcap_open(const Napi::CallbackInfo& info);
  void pcap_close(const Napi::CallbackInfo& info);
  void set_faults(const Napi::CallbackInfo& info);
  Napi::Value query_faults(const Napi::CallbackInfo& info);
  void stamps_start(const Napi::CallbackInfo& info);
  Napi::Value stamps_read(const Napi::CallbackInfo& info);
  void stamps_stop(const Napi::CallbackInfo& info);
  Napi::Value pinned(const Napi::CallbackInfo& info);
  Napi::Value qp_queues(const Napi::CallbackInfo& info);
  Napi::Value srq_queue(const Napi::CallbackInfo& info);
  Napi::Value cq_queue(const Napi::CallbackInfo& info);
  void set_qp_link(const Napi::CallbackInfo& info);
  Napi::Value qp_link(const Napi::CallbackInfo& info);
  void set_qp_policy(const Napi::CallbackInfo& info);
  Napi::Value qp_policy(const Napi::CallbackInfo& info);
  void send_packet(const Napi::CallbackInfo& info);

  // The function, or a throw. A weak pointer: extensions do not keep a context open.
  template <typename F>
  F* call(const char* name);
  ibv_context* context(const char* name);

  std::weak_ptr<ContextRes> context_;
};

}  // namespace addon
