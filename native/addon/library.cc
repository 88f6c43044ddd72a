#include "addon/library.h"

#include <dlfcn.h>

#include <cerrno>

#include "addon/args.h"
#include "addon/env.h"

namespace addon {

Napi::Function LibraryWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Library",
      {InstanceAccessor<&LibraryWrap::path>("path"), InstanceMethod<&LibraryWrap::devices>("devices")});
}

LibraryWrap::LibraryWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  try {
    verbs_ = vlbench::load_verbs_library(text(info[0], "path"));
  } catch (const vlbench::Failure& failure) {
    throw_failure(info.Env(), failure);
  }
}

Napi::Value LibraryWrap::path(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), verbs_->path);
}

Napi::Value LibraryWrap::devices(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  auto list = std::make_shared<DeviceListRes>();
  list->verbs = verbs_;
  errno = 0;
  list->list = verbs_->get_device_list(&list->count);
  if (list->list == nullptr) throw_errno(env, errno, "ibv_get_device_list");
  Napi::Array out = Napi::Array::New(env, static_cast<size_t>(list->count));
  for (int i = 0; i < list->count; ++i) {
    DeviceWrap::Handle handle{list, list->list[i]};
    out[static_cast<uint32_t>(i)] =
        env_data(env).device_class.New({Napi::External<DeviceWrap::Handle>::New(env, &handle)});
  }
  return out;
}

Napi::Function DeviceWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Device",
      {InstanceAccessor<&DeviceWrap::name>("name"), InstanceAccessor<&DeviceWrap::guid>("guid"),
       InstanceAccessor<&DeviceWrap::node_type>("nodeType"),
       InstanceAccessor<&DeviceWrap::transport>("transport"),
       InstanceAccessor<&DeviceWrap::sysfs_path>("sysfsPath"),
       InstanceAccessor<&DeviceWrap::extensions>("extensions")});
}

DeviceWrap::DeviceWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  if (!info[0].IsExternal()) throw Napi::TypeError::New(info.Env(), "devices come from Library.devices()");
  handle_ = *info[0].As<Napi::External<Handle>>().Data();
  info.This().As<Napi::Object>().TypeTag(&kTag);
}

DeviceWrap& DeviceWrap::from(const Napi::Value& value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kTag))
    throw Napi::TypeError::New(value.Env(), "device must be a Device");
  return *Unwrap(value.As<Napi::Object>());
}

Napi::Value DeviceWrap::name(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), handle_.list->verbs->get_device_name(handle_.device));
}

Napi::Value DeviceWrap::guid(const Napi::CallbackInfo& info) {
  const uint64_t guid = be64toh(handle_.list->verbs->get_device_guid(handle_.device));
  return Napi::BigInt::New(info.Env(), guid);
}

Napi::Value DeviceWrap::node_type(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), handle_.device->node_type);
}

Napi::Value DeviceWrap::transport(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), handle_.device->transport_type);
}

Napi::Value DeviceWrap::sysfs_path(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), handle_.device->ibdev_path);
}

Napi::Value DeviceWrap::extensions(const Napi::CallbackInfo& info) {
  static constexpr struct {
    const char* name;
    const char* symbol;
  } kExtensions[] = {
      {"tap", "uroce_tap_start"},
      {"pcap", "uroce_pcapng_open"},
      {"faults", "uroce_set_faults"},
      {"stamps", "uroce_stamps_start"},
      {"engineCpu", "uroce_query_cpu"},
      {"counters", "uroce_query_counters"},
      {"pinned", "uroce_query_mr_pinned"},
      {"link", "uroce_set_qp_link"},
      {"shaping", "uroce_set_shaped_faults"},
      {"sendPacket", "uroce_send_packet"},
      {"marks", "uroce_query_fault_marks"},
      {"queues", "uroce_query_qp_queues"},
      {"policies", "uroce_query_qp_policy"},
  };
  Napi::Array out = Napi::Array::New(info.Env());
  for (const auto& extension : kExtensions) {
    if (dlsym(handle_.list->verbs->handle, extension.symbol) != nullptr)
      out[out.Length()] = Napi::String::New(info.Env(), extension.name);
  }
  return out;
}

}  // namespace addon
