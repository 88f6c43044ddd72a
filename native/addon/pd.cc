#include "addon/pd.h"

#include <cerrno>

#include "addon/args.h"
#include "addon/context.h"

namespace addon {

Napi::Function PdWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Pd",
      {InstanceMethod<&PdWrap::close>("close"), InstanceAccessor("closed", &PdWrap::closed, nullptr),
       InstanceAccessor<&PdWrap::children>("children"), InstanceAccessor<&PdWrap::handle>("handle")});
}

PdWrap::PdWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const auto& context = ContextWrap::from(info[0], "context").open("ibv_alloc_pd");
  auto res = std::make_shared<PdRes>();
  res->context = context;
  errno = 0;
  res->pd = context->verbs->alloc_pd(context->context);
  if (res->pd == nullptr) throw_errno(info.Env(), errno, "ibv_alloc_pd");
  res->of_context = ChildOf(&context->children);
  resource_ = std::move(res);
}

void PdWrap::close(const Napi::CallbackInfo&) {
  if (resource_) destroy(resource_->children);
}

Napi::Value PdWrap::children(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), resource_ ? resource_->children : 0);
}

Napi::Value PdWrap::handle(const Napi::CallbackInfo& info) {
  return js(info.Env(), open("ibv_alloc_pd")->pd->handle);
}

}  // namespace addon
