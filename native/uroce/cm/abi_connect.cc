// Connections: listen, connect, accept, reject, disconnect.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include "uroce/cm/service.h"
#include "uroce/refusal.h"
#include "uroce/verbs/abi/mtu.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/mutex_guard.h"
#include "uroce/wire/cm_messages.h"

namespace uroce::cm {
namespace {

constexpr uint32_t kMaxBacklog = 1024;  // as rdma_ucm
constexpr uint8_t kAckTimeout = 17;     // exponent: 0.54 s, what the kernel makes of its path life time of 16

std::array<uint8_t, 16> ip_of(const sockaddr* address) {
  Gid gid = net::gid_from(address);
  // The header has an IPv4 address in its last bytes and nothing before.
  if (is_ipv4(gid)) std::fill(gid.begin(), gid.begin() + 12, uint8_t{0});
  return gid;
}

std::span<const uint8_t> data_of(const rdma_conn_param* param) {
  if (param == nullptr || param->private_data == nullptr) return {};
  return {static_cast<const uint8_t*>(param->private_data), param->private_data_len};
}

// The CM IP header, the prefix of the ID and the application's private data. Empty if they do not fit.
std::vector<uint8_t> request_data(const Id& id, const rdma_conn_param* param, std::size_t room) {
  const rdma_addr& address = id.base.route.addr;
  wire::CmIp ip;
  ip.ip_version = is_ipv4(net::gid_from(&address.src_addr)) ? 4 : 6;
  ip.source_port = port_in(&address.src_addr);
  ip.source = ip_of(&address.src_addr);
  ip.destination = ip_of(&address.dst_addr);
  const std::span<const uint8_t> own = data_of(param);
  std::vector<uint8_t> data(wire::CmIp::kSize + id.connect_prefix.size() + own.size());
  if (data.size() > room) return {};
  ip.emit(data.data());
  std::copy(own.begin(), own.end(),
            std::copy(id.connect_prefix.begin(), id.connect_prefix.end(), data.begin() + wire::CmIp::kSize));
  return data;
}

int refuse_data(const Id& id, const rdma_conn_param* param, std::size_t room) {
  const std::size_t taken = wire::CmIp::kSize + id.connect_prefix.size();
  return refuse(EINVAL, Cause::cm_private_data, data_of(param).size(), room > taken ? room - taken : 0);
}

// A reply carries only the application's private data.
int check_data(const rdma_conn_param* param, std::size_t room) {
  const std::size_t size = data_of(param).size();
  return size > room ? refuse(EINVAL, Cause::cm_private_data, size, room) : 0;
}

// Sets the depths: the device's limit unless the application asked for less; EINVAL if it asked for more.
int depths(Id* id, const rdma_conn_param* param) {
  const auto most = static_cast<uint8_t>(
      std::min(id->service->device().engine().config().max_rd_atomic, uint32_t{RDMA_MAX_RESP_RES} - 1));
  const auto pick = [&](uint8_t asked, uint8_t* out, uint64_t which) {
    if (asked == RDMA_MAX_RESP_RES) {
      *out = std::min(*out, most);
    } else if (asked > most) {
      return refuse(EINVAL, Cause::cm_depth, asked, most, which);
    } else {
      *out = asked;
    }
    return 0;
  };
  const int error = pick(param != nullptr ? param->responder_resources : uint8_t{RDMA_MAX_RESP_RES},
                         &id->responder_resources, 0);
  if (error != 0) return error;
  return pick(param != nullptr ? param->initiator_depth : uint8_t{RDMA_MAX_INIT_DEPTH}, &id->initiator_depth,
              1);
}

uint64_t service_of(const Id& id) {
  return wire::service_id_of(static_cast<uint16_t>(id.base.ps), port_in(&id.base.route.addr.dst_addr));
}

uint32_t qpn_of(const Id& id, const rdma_conn_param* param) {
  return id.base.qp != nullptr ? id.base.qp->qp_num : param != nullptr ? param->qp_num & kQpnMask : 0;
}

Connection* make_connection(Id* id) {
  Address address{.traffic_class = id->tos};
  const rdma_ib_addr& ib = id->base.route.addr.addr.ibaddr;
  std::copy_n(ib.sgid.raw, address.local.size(), address.local.begin());
  std::copy_n(ib.dgid.raw, address.remote.size(), address.remote.begin());
  return id->service->machine().create(id, address);
}

int connect_datagram(Id* id, const rdma_conn_param* param, uint64_t now) {
  const auto data = request_data(*id, param, wire::CmSidrReq::kPrivate);
  if (data.empty()) return refuse_data(*id, param, wire::CmSidrReq::kPrivate);
  id->connection = make_connection(id);
  id->phase = Phase::connecting;
  return id->service->machine().send_sidr_req(*id->connection, service_of(*id), data, now);
}

int connect_stream(Id* id, const rdma_conn_param* param, uint64_t now) {
  if (id->base.qp == nullptr && param == nullptr) return refuse(EINVAL, Cause::cm_no_param);
  if (const int error = depths(id, param); error != 0) return error;
  const auto data = request_data(*id, param, wire::CmReq::kPrivate);
  if (data.empty()) return refuse_data(*id, param, wire::CmReq::kPrivate);
  ConnectParams p;
  p.service_id = service_of(*id);
  p.qpn = qpn_of(*id, param);
  p.starting_psn = id->psn;
  p.responder_resources = id->responder_resources;
  p.initiator_depth = id->initiator_depth;
  if (param != nullptr) {
    p.retry_count = std::min<uint8_t>(param->retry_count, 7);
    p.rnr_retry_count = std::min<uint8_t>(param->rnr_retry_count, 7);
    p.flow_control = param->flow_control != 0;
  }
  p.srq = id->base.qp != nullptr ? id->base.qp->srq != nullptr : param->srq != 0;
  p.path_mtu = static_cast<uint8_t>(verbs::mtu_enum(id->service->plan().path_mtu));
  p.ack_timeout = id->ack_timeout != 0 ? id->ack_timeout : kAckTimeout;
  p.transport = id->base.qp_type == IBV_QPT_UC ? 1 : 0;
  p.private_data = data;
  id->connection = make_connection(id);
  id->phase = Phase::connecting;
  return id->service->machine().connect(*id->connection, p, now);
}

int accept_datagram(Id* id, const rdma_conn_param* param) {
  if (const int too_long = check_data(param, wire::CmSidrRep::kPrivate)) return too_long;
  const int error = id->service->machine().send_sidr_rep(*id->connection, wire::sidr_status::valid,
                                                         qpn_of(*id, param), RDMA_UDP_QKEY, data_of(param));
  if (error == 0) id->phase = Phase::connected;
  return error;
}

int accept_stream(Id* id, const rdma_conn_param* param, uint64_t now) {
  if (const int too_long = check_data(param, wire::CmRep::kPrivate)) return too_long;
  AcceptParams p;
  p.qpn = qpn_of(*id, param);
  p.starting_psn = id->psn;
  p.responder_resources = id->responder_resources;
  p.initiator_depth = id->initiator_depth;
  if (param != nullptr) {
    p.rnr_retry_count = std::min<uint8_t>(param->rnr_retry_count, 7);
    p.flow_control = param->flow_control != 0;
  }
  p.srq = id->base.qp != nullptr ? id->base.qp->srq != nullptr : param != nullptr && param->srq != 0;
  p.private_data = data_of(param);
  const int error = id->service->machine().accept(*id->connection, p, now);
  if (error == 0) id->phase = Phase::connecting;
  return error;
}

// The active side sends RTU for a queue pair that the program set up itself.
int send_rtu(Id* id) {
  if (id->connection == nullptr) return refuse(EINVAL, Cause::cm_no_connection);
  const int error = id->service->machine().send_rtu(*id->connection);
  if (error == 0) id->phase = Phase::connected;
  return error;
}

// Rejects a request, or a reply to a request of ours. The machine checks that there is something to reject.
int reject(Id* id, uint16_t reason, const void* data, uint8_t length) {
  Call call(*id->service);
  if (id->connection == nullptr || (id->phase != Phase::requested && id->phase != Phase::connecting))
    return refuse_phase(*id, Phase::requested);
  const std::span<const uint8_t> bytes{static_cast<const uint8_t*>(data),
                                       data != nullptr ? length : size_t{0}};
  Machine& machine = id->service->machine();
  const int error = id->datagram()
                        ? machine.send_sidr_rep(*id->connection, wire::sidr_status::rejected, 0, 0, bytes)
                        : machine.reject(*id->connection, reason, bytes, call.now());
  if (error == 0) id->phase = Phase::idle;
  return error;
}

// Rejects the peer's request when an accept fails, as the kernel does.
int turn_away(Id* id, int error, const char* call = __builtin_FUNCTION()) {
  fail(error, &id->base, call);
  to_error(id);
  reject(id, wire::cm_reject::consumer_defined, nullptr, 0);
  errno = error;
  return -1;
}

bool has_events(Channel* channel) {
  verbs::MutexGuard guard(channel->mutex);
  return !channel->events.empty();
}

}  // namespace
}  // namespace uroce::cm

using namespace uroce;
using namespace uroce::cm;

extern "C" {

int rdma_listen(rdma_cm_id* handle, int backlog) try {
  if (const int error = uroce::verbs::call_faults::injected("rdma_listen"); error != 0)
    return fail(error, handle);
  Id* id = object(handle);
  Call call(*id->service);
  if (id->phase == Phase::idle) {
    sockaddr_storage any{};
    any.ss_family = AF_INET;
    if (const int error = bind(id, reinterpret_cast<sockaddr*>(&any)); error != 0) return fail(error, handle);
  }
  if (id->phase != Phase::bound) return fail(refuse_phase(*id, Phase::bound), handle);
  if (const int error = id->service->ports().listen(*id->binding); error != 0) return fail(error, handle);
  id->backlog = backlog > 0 ? std::min<uint32_t>(static_cast<uint32_t>(backlog), kMaxBacklog) : kMaxBacklog;
  id->phase = Phase::listening;
  return 0;
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_connect(rdma_cm_id* handle, rdma_conn_param* param) try {
  if (const int error = uroce::verbs::call_faults::injected("rdma_connect"); error != 0)
    return fail(error, handle);
  Id* id = object(handle);
  int error;
  {
    Call call(*id->service);
    if (id->phase != Phase::route_resolved) return fail(refuse_phase(*id, Phase::route_resolved), handle);
    error = id->datagram() ? connect_datagram(id, param, call.now()) : connect_stream(id, param, call.now());
  }
  return error != 0 ? fail(error, handle) : complete(id);
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_accept(rdma_cm_id* handle, rdma_conn_param* param) try {
  if (const int error = uroce::verbs::call_faults::injected("rdma_accept"); error != 0)
    return fail(error, handle);
  Id* id = object(handle);
  int error = 0;
  {
    Call call(*id->service);
    if (id->connection == nullptr) return fail(refuse(EINVAL, Cause::cm_no_connection), handle);
    if (id->phase == Phase::connecting) return result(send_rtu(id), handle);
    if (id->phase != Phase::requested) return fail(refuse_phase(*id, Phase::requested), handle);
    error = id->datagram() ? accept_datagram(id, param) : depths(id, param);
  }
  if (id->datagram()) return error != 0 ? turn_away(id, error) : 0;
  if (error != 0) return fail(error, handle);
  // Ready to receive before the peer learns that it may send.
  if (handle->qp != nullptr &&
      (to_rtr(id, id->responder_resources) != 0 || to_rts(id, id->initiator_depth) != 0)) {
    return -1;
  }
  {
    Call call(*id->service);
    error = accept_stream(id, param, call.now());
  }
  return error != 0 ? turn_away(id, error) : complete(id);
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_establish(rdma_cm_id* handle) {
  Id* id = object(handle);
  if (handle->qp != nullptr) return fail(refuse(EINVAL, Cause::cm_has_qp), handle);
  Call call(*id->service);
  return result(send_rtu(id), handle);
}

int rdma_reject(rdma_cm_id* handle, const void* data, uint8_t length) {
  return result(reject(object(handle), wire::cm_reject::consumer_defined, data, length), handle);
}

int rdma_reject_ece(rdma_cm_id* handle, const void* data, uint8_t length) {
  return result(reject(object(handle), wire::cm_reject::vendor_option, data, length), handle);
}

int rdma_disconnect(rdma_cm_id* handle) {
  Id* id = object(handle);
  {
    Call call(*id->service);
    if (id->connection == nullptr) return fail(refuse(EINVAL, Cause::cm_no_connection), handle);
  }
  if (to_error(id) != 0) return -1;
  {
    Call call(*id->service);
    // EINVAL means that the peer disconnected first; not an error.
    id->service->machine().disconnect(*id->connection, call.now());
    if (id->datagram()) return 0;
    if (id->phase == Phase::disconnected && !has_events(id->channel())) return 0;
    if (id->phase != Phase::connected && id->phase != Phase::connecting && !has_events(id->channel()))
      return 0;
  }
  return complete(id);
}

int rdma_notify(rdma_cm_id* handle, ibv_event_type event) {
  Id* id = object(handle);
  if (event != IBV_EVENT_COMM_EST) return fail(refuse(EINVAL, Cause::unknown_flags, event), handle);
  Call call(*id->service);
  if (id->connection == nullptr) return fail(refuse(EINVAL, Cause::cm_no_connection), handle);
  if (id->connection->state == State::established) return fail(EISCONN);
  return result(id->service->machine().notify(*id->connection));
}

}  // extern "C"
