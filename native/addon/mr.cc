#include "addon/mr.h"

#include <cerrno>
#include <utility>

#include "addon/args.h"
#include "addon/pd.h"

namespace addon {

Napi::Function MrWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Mr",
      {InstanceMethod<&MrWrap::close>("close"), InstanceAccessor("closed", &MrWrap::closed, nullptr),
       InstanceAccessor<&MrWrap::addr>("addr"), InstanceAccessor<&MrWrap::length>("length"),
       InstanceAccessor<&MrWrap::lkey>("lkey"), InstanceAccessor<&MrWrap::rkey>("rkey"),
       InstanceAccessor<&MrWrap::buffer>("buffer"), InstanceAccessor<&MrWrap::byte_offset>("byteOffset")});
}

MrWrap::MrWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  Napi::Env env = info.Env();
  const auto& pd = PdWrap::from(info[0], "pd").open("ibv_reg_mr");
  auto res = std::make_shared<MrRes>();
  res->pd = pd;
  void* data = nullptr;
  if (info[1].IsNumber()) {
    own_ = true;
    length_ = integer<size_t>(info[1], "length");
    res->memory = Memory::allocate(length_);
    if (!res->memory) throw_errno(env, ENOMEM, "mmap", std::to_string(length_) + " bytes");
    data = res->memory->data();
    auto* keep = new std::shared_ptr<Memory>(res->memory);
    const auto buffer = Napi::ArrayBuffer::New(
        env, data, length_, [](Napi::Env, void*, std::shared_ptr<Memory>* memory) { delete memory; }, keep);
    keeper_ = Napi::Persistent(buffer.As<Napi::Object>());
  } else if (info[1].IsTypedArray()) {
    auto view = info[1].As<Napi::Uint8Array>();
    data = view.Data();
    length_ = view.ByteLength();
    byte_offset_ = view.ByteOffset();
    keeper_ = Napi::Persistent(view.As<Napi::Object>());
  } else {
    throw Napi::TypeError::New(env, "memory must be a length or a Uint8Array");
  }
  errno = 0;
  res->mr = pd->context->verbs->register_memory(pd->pd, data, length_, integer<unsigned>(info[2], "access"));
  if (res->mr == nullptr) throw_errno(env, errno, "ibv_reg_mr", std::to_string(length_) + " bytes");
  res->of_pd = ChildOf(&pd->children);
  addr_ = reinterpret_cast<uintptr_t>(data);
  lkey_ = res->mr->lkey;
  rkey_ = res->mr->rkey;
  resource_ = std::move(res);
}

void MrWrap::close(const Napi::CallbackInfo&) {
  if (!resource_) return;
  destroy(resource_->users);
  // JavaScript must not reach memory that goes away now.
  if (own_) keeper_.Value().As<Napi::ArrayBuffer>().Detach();
}

Napi::Value MrWrap::addr(const Napi::CallbackInfo& info) { return Napi::BigInt::New(info.Env(), addr_); }
Napi::Value MrWrap::length(const Napi::CallbackInfo& info) { return js(info.Env(), length_); }
Napi::Value MrWrap::lkey(const Napi::CallbackInfo& info) { return js(info.Env(), lkey_); }
Napi::Value MrWrap::rkey(const Napi::CallbackInfo& info) { return js(info.Env(), rkey_); }
Napi::Value MrWrap::byte_offset(const Napi::CallbackInfo& info) { return js(info.Env(), byte_offset_); }

Napi::Value MrWrap::buffer(const Napi::CallbackInfo&) {
  if (own_) return keeper_.Value();
  return keeper_.Value().Get("buffer");
}

}  // namespace addon
