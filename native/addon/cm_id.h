// An id of the connection manager: a connection, a listener, or a datagram service.
#pragma once

#include "addon/cm_resources.h"
#include "addon/wrap.h"

namespace addon {

class CmIdWrap : public Wrapped<CmIdWrap, CmIdRes> {
 public:
  static constexpr const char* kName = "CmId";
  static constexpr const char* kDestroy = "rdma_destroy_id";
  static constexpr napi_type_tag kTag{0x7ad38a1f9a0b4d0c, 0x9c51a6b0d3f04e0c};
  static Napi::Function define(Napi::Env env);
  // (channel, port space); requests come from adopt().
  explicit CmIdWrap(const Napi::CallbackInfo& info);
  // The id of a request, which has its token already.
  static Napi::Object adopt(Napi::Env env, const std::shared_ptr<CmIdRes>& request, uint32_t token);

 private:
  void close(const Napi::CallbackInfo& info);
  Napi::Value token(const Napi::CallbackInfo& info);
  Napi::Value bound(const Napi::CallbackInfo& info);
  Napi::Value open_context(const Napi::CallbackInfo& info);
  void bind(const Napi::CallbackInfo& info);
  void resolve_addr(const Napi::CallbackInfo& info);
  void resolve_route(const Napi::CallbackInfo& info);
  void connect(const Napi::CallbackInfo& info);
  void listen(const Napi::CallbackInfo& info);
  void accept(const Napi::CallbackInfo& info);
  void reject(const Napi::CallbackInfo& info);
  void disconnect(const Napi::CallbackInfo& info);
  void done(int result, const char* call, const std::string& detail = {}) const;

  uint32_t token_ = 0;
};

}  // namespace addon
