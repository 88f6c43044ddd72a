#include "addon/cm_event.h"

#include <cstring>

#include "addon/args.h"
#include "addon/cm_id.h"
#include "addon/env.h"

namespace addon {
namespace {

uint32_t token_of(const rdma_cm_id* id) noexcept {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(id->context));
}

Napi::Object connection_to_js(Napi::Env env, const rdma_conn_param& param) {
  Napi::Object out = Napi::Object::New(env);
  out["responderResources"] = static_cast<int>(param.responder_resources);
  out["initiatorDepth"] = static_cast<int>(param.initiator_depth);
  out["flowControl"] = param.flow_control != 0;
  out["retryCount"] = static_cast<int>(param.retry_count);
  out["rnrRetry"] = static_cast<int>(param.rnr_retry_count);
  out["srq"] = param.srq != 0;
  out["qpn"] = js(env, param.qp_num);
  return out;
}

Napi::Object datagram_to_js(Napi::Env env, const rdma_ud_param& param) {
  const ibv_ah_attr& ah = param.ah_attr;
  Napi::Object out = Napi::Object::New(env);
  Napi::Uint8Array gid = Napi::Uint8Array::New(env, sizeof ah.grh.dgid.raw);
  std::memcpy(gid.Data(), ah.grh.dgid.raw, sizeof ah.grh.dgid.raw);
  if (ah.is_global != 0) out["gid"] = gid;
  out["gidIndex"] = static_cast<int>(ah.grh.sgid_index);
  out["dlid"] = static_cast<int>(ah.dlid);
  out["hopLimit"] = static_cast<int>(ah.grh.hop_limit);
  out["trafficClass"] = static_cast<int>(ah.grh.traffic_class);
  out["flowLabel"] = js(env, ah.grh.flow_label);
  out["sl"] = static_cast<int>(ah.sl);
  out["port"] = static_cast<int>(ah.port_num);
  out["qpn"] = js(env, param.qp_num);
  out["qkey"] = js(env, param.qkey);
  return out;
}

}  // namespace

CmEvent::CmEvent(const rdma_cm_event& event)
    : type(event.event),
      status(event.status),
      token(token_of(event.event == RDMA_CM_EVENT_CONNECT_REQUEST ? event.listen_id : event.id)),
      is_datagram(event.id->ps == RDMA_PS_UDP) {
  const void* data = is_datagram ? event.param.ud.private_data : event.param.conn.private_data;
  const size_t length = is_datagram ? event.param.ud.private_data_len : event.param.conn.private_data_len;
  if (data != nullptr)
    private_data.assign(static_cast<const uint8_t*>(data), static_cast<const uint8_t*>(data) + length);
  if (is_datagram)
    datagram = event.param.ud;
  else
    connection = event.param.conn;
}

size_t CmEventQueue::take() {
  const CmLibrary& cm = *channel_->cm;
  size_t count = 0;
  rdma_cm_event* event = nullptr;
  while (cm.get_cm_event(channel_->channel, &event) == 0) {
    CmEvent copy(*event);
    if (copy.type == RDMA_CM_EVENT_CONNECT_REQUEST) {
      // Sets the ID's own token before anything else happens to it: so far it has the listener's.
      copy.request_token = next_token();
      event->id->context = reinterpret_cast<void*>(uintptr_t{copy.request_token});
      copy.request = std::make_shared<CmIdRes>();
      copy.request->channel = channel_;
      copy.request->id = event->id;
    }
    cm.ack_cm_event(event);
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(copy));
    ++count;
  }
  return count;
}

std::vector<CmEvent> CmEventQueue::drain() {
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

Napi::Object cm_event_to_js(Napi::Env env, const CmEvent& event) {
  Napi::Object out = Napi::Object::New(env);
  out["type"] = static_cast<int>(event.type);
  out["status"] = event.status;
  out["token"] = js(env, event.token);
  if (event.request) out["request"] = CmIdWrap::adopt(env, event.request, event.request_token);
  if (event.is_datagram)
    out["datagram"] = datagram_to_js(env, event.datagram);
  else
    out["connection"] = connection_to_js(env, event.connection);
  Napi::Uint8Array data = Napi::Uint8Array::New(env, event.private_data.size());
  if (!event.private_data.empty())
    std::memcpy(data.Data(), event.private_data.data(), event.private_data.size());
  out["privateData"] = data;
  return out;
}

}  // namespace addon
