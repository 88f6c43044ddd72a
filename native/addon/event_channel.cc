#include "addon/event_channel.h"

#include <cerrno>

#include "addon/args.h"

namespace addon {

Napi::Function EventChannelWrap::define(Napi::Env env) {
  using E = EventChannelWrap;
  return DefineClass(env, "EventChannel",
                     {InstanceMethod<&E::close>("close"), InstanceAccessor("closed", &E::closed, nullptr),
                      InstanceAccessor<&E::children>("children"), InstanceAccessor<&E::fd>("fd"),
                      InstanceMethod<&E::watch>("watch"), InstanceMethod<&E::set_ref>("setRef")});
}

// (path of the library)
EventChannelWrap::EventChannelWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  Napi::Env env = info.Env();
  auto res = std::make_shared<CmChannelRes>();
  try {
    res->cm = load_cm_library(text(info[0], "path"));
  } catch (const vlbench::Failure& failure) {
    throw_failure(env, failure);
  }
  res->devices = std::make_shared<CmDevicesRes>();
  res->devices->cm = res->cm;
  int count = 0;
  errno = 0;
  res->devices->list = res->cm->get_devices(&count);
  if (res->devices->list == nullptr) throw_errno(env, errno == 0 ? ENODEV : errno, "rdma_get_devices");
  errno = 0;
  res->channel = res->cm->create_event_channel();
  if (res->channel == nullptr) throw_errno(env, errno, "rdma_create_event_channel");
  resource_ = std::move(res);
}

void EventChannelWrap::close(const Napi::CallbackInfo&) {
  if (!resource_) return;
  // Before the count: requests that were taken and not delivered go with the watcher.
  if (resource_->children == 0) {
    watcher_.reset();
    if (queue_) queue_->drain();
  }
  destroy(resource_->children);
}

Napi::Value EventChannelWrap::children(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), resource_ ? resource_->children : 0);
}

Napi::Value EventChannelWrap::fd(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), open("rdma_get_cm_event")->channel->fd);
}

void EventChannelWrap::watch(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_get_cm_event");
  watcher_.reset();
  const auto queue = queue_ = std::make_shared<CmEventQueue>(res);
  watcher_ = std::make_unique<Watcher>(
      info.Env(), function(info[0], "callback"), res->channel->fd,
      [queue](std::vector<WatchedEvent>& found) {
        if (queue->take() != 0) found.emplace_back(0, 0);
      },
      [queue](Napi::Env env, Napi::Function callback, const std::vector<WatchedEvent>&) {
        for (const CmEvent& event : queue->drain()) callback.Call({cm_event_to_js(env, event)});
      });
}

void EventChannelWrap::set_ref(const Napi::CallbackInfo& info) {
  if (watcher_) watcher_->set_ref(info.Env(), boolean(info[0], "on"));
}

}  // namespace addon
