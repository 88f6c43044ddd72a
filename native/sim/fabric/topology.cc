#include "sim/fabric/topology.h"

#include <algorithm>
#include <vector>

namespace vlsim {
namespace {

// Groups that are equal share a number.
void add(Switch& at, uint32_t host, std::vector<uint32_t>&& group) {
  const auto known = std::find(at.groups.begin(), at.groups.end(), group);
  at.routes[host] = static_cast<uint16_t>(known - at.groups.begin());
  if (known == at.groups.end()) at.groups.push_back(std::move(group));
}

// All shortest ways to each host, by breadth-first search from the switch that it is at.
void find_routes(Fabric& fabric) {
  const auto switches = static_cast<uint32_t>(fabric.switches.size());
  std::vector<uint32_t> distance(switches);
  std::vector<uint32_t> queue;
  for (auto& at : fabric.switches) at->routes.assign(fabric.hosts.size(), 0);
  for (uint32_t host = 0; host < fabric.hosts.size(); ++host) {
    const Port& down = *fabric.ports[fabric.host_port(host).peer];
    if (down.host) continue;
    distance.assign(switches, kNone);
    distance[down.owner] = 0;
    queue.assign(1, down.owner);
    add(*fabric.switches[down.owner], host, {down.number});
    for (size_t next = 0; next < queue.size(); ++next) {
      for (const uint32_t index : fabric.switches[queue[next]]->ports) {
        const Port& peer = *fabric.ports[fabric.ports[index]->peer];
        if (peer.host || distance[peer.owner] != kNone) continue;
        distance[peer.owner] = distance[queue[next]] + 1;
        queue.push_back(peer.owner);
      }
    }
    for (auto& at : fabric.switches) {
      if (distance[at->index] == 0) continue;
      std::vector<uint32_t> group;
      for (uint32_t n = 0; n < at->ports.size(); ++n) {
        const Port& peer = *fabric.ports[fabric.ports[at->ports[n]]->peer];
        if (!peer.host && distance[peer.owner] != kNone && distance[peer.owner] + 1 == distance[at->index])
          group.push_back(n);
      }
      add(*at, host, std::move(group));
    }
  }
}

// The way round a ring: the port to the next switch, which every switch has.
void send_clockwise(Fabric& fabric, const std::vector<uint32_t>& next_port, bool loop) {
  for (auto& at : fabric.switches) {
    const uint32_t onward = next_port[at->index];
    at->groups.push_back({onward});
    const auto group = static_cast<uint16_t>(at->groups.size() - 1);
    for (uint32_t host = 0; host < fabric.hosts.size(); ++host) {
      const bool here = fabric.ports[fabric.host_port(host).peer]->owner == at->index;
      if (!here || (loop && host == 0)) at->routes[host] = group;
    }
  }
}

// The switch that a host is at. Host s * rails + r is NIC r of server s.
uint32_t switch_of(const Topology& t, uint32_t host) {
  switch (t.kind) {
    case TopologyKind::leaf_spine:
    case TopologyKind::ring:
      return host / t.per_switch;
    case TopologyKind::fat_tree:
      return host / (t.arity / 2);
    case TopologyKind::rail:
      return host % t.rails;
    default:
      return 0;
  }
}

}  // namespace

uint32_t host_count(const Topology& t) {
  switch (t.kind) {
    case TopologyKind::back_to_back:
      return 2;
    case TopologyKind::star:
      return t.hosts;
    case TopologyKind::leaf_spine:
      return t.leaves * t.per_switch;
    case TopologyKind::fat_tree:
      return t.arity * t.arity * t.arity / 4;
    case TopologyKind::rail:
      return t.hosts * t.rails;
    case TopologyKind::ring:
      return t.switches * t.per_switch;
  }
  return 0;
}

uint32_t switch_count(const Topology& t) {
  switch (t.kind) {
    case TopologyKind::back_to_back:
      return 0;
    case TopologyKind::star:
      return 1;
    case TopologyKind::leaf_spine:
      return t.leaves + t.spines;
    case TopologyKind::fat_tree:
      return t.arity * t.arity + t.arity * t.arity / 4;
    case TopologyKind::rail:
      return t.rails + t.spines;
    case TopologyKind::ring:
      return t.switches;
  }
  return 0;
}

void each_uplink(const Topology& t, const std::function<void(uint32_t a, uint32_t b)>& f) {
  const auto all_to_all = [&](uint32_t low, uint32_t high) {
    for (uint32_t a = 0; a < low; ++a) {
      for (uint32_t b = 0; b < high; ++b) f(a, low + b);
    }
  };
  switch (t.kind) {
    case TopologyKind::back_to_back:
    case TopologyKind::star:
      break;
    case TopologyKind::leaf_spine:
      return all_to_all(t.leaves, t.spines);
    case TopologyKind::rail:
      return all_to_all(t.rails, t.spines);
    case TopologyKind::fat_tree: {
      // Pods of half edge and half aggregation switches, then the cores (Al-Fares et al. 2008).
      const uint32_t half = t.arity / 2, edges = t.arity * half;
      for (uint32_t pod = 0; pod < t.arity; ++pod) {
        for (uint32_t a = 0; a < half; ++a) {
          const uint32_t aggregation = edges + pod * half + a;
          for (uint32_t e = 0; e < half; ++e) f(pod * half + e, aggregation);
          for (uint32_t c = 0; c < half; ++c) f(aggregation, 2 * edges + a * half + c);
        }
      }
      break;
    }
    case TopologyKind::ring:
      for (uint32_t i = 0; i < t.switches; ++i) f(i, (i + 1) % t.switches);
  }
}

// Only rails without spines are apart from each other.
bool reaches(const Topology& t, uint32_t from, uint32_t to) {
  return t.kind != TopologyKind::rail || t.spines != 0 || from % t.rails == to % t.rails;
}

void set_route(Fabric& fabric, Switch& at, uint32_t host, uint32_t neighbor) {
  if (at.first_routes.empty()) at.first_routes = at.routes;
  if (neighbor == at.index) {
    at.routes[host] = at.first_routes[host];
    return;
  }
  std::vector<uint32_t> group;
  for (uint32_t n = 0; n < at.ports.size(); ++n) {
    const Port& peer = *fabric.ports[fabric.ports[at.ports[n]]->peer];
    if (!peer.host && peer.owner == neighbor) group.push_back(n);
  }
  add(at, host, std::move(group));
}

std::string refused(const Topology& t) {
  if (t.kind == TopologyKind::fat_tree && (t.arity < 2 || t.arity % 2 != 0 || t.arity > 24))
    return "The arity of a fat tree must be an even number from 2 to 24.";
  if (t.kind == TopologyKind::leaf_spine && (t.leaves == 0 || t.spines == 0))
    return "A leaf-spine fabric needs at least one leaf and one spine.";
  if (t.kind == TopologyKind::ring && t.switches < 2) return "A ring needs at least two switches.";
  if (t.leaves > 1024 || t.spines > 1024 || t.switches > 1024 || t.rails > 256 || t.per_switch > kMostHosts ||
      t.hosts > kMostHosts)
    return "The topology is too large.";
  const uint32_t hosts = host_count(t);
  if (hosts < 2) return "A topology needs at least two hosts.";
  if (hosts > kMostHosts)
    return "Too many hosts: " + std::to_string(hosts) + " (limit " + std::to_string(kMostHosts) + ").";
  return "";
}

void build(Fabric& fabric, const Topology& t, const Links& links, const HostSettings& host,
           const SwitchSettings& settings, const uroce::transport::EngineConfig& config, uint64_t seed) {
  const uint32_t hosts = host_count(t);
  for (uint32_t i = 0; i < hosts; ++i) fabric.add_host(host, config);
  for (uint32_t i = 0; i < switch_count(t); ++i)
    fabric.add_switch(settings, t.same_seed ? seed : mix(seed + 0x5000 + i));
  if (t.kind == TopologyKind::back_to_back) {
    fabric.link_hosts(*fabric.hosts[0], *fabric.hosts[1], links.host);
  } else {
    for (uint32_t i = 0; i < hosts; ++i)
      fabric.link_host(*fabric.hosts[i], *fabric.switches[switch_of(t, i)], links.host);
  }
  if (t.kind == TopologyKind::fat_tree) {
    const uint32_t half = t.arity / 2, edges = t.arity * half;
    for (uint32_t i = edges; i < 2 * edges; ++i) fabric.switches[i]->stride = half;
  }
  std::vector<uint32_t> next_port;  // a ring's
  each_uplink(t, [&](uint32_t a, uint32_t b) {
    next_port.push_back(static_cast<uint32_t>(fabric.switches[a]->ports.size()));
    fabric.link_switches(*fabric.switches[a], *fabric.switches[b], links.uplink);
  });
  find_routes(fabric);
  if (t.kind == TopologyKind::ring && t.clockwise) send_clockwise(fabric, next_port, t.loop);
  fabric.start();
}

}  // namespace vlsim
