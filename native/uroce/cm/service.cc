#include "uroce/cm/service.h"

#include <algorithm>
#include <cstring>

#include "uroce/net/udp/steering.h"
#include "uroce/refusal.h"
#include "uroce/verbs/watch/refusal.h"
#include "uroce/wire/cm_messages.h"

std::unique_ptr<uroce::verbs::Management> uroce::verbs::make_management(Device& device) {
  return std::make_unique<cm::Service>(device);
}

namespace uroce::cm {
namespace {

Gid gid_of(const std::array<uint8_t, 16>& address, uint8_t ip_version) {
  Gid gid = address;
  if (ip_version != 4) return gid;
  // An IPv4 address is in the last four bytes; the bytes before them do not count.
  std::fill(gid.begin(), gid.begin() + 10, uint8_t{0});
  gid[10] = gid[11] = 0xff;
  return gid;
}

std::optional<wire::CmIp> ip_header(std::span<const uint8_t> private_data) {
  const auto ip = wire::CmIp::parse(private_data.data(), private_data.size());
  const bool known = ip && ip->version == 0 && (ip->ip_version == 4 || ip->ip_version == 6);
  return known ? ip : std::nullopt;
}

void copy_data(EventObject* event, std::span<const uint8_t> data) {
  std::copy_n(data.begin(), std::min(data.size(), event->data.size()), event->data.begin());
}

std::vector<Place> places_of(verbs::Device& device) {
  std::vector<Place> places;
  for (const net::LocalAddress& local : device.plan().gids) {
    places.push_back({local.gid, device.share().name_prefix(places.size())});
  }
  return places;
}

EventObject* make_event(Id* id, rdma_cm_event_type type, int status) {
  auto* event = new EventObject;
  event->base.id = &id->base;
  event->base.event = type;
  event->base.status = status;
  event->counted = id;
  return event;
}

void set_data(EventObject* event, std::span<const uint8_t> data) {
  copy_data(event, data);
  event->base.param.conn.private_data = event->data.data();
  event->base.param.conn.private_data_len = static_cast<uint8_t>(data.size());
}

}  // namespace

Service::Service(verbs::Device& device)
    : device_(device),
      machine_({.id_base = device.slot() << (32 - net::kSlotBits), .ca_guid = device.plan().guid},
               device.random(), static_cast<Owner&>(*this)),
      router_(device, static_cast<RouterClient&>(*this)),
      ports_(places_of(device), router_, device.random()),
      dispatch_(machine_, ports_, router_) {}

void Service::serve() {
  router_.serve();
  std::lock_guard guard(device_.lock());
  device_.thread().check_by(device_.now(), device_.next_wake());
}

void Service::send(const Address& to, const wire::MadBytes& mad) {
  const std::size_t index = gid_index(to.local);
  if (index >= plan().gids.size()) return;
  const net::Flow* flow = device_.passing_flow(static_cast<uint8_t>(index), to.remote, to.traffic_class);
  if (flow == nullptr) return;
  Path path;
  path.sgid = flow->source;
  path.dgid = flow->destination;
  path.udp_source_port = flow->source_port;
  path.sgid_index = static_cast<uint8_t>(index);
  path.traffic_class = flow->traffic_class;
  path.cookie = reinterpret_cast<uintptr_t>(flow);
  device_.engine().gsi().post(path, mad);
}

void Service::finish_call() {
  dispatch_.release_idle_names();
  note_wake();
}

void Service::on_mad(const transport::RxMad& mad) {
  net::ForwardedMad copy{*mad.source, *mad.destination, {}};
  std::memcpy(copy.data.data(), mad.data, wire::kMadSize);
  dispatch_.on_mad(copy, false, device_.now());
  finish_call();
}

// Names must stay: the router is reading them now.
void Service::on_forwarded(const net::ForwardedMad& mad) {
  dispatch_.on_mad(mad, true, device_.now());
  note_wake();
}

void Service::on_time(uint64_t now) {
  dispatch_.on_time(now);
  note_wake();
}

// The event that a synchronous ID still holds counts as acknowledged: the library acknowledges it.
verbs::Management::Events Service::events_of(const void* handle) const {
  const auto* id = static_cast<const Id*>(handle);
  const uint32_t held = id->sync && id->base.event != nullptr ? 1 : 0;
  return {id->events_got, id->events_acked + held};
}

void Service::counters(const ShowCounter& show) const {
  const Counts& counts = machine_.counts();
  show("cm_stale_connections", counts.stale);
  show("cm_refused_requests", counts.refused);
  show("cm_stray_messages", counts.stray);
}

void Service::at_exit(uint64_t now) {
  for (Id* id : ids_) {
    if (id->connection != nullptr) machine_.destroy(std::exchange(id->connection, nullptr), now);
  }
}

void Service::ids_changed(Id* id, bool there) {
  if (there) {
    ids_.insert(id);
  } else {
    ids_.erase(id);
  }
}

void Service::forget(Id* id, uint64_t now) {
  if (id->connection != nullptr) machine_.destroy(std::exchange(id->connection, nullptr), now);
  if (id->listener != nullptr) id->listener->requests.erase(id);
  id->listener = nullptr;
  for (Id* request : id->requests) request->listener = nullptr;
  id->requests.clear();
  if (id->binding != nullptr) dispatch_.release(std::exchange(id->binding, nullptr));
  ids_.erase(id);
}

void* Service::listener(uint64_t service_id, const Address& address, std::span<const uint8_t> private_data,
                        bool datagram) {
  const uint16_t space = wire::port_space_of(service_id);
  if (space == 0 || !ip_header(private_data)) return nullptr;
  const Binding* binding = ports_.listener(space, wire::port_of(service_id), gid_index(address.local));
  if (binding == nullptr) return nullptr;
  auto* id = static_cast<Id*>(binding->user);
  return id->datagram() == datagram ? id : nullptr;
}

// Creates the ID of the other end for a REQ or SIDR_REQ that reached a listening ID.
void Service::on_request(const Event& event) {
  auto* listener = static_cast<Id*>(event.listener);
  Connection& c = event.connection;
  // A client learns at once that the backlog is full. The kernel (ucma.c, and cm_destroy_id for ENOMEM in
  // cm.c) stays silent instead: the client's CM repeats its REQ, which may then find room.
  if (listener->requests.size() >= listener->backlog) return machine_.turn_down(&c);
  auto* id = new Id;
  share_again();
  id->service = this;
  id->base.ps = listener->base.ps;
  id->base.qp_type = listener->base.qp_type;
  id->base.context = listener->base.context;
  id->base.channel = listener->base.channel;
  id->phase = Phase::requested;
  id->connection = &c;
  id->listener = listener;
  id->tos = listener->tos;
  id->psn = device_.random().next() & kPsnMask;
  id->gid_index = gid_index(c.address.local);
  c.user = id;
  ids_.insert(id);
  listener->requests.insert(id);

  const wire::CmIp ip = *ip_header(event.private_data);
  const uint32_t scope = plan().gids[id->gid_index].scope_id;
  id->base.route.addr.src_storage =
      to_sockaddr_of(gid_of(ip.destination, ip.ip_version), wire::port_of(c.service_id), scope);
  id->base.route.addr.dst_storage = to_sockaddr_of(gid_of(ip.source, ip.ip_version), ip.source_port, scope);
  assign_device(id);

  EventObject* out = make_event(id, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
  out->base.listen_id = &listener->base;
  out->counted = listener;
  // Only the application's part.
  set_data(out, event.private_data.subspan(wire::CmIp::kSize));
  if (event.req != nullptr) {
    rdma_conn_param& p = out->base.param.conn;
    p.responder_resources = c.responder_resources;
    p.initiator_depth = c.initiator_depth;
    p.flow_control = event.req->flow_control ? 1 : 0;
    p.retry_count = c.retry_count;
    p.rnr_retry_count = c.rnr_retry_count;
    p.srq = event.req->srq ? 1 : 0;
    p.qp_num = c.remote_qpn;
    id->responder_resources = c.responder_resources;
    id->initiator_depth = c.initiator_depth;
  }
  queue_event(listener->channel(), out);
}

void Service::on_reply(Id* id, const Event& event) {
  EventObject* out = make_event(id, RDMA_CM_EVENT_CONNECT_RESPONSE, 0);
  set_data(out, event.private_data);
  rdma_conn_param& p = out->base.param.conn;
  p.responder_resources = event.connection.responder_resources;
  p.initiator_depth = event.connection.initiator_depth;
  p.flow_control = event.rep->flow_control ? 1 : 0;
  p.rnr_retry_count = event.rep->rnr_retry_count;
  p.srq = event.rep->srq ? 1 : 0;
  p.qp_num = event.rep->local_qpn;
  queue_event(id->channel(), out);
}

// Reports a missing listener: rdma_connect had returned before this was known.
static void tell_no_listener(const Id* id) {
  const int error = refuse(ECONNREFUSED, Cause::cm_no_listener, port_in(&id->base.route.addr.dst_addr));
  verbs::watch::refused_call("rdma_connect", error, &id->base, false);
}

void Service::on_sidr_reply(Id* id, const Event& event) {
  if (event.status != wire::sidr_status::valid) {
    if (event.status == wire::sidr_status::unsupported) tell_no_listener(id);
    EventObject* out = make_event(id, RDMA_CM_EVENT_UNREACHABLE, event.status);
    set_data(out, event.private_data);
    return queue_event(id->channel(), out);
  }
  id->phase = Phase::connected;
  EventObject* out = make_event(id, RDMA_CM_EVENT_ESTABLISHED, 0);
  copy_data(out, event.private_data);
  rdma_ud_param& p = out->base.param.ud;
  p.private_data = out->data.data();
  p.private_data_len = static_cast<uint8_t>(event.private_data.size());
  p.qp_num = event.sidr_rep->qpn;
  p.qkey = event.sidr_rep->qkey;
  p.ah_attr.is_global = 1;
  p.ah_attr.port_num = 1;
  p.ah_attr.grh.sgid_index = static_cast<uint8_t>(id->gid_index);
  p.ah_attr.grh.hop_limit = 64;
  p.ah_attr.grh.traffic_class = id->tos;
  std::memcpy(p.ah_attr.grh.dgid.raw, event.connection.address.remote.data(), 16);
  queue_event(id->channel(), out);
}

void Service::on_event(const Event& event) {
  if (event.type == EventType::request || event.type == EventType::sidr_request) return on_request(event);
  auto* id = static_cast<Id*>(event.connection.user);
  const bool had_connection = id->phase == Phase::connecting || id->phase == Phase::connected;
  switch (event.type) {
    case EventType::reply:
      return on_reply(id, event);
    case EventType::sidr_reply:
      return on_sidr_reply(id, event);
    case EventType::established: {
      id->phase = Phase::connected;
      EventObject* out = make_event(id, RDMA_CM_EVENT_ESTABLISHED, 0);
      set_data(out, event.private_data);
      return queue_event(id->channel(), out);
    }
    case EventType::rejected: {
      if (event.status == wire::cm_reject::invalid_service_id) tell_no_listener(id);
      EventObject* out = make_event(id, RDMA_CM_EVENT_REJECTED, event.status);
      set_data(out, event.private_data);
      return queue_event(id->channel(), out);
    }
    case EventType::unreachable:
      return queue_event(id, RDMA_CM_EVENT_UNREACHABLE, -event.status);
    case EventType::disconnect_request:
    case EventType::disconnected: {
      if (!had_connection) return;
      id->phase = Phase::disconnected;
      EventObject* out = make_event(id, RDMA_CM_EVENT_DISCONNECTED, -event.status);
      set_data(out, event.private_data);
      return queue_event(id->channel(), out);
    }
    case EventType::timewait_exit:
      if (id->phase == Phase::disconnected) queue_event(id, RDMA_CM_EVENT_TIMEWAIT_EXIT, 0);
      return;
    default:
      return;
  }
}

}  // namespace uroce::cm
