#include "addon/cm_id.h"

#include <arpa/inet.h>
#include <netdb.h>

#include <cerrno>
#include <cstring>

#include "addon/args.h"
#include "addon/context.h"
#include "addon/event_channel.h"

namespace addon {
namespace {

struct Adopted {
  std::shared_ptr<CmIdRes> res;
  uint32_t token;
};

// From an address in digits and a port; a scope (%eth0) is allowed.
sockaddr_storage socket_address(const Napi::Value& host, const Napi::Value& port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string name = text(host, "address");
  const std::string service = std::to_string(integer<uint16_t>(port, "port"));
  if (getaddrinfo(name.c_str(), service.c_str(), &hints, &found) != 0)
    throw_errno(host.Env(), EINVAL, "getaddrinfo", name);
  sockaddr_storage out{};
  std::memcpy(&out, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return out;
}

// {address, port}, or null where there is none yet.
Napi::Value address_to_js(Napi::Env env, const sockaddr& address) {
  char digits[INET6_ADDRSTRLEN];
  uint16_t port = 0;
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &v4.sin_addr, digits, sizeof digits);
    port = ntohs(v4.sin_port);
  } else if (address.sa_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &v6.sin6_addr, digits, sizeof digits);
    port = ntohs(v6.sin6_port);
  } else {
    return env.Null();
  }
  Napi::Object out = Napi::Object::New(env);
  out["address"] = Napi::String::New(env, digits);
  out["port"] = static_cast<int>(port);
  return out;
}

uint8_t length_of(const Napi::Uint8Array& data) {
  return fitting<uint8_t>(static_cast<double>(data.ByteLength()), data.Env(), "bytes of private data");
}

// NativeConnParam of packages/verbs; points into its private data.
rdma_conn_param conn_param(const Napi::Value& value) {
  const Napi::Object in = object(value, "parameters");
  rdma_conn_param param{};
  const auto data = in.Get("privateData").As<Napi::Uint8Array>();
  param.private_data = data.ByteLength() == 0 ? nullptr : data.Data();
  param.private_data_len = length_of(data);
  param.responder_resources = integer<uint8_t>(in.Get("responderResources"), "responderResources");
  param.initiator_depth = integer<uint8_t>(in.Get("initiatorDepth"), "initiatorDepth");
  param.flow_control = boolean(in.Get("flowControl"), "flowControl") ? 1 : 0;
  param.retry_count = integer<uint8_t>(in.Get("retryCount"), "retryCount");
  param.rnr_retry_count = integer<uint8_t>(in.Get("rnrRetry"), "rnrRetry");
  return param;
}

}  // namespace

Napi::Function CmIdWrap::define(Napi::Env env) {
  using I = CmIdWrap;
  return DefineClass(
      env, "CmId",
      {InstanceMethod<&I::close>("close"), InstanceAccessor("closed", &I::closed, nullptr),
       InstanceAccessor<&I::token>("token"), InstanceMethod<&I::bound>("bound"),
       InstanceMethod<&I::open_context>("openContext"), InstanceMethod<&I::bind>("bind"),
       InstanceMethod<&I::resolve_addr>("resolveAddr"), InstanceMethod<&I::resolve_route>("resolveRoute"),
       InstanceMethod<&I::connect>("connect"), InstanceMethod<&I::listen>("listen"),
       InstanceMethod<&I::accept>("accept"), InstanceMethod<&I::reject>("reject"),
       InstanceMethod<&I::disconnect>("disconnect")});
}

CmIdWrap::CmIdWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  if (info[0].IsExternal()) {
    const Adopted& adopted = *info[0].As<Napi::External<Adopted>>().Data();
    resource_ = adopted.res;
    token_ = adopted.token;
  } else {
    const auto& channel = EventChannelWrap::from(info[0], "channel").open("rdma_create_id");
    auto res = std::make_shared<CmIdRes>();
    res->channel = channel;
    token_ = next_token();
    if (channel->cm->create_id(channel->channel, &res->id, reinterpret_cast<void*>(uintptr_t{token_}),
                               static_cast<rdma_port_space>(integer<int>(info[1], "port space"))) != 0)
      throw_errno(info.Env(), errno, "rdma_create_id");
    resource_ = std::move(res);
  }
  resource_->of_channel = ChildOf(&resource_->channel->children);
}

Napi::Object CmIdWrap::adopt(Napi::Env env, const std::shared_ptr<CmIdRes>& request, uint32_t token) {
  Adopted adopted{request, token};
  return env_data(env).cm_id_class.New({Napi::External<Adopted>::New(env, &adopted)});
}

void CmIdWrap::close(const Napi::CallbackInfo&) {
  if (resource_) destroy(resource_->children);
}

void CmIdWrap::done(int result, const char* call, const std::string& detail) const {
  if (result != 0) throw_errno(Env(), errno, call, detail);
}

Napi::Value CmIdWrap::token(const Napi::CallbackInfo& info) { return js(info.Env(), token_); }

// {device, port, local, remote}: null as long as the id has no device or address.
Napi::Value CmIdWrap::bound(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& res = open("rdma_create_id");
  const rdma_cm_id& id = *res->id;
  Napi::Object out = Napi::Object::New(env);
  out["device"] = id.verbs == nullptr
                      ? env.Null()
                      : Napi::String::New(env, res->channel->cm->verbs->get_device_name(id.verbs->device));
  out["port"] = static_cast<int>(id.port_num);
  out["local"] = address_to_js(env, id.route.addr.src_addr);
  out["remote"] = address_to_js(env, id.route.addr.dst_addr);
  return out;
}

Napi::Value CmIdWrap::open_context(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_create_id");
  if (res->id->verbs == nullptr)
    throw_errno(info.Env(), ENODEV, "rdma_create_id", "the id has no device yet");
  return ContextWrap::borrow(info.Env(), res->channel->devices, res->id->verbs);
}

void CmIdWrap::bind(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_bind_addr");
  sockaddr_storage address = socket_address(info[0], info[1]);
  done(res->channel->cm->bind_addr(res->id, reinterpret_cast<sockaddr*>(&address)), "rdma_bind_addr");
}

// (source or null, destination, port, ms)
void CmIdWrap::resolve_addr(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_resolve_addr");
  sockaddr_storage source{};
  if (!info[0].IsNull()) source = socket_address(info[0], Napi::Number::New(info.Env(), 0));
  sockaddr_storage destination = socket_address(info[1], info[2]);
  done(res->channel->cm->resolve_addr(res->id,
                                      info[0].IsNull() ? nullptr : reinterpret_cast<sockaddr*>(&source),
                                      reinterpret_cast<sockaddr*>(&destination), integer<int>(info[3], "ms")),
       "rdma_resolve_addr", text(info[1], "address"));
}

void CmIdWrap::resolve_route(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_resolve_route");
  done(res->channel->cm->resolve_route(res->id, integer<int>(info[0], "ms")), "rdma_resolve_route");
}

void CmIdWrap::connect(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_connect");
  rdma_conn_param param = conn_param(info[0]);
  done(res->channel->cm->connect(res->id, &param), "rdma_connect");
}

void CmIdWrap::listen(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_listen");
  done(res->channel->cm->listen(res->id, integer<int>(info[0], "backlog")), "rdma_listen");
}

void CmIdWrap::accept(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_accept");
  rdma_conn_param param = conn_param(info[0]);
  done(res->channel->cm->accept(res->id, &param), "rdma_accept");
}

void CmIdWrap::reject(const Napi::CallbackInfo& info) {
  const auto& res = open("rdma_reject");
  const auto data = info[0].As<Napi::Uint8Array>();
  done(res->channel->cm->reject(res->id, data.ByteLength() == 0 ? nullptr : data.Data(), length_of(data)),
       "rdma_reject");
}

void CmIdWrap::disconnect(const Napi::CallbackInfo&) {
  const auto& res = open("rdma_disconnect");
  done(res->channel->cm->disconnect(res->id), "rdma_disconnect");
}

}  // namespace addon
