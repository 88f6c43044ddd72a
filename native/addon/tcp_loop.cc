#include "addon/tcp_loop.h"

#include <algorithm>

#include "addon/args.h"
#include "bench/socket_loop.h"

namespace addon {

Napi::Function TcpLoopWrap::define(Napi::Env env) {
  return DefineClass(
      env, "TcpLoop",
      {InstanceMethod<&TcpLoopWrap::stop>("stop"), InstanceAccessor<&TcpLoopWrap::running>("running")});
}

TcpLoopWrap::TcpLoopWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  const Napi::Object in = object(info[0], "options");
  vlbench::TcpOptions options;
  read_loop_options(in, options);
  options.host = text(in.Get("host"), "host");
  options.port = integer<uint16_t>(in.Get("port"), "port");
  options.direction =
      static_cast<vlbench::Direction>(std::min(2, integer<int>(in.Get("direction"), "direction")));
  options.connections = integer<uint32_t>(in.Get("connections"), "connections");
  options.socket_buffer = integer<uint32_t>(in.Get("socketBuffer"), "socketBuffer");
  options.no_delay = boolean(in.Get("noDelay"), "noDelay");
  options.ack_every = integer<uint32_t>(in.Get("ackEvery"), "ackEvery");
  options.memory = integer<uint64_t>(in.Get("memory"), "memory");
  host_ = std::make_unique<LoopHost>(
      info.Env(), object(info[1], "callbacks"), in.Get("ring"),
      [&](vlbench::Callbacks callbacks) { return vlbench::make_tcp_loop(options, std::move(callbacks)); },
      nullptr);
}

void TcpLoopWrap::stop(const Napi::CallbackInfo& info) {
  host_->stop(static_cast<uint64_t>(number(info[0], "drainMs") * 1e6));
}

Napi::Value TcpLoopWrap::running(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), host_->running());
}

}  // namespace addon
