#include "addon/cq.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "addon/args.h"
#include "addon/comp_channel.h"
#include "addon/context.h"

namespace addon {

Napi::Function CqWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Cq",
      {InstanceMethod<&CqWrap::close>("close"), InstanceAccessor("closed", &CqWrap::closed, nullptr),
       InstanceAccessor<&CqWrap::children>("children"), InstanceAccessor<&CqWrap::depth>("depth"),
       InstanceAccessor<&CqWrap::token>("token"), InstanceMethod<&CqWrap::poll>("poll"),
       InstanceMethod<&CqWrap::req_notify>("reqNotify"), InstanceMethod<&CqWrap::resize>("resize")});
}

CqWrap::CqWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const auto& context = ContextWrap::from(info[0], "context").open("ibv_create_cq");
  const auto depth = integer<int>(info[1], "depth");
  auto res = std::make_shared<CqRes>();
  res->context = context;
  res->token = token_ = next_token();
  if (!info[2].IsNull()) res->channel = CompChannelWrap::from(info[2], "channel").open("ibv_create_cq");
  errno = 0;
  res->cq = context->verbs->create_cq(context->context, depth, reinterpret_cast<void*>(uintptr_t{token_}),
                                      res->channel ? res->channel->channel : nullptr,
                                      integer<int>(info[3], "vector"));
  if (res->cq == nullptr) throw_errno(info.Env(), errno, "ibv_create_cq", std::to_string(depth) + " entries");
  res->of_context = ChildOf(&context->children);
  if (res->channel) res->of_channel = ChildOf(&res->channel->children);
  resource_ = std::move(res);
}

void CqWrap::close(const Napi::CallbackInfo&) {
  if (resource_) destroy(resource_->children + resource_->users);
}

Napi::Value CqWrap::children(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), resource_ ? resource_->children : 0);
}

Napi::Value CqWrap::depth(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), open("ibv_create_cq")->cq->cqe);
}

Napi::Value CqWrap::token(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), token_); }

Napi::Value CqWrap::poll(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& res = open("ibv_poll_cq");
  if (res->users != 0) throw_errno(env, EBUSY, "ibv_poll_cq", "a measuring loop has exclusive use of the CQ");
  const auto max = std::max(1, integer<int>(info[0], "max"));
  std::vector<ibv_wc> wcs(static_cast<size_t>(max));
  const int got = ibv_poll_cq(res->cq, max, wcs.data());
  if (got < 0) throw_errno(env, EIO, "ibv_poll_cq");
  Napi::Array out = Napi::Array::New(env, static_cast<size_t>(got));
  for (int i = 0; i < got; ++i) {
    const ibv_wc& wc = wcs[static_cast<size_t>(i)];
    Napi::Object object = Napi::Object::New(env);
    object["wrId"] = Napi::BigInt::New(env, wc.wr_id);
    object["status"] = static_cast<int>(wc.status);
    object["opcode"] = static_cast<int>(wc.opcode);
    object["vendorError"] = js(env, wc.vendor_err);
    object["byteLength"] = js(env, wc.byte_len);
    object["qpn"] = js(env, wc.qp_num);
    object["sourceQpn"] = js(env, wc.src_qp);
    object["flags"] = js(env, wc.wc_flags);
    // Immediate data and rkey share a union: the flags say which of the two it is.
    object["immediate"] = js(env, ntohl(wc.imm_data));
    object["invalidatedRkey"] = js(env, wc.invalidated_rkey);
    object["slid"] = static_cast<int>(wc.slid);
    object["sl"] = static_cast<int>(wc.sl);
    object["pathBits"] = static_cast<int>(wc.dlid_path_bits);
    out[static_cast<uint32_t>(i)] = object;
  }
  return out;
}

void CqWrap::resize(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_resize_cq");
  if (res->users != 0)
    throw_errno(info.Env(), EBUSY, "ibv_resize_cq", "a measuring loop has exclusive use of the CQ");
  const auto depth = integer<int>(info[0], "depth");
  const int rc = res->context->verbs->resize_cq(res->cq, depth);
  check(info.Env(), rc < 0 ? errno : rc, "ibv_resize_cq", std::to_string(depth) + " entries");
}

void CqWrap::req_notify(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_req_notify_cq");
  check(info.Env(), ibv_req_notify_cq(res->cq, boolean(info[0], "solicitedOnly") ? 1 : 0),
        "ibv_req_notify_cq");
}

}  // namespace addon
