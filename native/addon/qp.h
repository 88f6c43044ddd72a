// A queue pair.
#pragma once

#include "addon/resources.h"
#include "addon/wrap.h"

namespace addon {

class QpWrap : public Wrapped<QpWrap, QpRes> {
 public:
  static constexpr const char* kName = "Qp";
  static constexpr const char* kDestroy = "ibv_destroy_qp";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d07, 0x9c51a6b0d3f04e07};
  static Napi::Function define(Napi::Env env);
  explicit QpWrap(const Napi::CallbackInfo& info);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value qpn(const Napi::CallbackInfo& info);
  Napi::Value max_send_wr(const Napi::CallbackInfo& info);
  Napi::Value max_recv_wr(const Napi::CallbackInfo& info);
  Napi::Value max_inline_data(const Napi::CallbackInfo& info);
  void modify(const Napi::CallbackInfo& info);
  Napi::Value query(const Napi::CallbackInfo& info);
  void post_send(const Napi::CallbackInfo& info);
  void post_extended(const Napi::CallbackInfo& info);
  void post_recv(const Napi::CallbackInfo& info);
  void bind_mw(const Napi::CallbackInfo& info);
  void attach_mcast(const Napi::CallbackInfo& info);
  void detach_mcast(const Napi::CallbackInfo& info);
  void create_extended(QpRes& res, ibv_qp_init_attr_ex& attr);
  bool datagram() const;
  const std::shared_ptr<QpRes>& idle(const char* call) const;
  std::string described() const;

  uint32_t qpn_ = 0;
  ibv_qp_cap cap_{};
};

}  // namespace addon
