#include "addon/context.h"

#include <cerrno>
#include <cstring>

#include "addon/args.h"
#include "addon/cm_resources.h"
#include "addon/library.h"

namespace addon {
namespace {

// The token that CqWrap and SrqWrap set as the context of their objects.
uint32_t token_of(const void* context) noexcept {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(context));
}

struct Borrowed {
  std::shared_ptr<CmDevicesRes> owner;
  ibv_context* context;
};

}  // namespace

Napi::Object ContextWrap::borrow(Napi::Env env, const std::shared_ptr<CmDevicesRes>& owner,
                                 ibv_context* context) {
  Borrowed borrowed{owner, context};
  return env_data(env).context_class.New({Napi::External<Borrowed>::New(env, &borrowed)});
}

Napi::Function ContextWrap::define(Napi::Env env) {
  return DefineClass(env, "Context",
                     {InstanceMethod<&ContextWrap::close>("close"),
                      InstanceAccessor("closed", &ContextWrap::closed, nullptr),
                      InstanceAccessor<&ContextWrap::children>("children"),
                      InstanceMethod<&ContextWrap::query_device>("queryDevice"),
                      InstanceMethod<&ContextWrap::query_port>("queryPort"),
                      InstanceMethod<&ContextWrap::query_gid>("queryGid"),
                      InstanceMethod<&ContextWrap::query_gid_type>("queryGidType"),
                      InstanceMethod<&ContextWrap::query_pkey>("queryPkey"),
                      InstanceMethod<&ContextWrap::watch_events>("watchEvents"),
                      InstanceMethod<&ContextWrap::set_ref>("setRef")});
}

ContextWrap::ContextWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  if (info[0].IsExternal()) {
    const Borrowed& borrowed = *info[0].As<Napi::External<Borrowed>>().Data();
    resource_ = std::make_shared<ContextRes>();
    resource_->verbs = borrowed.owner->cm->verbs;
    resource_->borrowed = borrowed.owner;
    resource_->context = borrowed.context;
    return;
  }
  const DeviceWrap::Handle& device = DeviceWrap::from(info[0]).handle();
  auto res = std::make_shared<ContextRes>();
  res->verbs = device.list->verbs;
  res->devices = device.list;
  errno = 0;
  res->context = res->verbs->open_device(device.device);
  if (res->context == nullptr)
    throw_errno(info.Env(), errno, "ibv_open_device", res->verbs->get_device_name(device.device));
  resource_ = std::move(res);
}

void ContextWrap::close(const Napi::CallbackInfo&) {
  if (!resource_) return;
  if (resource_->children == 0) watcher_.reset();
  destroy(resource_->children);
}

Napi::Value ContextWrap::children(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), resource_ ? resource_->children : 0);
}

Napi::Value ContextWrap::query_device(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& res = open("ibv_query_device");
  ibv_device_attr attr{};
  check(env, res->verbs->query_device(res->context, &attr), "ibv_query_device");
  Napi::Object out = Napi::Object::New(env);
  out["firmware"] = Napi::String::New(env, attr.fw_ver, strnlen(attr.fw_ver, sizeof attr.fw_ver));
  out["nodeGuid"] = Napi::BigInt::New(env, static_cast<uint64_t>(be64toh(attr.node_guid)));
  out["vendorId"] = js(env, attr.vendor_id);
  out["vendorPartId"] = js(env, attr.vendor_part_id);
  out["hwVersion"] = js(env, attr.hw_ver);
  out["maxMrSize"] = Napi::BigInt::New(env, attr.max_mr_size);
  out["pageSizeCap"] = Napi::BigInt::New(env, attr.page_size_cap);
  out["maxQp"] = attr.max_qp;
  out["maxQpWr"] = attr.max_qp_wr;
  out["maxSge"] = attr.max_sge;
  out["maxCq"] = attr.max_cq;
  out["maxCqe"] = attr.max_cqe;
  out["maxMr"] = attr.max_mr;
  out["maxPd"] = attr.max_pd;
  out["maxQpRdAtom"] = attr.max_qp_rd_atom;
  out["maxQpInitRdAtom"] = attr.max_qp_init_rd_atom;
  out["atomic"] = static_cast<int>(attr.atomic_cap);
  out["maxSrq"] = attr.max_srq;
  out["maxSrqWr"] = attr.max_srq_wr;
  out["maxSrqSge"] = attr.max_srq_sge;
  out["maxAh"] = attr.max_ah;
  out["maxMw"] = attr.max_mw;
  out["maxMcastGroups"] = attr.max_mcast_grp;
  out["capFlags"] = js(env, attr.device_cap_flags);
  out["ports"] = static_cast<int>(attr.phys_port_cnt);
  return out;
}

Napi::Value ContextWrap::query_port(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& res = open("ibv_query_port");
  const auto port = integer<uint8_t>(info[0], "port");
  ibv_port_attr attr{};
  check(env, res->verbs->query_port(res->context, port, &attr), "ibv_query_port",
        "port " + std::to_string(port));
  Napi::Object out = Napi::Object::New(env);
  out["state"] = static_cast<int>(attr.state);
  out["maxMtu"] = static_cast<int>(attr.max_mtu);
  out["activeMtu"] = static_cast<int>(attr.active_mtu);
  out["gidTableLength"] = attr.gid_tbl_len;
  out["maxMessageSize"] = js(env, attr.max_msg_sz);
  out["lid"] = static_cast<int>(attr.lid);
  out["linkLayer"] = static_cast<int>(attr.link_layer);
  out["activeWidth"] = static_cast<int>(attr.active_width);
  out["activeSpeed"] = static_cast<int>(attr.active_speed);
  return out;
}

Napi::Value ContextWrap::query_gid(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& res = open("ibv_query_gid");
  const auto port = integer<uint8_t>(info[0], "port");
  const auto index = integer<int>(info[1], "index");
  ibv_gid gid{};
  errno = 0;
  const int rc = res->verbs->query_gid(res->context, port, index, &gid);
  if (rc != 0) throw_errno(env, rc > 0 ? rc : errno, "ibv_query_gid", "index " + std::to_string(index));
  Napi::Uint8Array out = Napi::Uint8Array::New(env, sizeof gid.raw);
  std::memcpy(out.Data(), gid.raw, sizeof gid.raw);
  return out;
}

Napi::Value ContextWrap::query_gid_type(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_query_gid_type");
  int type = -1;
  if (res->verbs->query_gid_type == nullptr ||
      res->verbs->query_gid_type(res->context, integer<uint8_t>(info[0], "port"),
                                 integer<unsigned>(info[1], "index"), &type) != 0)
    type = -1;
  return Napi::Number::New(info.Env(), type);
}

Napi::Value ContextWrap::query_pkey(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_query_pkey");
  __be16 pkey = 0;
  errno = 0;
  const int rc = res->verbs->query_pkey(res->context, integer<uint8_t>(info[0], "port"),
                                        integer<int>(info[1], "index"), &pkey);
  if (rc != 0) throw_errno(info.Env(), rc > 0 ? rc : errno, "ibv_query_pkey");
  return Napi::Number::New(info.Env(), be16toh(pkey));
}

void ContextWrap::watch_events(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_get_async_event");
  watcher_.reset();
  watcher_ = std::make_unique<Watcher>(
      info.Env(), function(info[0], "callback"), res->context->async_fd,
      [verbs = res->verbs, context = res->context](std::vector<WatchedEvent>& found) {
        ibv_async_event event{};
        while (verbs->get_async_event(context, &event) == 0) {
          uint32_t element = 0;
          switch (event.event_type) {
            case IBV_EVENT_QP_FATAL:
            case IBV_EVENT_QP_REQ_ERR:
            case IBV_EVENT_QP_ACCESS_ERR:
            case IBV_EVENT_COMM_EST:
            case IBV_EVENT_SQ_DRAINED:
            case IBV_EVENT_PATH_MIG:
            case IBV_EVENT_PATH_MIG_ERR:
            case IBV_EVENT_QP_LAST_WQE_REACHED:
              element = event.element.qp->qp_num;
              break;
            case IBV_EVENT_CQ_ERR:
              element = token_of(event.element.cq->cq_context);
              break;
            case IBV_EVENT_SRQ_ERR:
            case IBV_EVENT_SRQ_LIMIT_REACHED:
              element = token_of(event.element.srq->srq_context);
              break;
            case IBV_EVENT_PORT_ACTIVE:
            case IBV_EVENT_PORT_ERR:
            case IBV_EVENT_LID_CHANGE:
            case IBV_EVENT_PKEY_CHANGE:
            case IBV_EVENT_SM_CHANGE:
            case IBV_EVENT_CLIENT_REREGISTER:
            case IBV_EVENT_GID_CHANGE:
              element = static_cast<uint32_t>(event.element.port_num);
              break;
            default:
              break;
          }
          found.emplace_back(static_cast<uint32_t>(event.event_type), element);
          verbs->ack_async_event(&event);
        }
      },
      [](Napi::Env env, Napi::Function callback, const std::vector<WatchedEvent>& batch) {
        for (const auto& [type, element] : batch)
          callback.Call({Napi::Number::New(env, type), Napi::Number::New(env, element)});
      });
}

void ContextWrap::set_ref(const Napi::CallbackInfo& info) {
  if (watcher_) watcher_->set_ref(info.Env(), boolean(info[0], "on"));
}

}  // namespace addon
