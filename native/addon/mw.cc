#include "addon/mw.h"

#include <cerrno>

#include "addon/args.h"
#include "addon/pd.h"

namespace addon {

Napi::Function MwWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Mw",
      {InstanceMethod<&MwWrap::close>("close"), InstanceAccessor("closed", &MwWrap::closed, nullptr),
       InstanceAccessor<&MwWrap::rkey>("rkey")});
}

MwWrap::MwWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const char* const call = "ibv_alloc_mw";
  const auto& pd = PdWrap::from(info[0], "pd").open(call);
  auto res = std::make_shared<MwRes>();
  res->pd = pd;
  if (pd->context->context->ops.alloc_mw == nullptr) throw_errno(info.Env(), EOPNOTSUPP, call);
  errno = 0;
  res->mw = ibv_alloc_mw(pd->pd, static_cast<ibv_mw_type>(integer<int>(info[1], "type")));
  if (res->mw == nullptr) throw_errno(info.Env(), errno, call);
  res->of_pd = ChildOf(&pd->children);
  resource_ = std::move(res);
}

void MwWrap::close(const Napi::CallbackInfo&) {
  if (!resource_) return;
  const uint32_t last = resource_->mw->rkey;
  destroy(0);
  rkey_ = last;
}

Napi::Value MwWrap::rkey(const Napi::CallbackInfo& info) {
  return js(info.Env(), resource_ ? resource_->mw->rkey : rkey_);
}

}  // namespace addon
