#include "addon/srq.h"

#include <cerrno>

#include "addon/args.h"
#include "addon/pd.h"
#include "addon/work.h"

namespace addon {

Napi::Function SrqWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Srq",
      {InstanceMethod<&SrqWrap::close>("close"), InstanceAccessor("closed", &SrqWrap::closed, nullptr),
       InstanceAccessor<&SrqWrap::children>("children"), InstanceAccessor<&SrqWrap::token>("token"),
       InstanceMethod<&SrqWrap::modify>("modify"), InstanceMethod<&SrqWrap::query>("query"),
       InstanceMethod<&SrqWrap::post_recv>("postRecv")});
}

SrqWrap::SrqWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const auto& pd = PdWrap::from(info[0], "pd").open("ibv_create_srq");
  ibv_srq_init_attr attr{};
  attr.attr.max_wr = integer<uint32_t>(info[1], "maxWr");
  attr.attr.max_sge = integer<uint32_t>(info[2], "maxSge");
  token_ = next_token();
  attr.srq_context = reinterpret_cast<void*>(uintptr_t{token_});
  auto res = std::make_shared<SrqRes>();
  res->pd = pd;
  errno = 0;
  res->srq = pd->context->verbs->create_srq(pd->pd, &attr);
  if (res->srq == nullptr) throw_errno(info.Env(), errno, "ibv_create_srq");
  res->of_pd = ChildOf(&pd->children);
  resource_ = std::move(res);
}

void SrqWrap::close(const Napi::CallbackInfo&) {
  if (resource_) destroy(resource_->children);
}

Napi::Value SrqWrap::children(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), resource_ ? resource_->children : 0);
}

Napi::Value SrqWrap::token(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), token_); }

// (maxWr, limit), each a number or undefined
void SrqWrap::modify(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_modify_srq");
  ibv_srq_attr attr{};
  int mask = 0;
  if (info[0].IsNumber()) {
    attr.max_wr = integer<uint32_t>(info[0], "maxWr");
    mask |= IBV_SRQ_MAX_WR;
  }
  if (info[1].IsNumber()) {
    attr.srq_limit = integer<uint32_t>(info[1], "limit");
    mask |= IBV_SRQ_LIMIT;
  }
  const int rc = res->pd->context->verbs->modify_srq(res->srq, &attr, mask);
  check(info.Env(), rc < 0 ? errno : rc, "ibv_modify_srq");
}

Napi::Value SrqWrap::query(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& res = open("ibv_query_srq");
  ibv_srq_attr attr{};
  const int rc = res->pd->context->verbs->query_srq(res->srq, &attr);
  check(env, rc < 0 ? errno : rc, "ibv_query_srq");
  Napi::Object out = Napi::Object::New(env);
  out["maxWr"] = js(env, attr.max_wr);
  out["maxSge"] = js(env, attr.max_sge);
  out["limit"] = js(env, attr.srq_limit);
  return out;
}

void SrqWrap::post_recv(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_post_srq_recv");
  RecvList list(info[0]);
  if (list.wrs.empty()) return;
  ibv_recv_wr* bad = nullptr;
  const int err = ibv_post_srq_recv(res->srq, list.wrs.data(), &bad);
  check(info.Env(), err, "ibv_post_srq_recv", "SRQ" + list.taken(bad));
}

}  // namespace addon
