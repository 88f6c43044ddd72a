#include "addon/comp_channel.h"

#include <cerrno>

#include "addon/args.h"
#include "addon/context.h"

namespace addon {

Napi::Function CompChannelWrap::define(Napi::Env env) {
  return DefineClass(
      env, "CompChannel",
      {InstanceMethod<&CompChannelWrap::close>("close"),
       InstanceAccessor("closed", &CompChannelWrap::closed, nullptr),
       InstanceAccessor<&CompChannelWrap::children>("children"), InstanceAccessor<&CompChannelWrap::fd>("fd"),
       InstanceMethod<&CompChannelWrap::watch>("watch"),
       InstanceMethod<&CompChannelWrap::set_ref>("setRef")});
}

CompChannelWrap::CompChannelWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const auto& context = ContextWrap::from(info[0], "context").open("ibv_create_comp_channel");
  auto res = std::make_shared<ChannelRes>();
  res->context = context;
  errno = 0;
  res->channel = context->verbs->create_comp_channel(context->context);
  if (res->channel == nullptr) throw_errno(info.Env(), errno, "ibv_create_comp_channel");
  res->of_context = ChildOf(&context->children);
  resource_ = std::move(res);
}

void CompChannelWrap::close(const Napi::CallbackInfo&) {
  if (!resource_) return;
  if (resource_->children == 0) watcher_.reset();
  destroy(resource_->children);
}

Napi::Value CompChannelWrap::children(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), resource_ ? resource_->children : 0);
}

Napi::Value CompChannelWrap::fd(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), open("ibv_get_cq_event")->channel->fd);
}

void CompChannelWrap::watch(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_get_cq_event");
  if (res->users != 0)
    throw_errno(info.Env(), EBUSY, "ibv_get_cq_event", "a measuring loop has exclusive use of the channel");
  res->watched = true;
  watcher_.reset();
  watcher_ = std::make_unique<Watcher>(
      info.Env(), function(info[0], "callback"), res->channel->fd,
      [verbs = res->context->verbs, channel = res->channel](std::vector<WatchedEvent>& found) {
        ibv_cq* cq = nullptr;
        void* token = nullptr;
        while (verbs->get_cq_event(channel, &cq, &token) == 0) {
          // Acknowledged at once: ibv_destroy_cq waits for that.
          verbs->ack_cq_events(cq, 1);
          found.emplace_back(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(token)), 0);
        }
      },
      [](Napi::Env env, Napi::Function callback, const std::vector<WatchedEvent>& batch) {
        Napi::Array tokens = Napi::Array::New(env, batch.size());
        for (uint32_t i = 0; i < batch.size(); ++i) tokens[i] = Napi::Number::New(env, batch[i].first);
        callback.Call({tokens});
      });
}

void CompChannelWrap::set_ref(const Napi::CallbackInfo& info) {
  if (watcher_) watcher_->set_ref(info.Env(), boolean(info[0], "on"));
}

}  // namespace addon
