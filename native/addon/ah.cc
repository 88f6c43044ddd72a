#include "addon/ah.h"

#include <cerrno>
#include <cstring>

#include "addon/address.h"
#include "addon/args.h"
#include "addon/pd.h"

namespace addon {
namespace {

// From a datagram that came: {flags, sourceQpn, slid, sl, pathBits} of its completion, and the 40 bytes before
// its payload.
ibv_ah* answering(Napi::Env env, const PdRes& pd, const Napi::Object& wc_in, const Napi::Value& bytes,
                  uint8_t port) {
  ibv_wc wc{};
  wc.wc_flags = integer<unsigned>(wc_in.Get("flags"), "flags");
  wc.src_qp = integer<uint32_t>(wc_in.Get("sourceQpn"), "sourceQpn");
  wc.slid = integer<uint16_t>(wc_in.Get("slid"), "slid");
  wc.sl = integer<uint8_t>(wc_in.Get("sl"), "sl");
  wc.dlid_path_bits = integer<uint8_t>(wc_in.Get("pathBits"), "pathBits");
  ibv_grh grh{};
  if (!bytes.IsTypedArray() || bytes.As<Napi::TypedArray>().ByteLength() < sizeof grh)
    throw Napi::TypeError::New(env, "a GRH has 40 bytes");
  std::memcpy(&grh, bytes.As<Napi::Uint8Array>().Data(), sizeof grh);
  return pd.context->verbs->create_ah_from_wc(pd.pd, &wc, &grh, port);
}

}  // namespace

Napi::Function AhWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Ah",
      {InstanceMethod<&AhWrap::close>("close"), InstanceAccessor("closed", &AhWrap::closed, nullptr)});
}

// (pd, address) or (pd, completion, grh, port)
AhWrap::AhWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const bool answer = info.Length() > 2;
  const char* const call = answer ? "ibv_create_ah_from_wc" : "ibv_create_ah";
  const auto& pd = PdWrap::from(info[0], "pd").open(call);
  const Napi::Object in = object(info[1], "address");
  auto res = std::make_shared<AhRes>();
  res->pd = pd;
  errno = 0;
  if (answer) {
    res->ah = answering(info.Env(), *pd, in, info[2], integer<uint8_t>(info[3], "port"));
  } else {
    ibv_ah_attr attr = address_vector(in);
    res->ah = pd->context->verbs->create_ah(pd->pd, &attr);
  }
  if (res->ah == nullptr) throw_errno(info.Env(), errno, call);
  res->of_pd = ChildOf(&pd->children);
  resource_ = std::move(res);
}

void AhWrap::close(const Napi::CallbackInfo&) {
  if (resource_) destroy(0);
}

}  // namespace addon
