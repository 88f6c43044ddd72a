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
       InstanceMethod<&MrWrap::rereg>("rereg"), InstanceMethod<&MrWrap::replace_pages>("replacePages"),
       InstanceAccessor<&MrWrap::buffer>("buffer"), InstanceAccessor<&MrWrap::byte_offset>("byteOffset")});
}

// (pd, length or view, access, huge)
MrWrap::MrWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const auto& pd = PdWrap::from(info[0], "pd").open("ibv_reg_mr");
  const Place place = make_place(info[1], boolean(info[3], "huge"));
  auto res = std::make_shared<MrRes>();
  res->pd = pd;
  res->memory = place.memory;
  errno = 0;
  res->mr = pd->context->verbs->register_memory(pd->pd, place.data, place.length,
                                                integer<unsigned>(info[2], "access"));
  if (res->mr == nullptr)
    throw_errno(info.Env(), errno, "ibv_reg_mr", std::to_string(place.length) + " bytes");
  res->of_pd = ChildOf(&pd->children);
  resource_ = std::move(res);
  settle(place);
}

MrWrap::Place MrWrap::make_place(const Napi::Value& in, bool huge) const {
  Napi::Env env = in.Env();
  Place place;
  if (in.IsNumber()) {
    place.length = integer<size_t>(in, "length");
    errno = 0;
    place.memory = Memory::allocate(place.length, huge);
    if (!place.memory)
      throw_errno(env, errno, huge ? "mmap(MAP_HUGETLB)" : "mmap", std::to_string(place.length) + " bytes");
    place.data = place.memory->data();
    auto* keep = new std::shared_ptr<Memory>(place.memory);
    place.keeper = Napi::ArrayBuffer::New(
        env, place.data, place.length,
        [](Napi::Env, void*, std::shared_ptr<Memory>* memory) { delete memory; }, keep);
  } else if (in.IsTypedArray()) {
    auto view = in.As<Napi::Uint8Array>();
    place.data = view.Data();
    place.length = view.ByteLength();
    place.byte_offset = view.ByteOffset();
    place.keeper = view;
  } else {
    throw Napi::TypeError::New(env, "memory must be a length or a Uint8Array");
  }
  return place;
}

void MrWrap::settle(const Place& place) {
  keeper_ = Napi::Persistent(place.keeper);
  own_ = place.memory != nullptr;
  byte_offset_ = place.byte_offset;
  length_ = place.length;
  addr_ = reinterpret_cast<uintptr_t>(place.data);
  lkey_ = resource_->mr->lkey;
  rkey_ = resource_->mr->rkey;
}

// JavaScript must not reach memory of ours that goes away.
void MrWrap::detach() {
  if (own_) keeper_.Value().As<Napi::ArrayBuffer>().Detach();
}

// (pd or null, length or view or null, access or null, huge)
void MrWrap::rereg(const Napi::CallbackInfo& info) {
  const char* const call = "ibv_rereg_mr";
  const auto& res = open(call);
  Napi::Env env = info.Env();
  if (res->users != 0) throw_errno(env, EBUSY, call, "a measuring loop uses the region");
  const auto& verbs = *res->pd->context->verbs;
  if (verbs.rereg_mr == nullptr) throw_errno(env, EOPNOTSUPP, call, "the library is too old");
  int flags = 0;
  std::shared_ptr<PdRes> pd = res->pd;
  if (!info[0].IsNull()) {
    pd = PdWrap::from(info[0], "pd").open(call);
    flags |= IBV_REREG_MR_CHANGE_PD;
  }
  Place place;
  if (!info[1].IsNull()) {
    place = make_place(info[1], boolean(info[3], "huge"));
    flags |= IBV_REREG_MR_CHANGE_TRANSLATION;
  }
  int access = 0;
  if (!info[2].IsNull()) {
    access = static_cast<int>(integer<unsigned>(info[2], "access"));
    flags |= IBV_REREG_MR_CHANGE_ACCESS;
  }
  errno = 0;
  if (verbs.rereg_mr(res->mr, flags, pd->pd, place.data, place.length, access) != 0)
    throw_errno(env, errno, call);
  if (pd != res->pd) {
    res->of_pd = ChildOf(&pd->children);
    res->pd = std::move(pd);
  }
  if (place.data != nullptr) {
    detach();
    res->memory = place.memory;
    settle(place);
  }
  lkey_ = res->mr->lkey;
  rkey_ = res->mr->rkey;
}

void MrWrap::replace_pages(const Napi::CallbackInfo& info) {
  const char* const call = "mmap(MAP_FIXED)";
  const auto& res = open(call);
  if (res->users != 0) throw_errno(info.Env(), EBUSY, call, "a measuring loop uses the region");
  if (!res->memory)
    throw_errno(info.Env(), EINVAL, call, "the region is not over memory that the library allocated");
  if (!res->memory->replace_pages()) throw_errno(info.Env(), errno, call);
}

void MrWrap::close(const Napi::CallbackInfo&) {
  if (!resource_) return;
  destroy(resource_->users);
  detach();
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
