// Flows, the destinations of queue pairs and address handles, and multicast groups.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_set>

#include "uroce/refusal.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs {

std::size_t Device::FlowHash::operator()(const FlowKey& key) const {
  uint64_t parts[2];
  std::memcpy(parts, key.destination.data(), sizeof parts);
  return static_cast<std::size_t>((parts[0] * 0x9e3779b97f4a7c15u) ^ parts[1] ^
                                  (uint64_t{key.sgid_index} << 48 | uint64_t{key.traffic_class} << 40 |
                                   uint64_t{key.hop_limit} << 32 | uint64_t{key.sockets_only} << 31 |
                                   key.flow_label));
}

std::optional<Device::FlowKey> Device::flow_key(const FlowKey& wanted) const {
  if (!has_gid(wanted.sgid_index)) return std::nullopt;
  const std::size_t index = plan_.entry(wanted.sgid_index);
  const bool v4 = is_ipv4(plan_.gids[index].gid);
  if (net::is_zero(wanted.destination) || v4 != is_ipv4(wanted.destination)) return std::nullopt;
  FlowKey key = wanted;
  key.sgid_index = static_cast<uint8_t>(index);
  key.flow_label = v4 ? 0 : key.flow_label & 0xfffff;
  // A multicast packet does not leave the link.
  if (key.hop_limit <= 1 || is_multicast(key.destination)) key.hop_limit = 0;
  return key;
}

net::Flow Device::make_flow(const FlowKey& key) const {
  const net::LocalAddress& local = plan_.gids[key.sgid_index];
  net::Flow flow;
  flow.source = local.gid;
  flow.destination = key.destination;
  flow.to_length = net::to_sockaddr(key.destination, local.scope_id, &flow.to);
  if (key.flow_label != 0) reinterpret_cast<sockaddr_in6*>(&flow.to)->sin6_flowinfo = htonl(key.flow_label);
  flow.socket = share_->socket(key.sgid_index);
  flow.source_port = wire::kRocePort;
  flow.traffic_class = key.traffic_class;
  flow.ipv4 = is_ipv4(local.gid);
  flow.sockets_only = key.sockets_only;
  flow.same_host = is_loopback(key.destination) || std::ranges::any_of(plan_.gids, [&](const auto& own) {
                     return own.gid == key.destination;
                   });
  // Sent with each packet only if the socket would not use it by default.
  if (key.hop_limit != net::default_hop_limit(flow.socket, flow.ipv4)) flow.hop_limit = key.hop_limit;
  return flow;
}

// Refuses a flow: EINVAL with its cause.
int Device::refuse_flow(const FlowKey& wanted) const {
  if (!has_gid(wanted.sgid_index)) return refuse(EINVAL, Cause::sgid_empty, wanted.sgid_index);
  if (net::is_zero(wanted.destination)) return refuse(EINVAL, Cause::dgid_zero);
  return refuse(EINVAL, Cause::gid_family, is_ipv4(wanted.destination),
                is_ipv4(plan_.gids[wanted.sgid_index].gid), wanted.sgid_index);
}

const net::Flow* Device::flow(const FlowKey& wanted, FlowHolder holder) {
  const auto key = flow_key(wanted);
  if (!key) {
    refuse_flow(wanted);
    return nullptr;
  }
  if (flows_.size() >= forget_at_) [[unlikely]]
    forget_flows();
  auto& flow = flows_[*key];
  if (!flow) {
    flow = std::make_unique<KnownFlow>();
    static_cast<net::Flow&>(*flow) = make_flow(*key);
  }
  if (holder == FlowHolder::queue_pair) {
    flow->pinned = true;
  } else {
    flow->handles.fetch_add(1, std::memory_order_relaxed);
  }
  return flow.get();
}

void Device::release_flow(const Path& path) {
  auto* flow = const_cast<KnownFlow*>(static_cast<const KnownFlow*>(&net::flow_of(path)));
  flow->handles.fetch_sub(1, std::memory_order_release);
}

// A program that answers datagrams makes an address handle for each address, traffic class and flow label,
// and a sender can invent these. Work requests and held packets carry their path and need no handle.
void Device::forget_flows() {
  if (roce_port_->holds_packets()) return;  // the next one that is made tries again
  std::unordered_set<uint64_t> needed;
  const auto need = [&needed](const Path& path) { needed.insert(path.cookie); };
  engine_->for_each_datagram_path(need);
  if (fault_port_) fault_port_->for_each_path(need);
  std::erase_if(flows_, [&](const auto& entry) {
    const KnownFlow& flow = *entry.second;
    return !flow.pinned && flow.handles.load(std::memory_order_acquire) == 0 &&
           !needed.contains(reinterpret_cast<uintptr_t>(static_cast<const net::Flow*>(&flow)));
  });
  // receiver_room_ and rings_ find a flow by its address, which another flow may get.
  receiver_room_->forget();
  if (rings_) rings_->forget_last();
  forget_at_ = std::max(kManyFlows, 2 * flows_.size());
}

const net::Flow* Device::passing_flow(uint8_t sgid_index, const Gid& destination, uint8_t traffic_class) {
  const auto key =
      flow_key({.destination = destination, .sgid_index = sgid_index, .traffic_class = traffic_class});
  if (!key) return nullptr;
  if (const auto known = flows_.find(*key); known != flows_.end()) return known->second.get();
  if (passing_flows_.size() < kPassingFlows) return &passing_flows_.emplace_back(make_flow(*key));
  net::Flow& oldest = passing_flows_[next_passing_];
  next_passing_ = (next_passing_ + 1) % kPassingFlows;
  oldest = make_flow(*key);
  return &oldest;
}

int Device::attach_mcast(transport::Qp& qp, const Gid& group) {
  if (const int error = engine_->attach_mcast(qp, group); error != 0) return error;
  if (multicast_->socket(group) >= 0) return 0;
  const auto socket = multicast_->join(group);
  if (!socket) {
    engine_->detach_mcast(qp, group);
    return refuse(socket.error(), Cause::mcast_join);
  }
  udp_link_->add_socket({*socket, group});
  multicast_fd_.store(multicast_->fd());
  // A thread that sleeps on the sockets does not know this socket yet.
  const uint64_t now = this->now();
  touched();
  thread_->check_by(now, now);
  return 0;
}

int Device::detach_mcast(transport::Qp& qp, const Gid& group) {
  if (const int error = engine_->detach_mcast(qp, group); error != 0) return error;
  if (engine_->has_mcast(group)) return 0;
  udp_link_->remove_socket(multicast_->socket(group));
  multicast_->leave(group);
  return 0;
}

}  // namespace uroce::verbs
