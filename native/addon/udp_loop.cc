#include "addon/udp_loop.h"

#include "addon/args.h"
#include "bench/socket_loop.h"

namespace addon {

Napi::Function UdpLoopWrap::define(Napi::Env env) {
  return DefineClass(
      env, "UdpLoop",
      {InstanceMethod<&UdpLoopWrap::stop>("stop"), InstanceAccessor<&UdpLoopWrap::running>("running")});
}

UdpLoopWrap::UdpLoopWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  const Napi::Object in = object(info[0], "options");
  vlbench::UdpOptions options;
  read_loop_options(in, options);
  options.host = text(in.Get("host"), "host");
  options.port = integer<uint16_t>(in.Get("port"), "port");
  options.connected = boolean(in.Get("connected"), "connected");
  host_ = std::make_unique<LoopHost>(
      info.Env(), object(info[1], "callbacks"), in.Get("ring"),
      [&](vlbench::Callbacks callbacks) { return vlbench::make_udp_pingpong(options, std::move(callbacks)); },
      nullptr);
}

void UdpLoopWrap::stop(const Napi::CallbackInfo& info) {
  host_->stop(static_cast<uint64_t>(number(info[0], "drainMs") * 1e6));
}

Napi::Value UdpLoopWrap::running(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), host_->running());
}

}  // namespace addon
