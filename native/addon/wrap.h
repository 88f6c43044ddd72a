// Base of the addon's classes: a type tag, so that no other object can be passed off as one, and close().
#pragma once

#include <napi.h>

#include <cerrno>
#include <memory>
#include <string>

#include "addon/env.h"

namespace addon {

// Derived has: static constexpr napi_type_tag kTag; static constexpr const char* kDestroy (the verbs call of
// close()); using Resource = ...;
template <typename Derived, typename Res>
class Wrapped : public Napi::ObjectWrap<Derived> {
 public:
  explicit Wrapped(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Derived>(info) {
    info.This().template As<Napi::Object>().TypeTag(&Derived::kTag);
  }

  static Derived& from(const Napi::Value& value, const char* what) {
    if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&Derived::kTag))
      throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a " + Derived::kName);
    return *Napi::ObjectWrap<Derived>::Unwrap(value.As<Napi::Object>());
  }

  // Throws EBADF when closed.
  const std::shared_ptr<Res>& open(const char* call) const {
    if (!resource_) throw_errno(this->Env(), EBADF, call, std::string(Derived::kName) + " is closed");
    return resource_;
  }

 protected:
  Napi::Value closed(const Napi::CallbackInfo& info) { return Napi::Boolean::New(info.Env(), !resource_); }

  // Destroys the verbs object; refuses with EBUSY while `uses` is not 0.
  void destroy(int uses) {
    if (uses != 0)
      throw_errno(this->Env(), EBUSY, Derived::kDestroy,
                  std::to_string(uses) + (uses == 1 ? " object" : " objects") + " in use");
    check(this->Env(), resource_->destroy(), Derived::kDestroy);
    resource_.reset();
  }

  std::shared_ptr<Res> resource_;
};

}  // namespace addon
