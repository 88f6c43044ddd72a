#include "sim/scenario/simulation.h"

#include <algorithm>

namespace vlsim {
namespace {

Fabric& built(Fabric& fabric, const Scenario& s) {
  build(fabric, s.topology, s.links, s.host, s.at, engine_config(s), mix(s.seed));
  return fabric;
}

}  // namespace

uroce::transport::EngineConfig engine_config(const Scenario& s) {
  const TransportSettings& t = s.transport;
  const uint32_t mtu = t.connection.mtu;
  uroce::transport::EngineConfig config;
  config.window_bytes = std::max(t.window_bytes, mtu);
  config.window_packets = std::max(config.window_bytes / mtu, 1u);
  config.engine_window_bytes = t.host_window_bytes;
  config.ack_request_packets = std::clamp(config.window_packets / t.acks_per_window, 1u, 64u);
  config.ack_request_bytes = std::clamp(config.window_bytes / t.acks_per_window, 1u, 1u << 16);
  config.cnp_interval_ns = t.cnp_interval_ns;
  config.policy = t.policy;
  config.reorder_packets = t.reorder_packets;
  config.timeout_window_cut = t.timeout_window_cut;
  config.timeout_stretch = t.timeout_stretch;
  config.burst_packets = 1;  // a NIC takes turns by packet
  return config;
}

Time base_rtt(const Scenario& s, uint32_t hops) {
  const uint32_t data = s.transport.connection.mtu + 82, ack = 86;
  const Time ends = 4 * s.host.latency;
  if (hops == 0)
    return ends + s.links.host.rate.of(data) + s.links.host.rate.of(ack) + 2 * s.links.host.delay;
  const auto way = [&](uint32_t bytes) {
    return 2 * (s.links.host.delay + s.links.host.rate.of(bytes)) +
           (hops - 1) * (s.links.uplink.delay + s.links.uplink.rate.of(bytes)) + hops * s.at.latency;
  };
  return ends + way(data) + way(ack);
}

Simulation::Simulation(const Scenario& scenario)
    : scenario_(scenario),
      fabric_(scenario.seed, scenario.payload),
      flows_(built(fabric_, scenario), scenario.transport.connection, scenario.transport.message_bytes,
             scenario.transport.qps, mix(scenario.seed + 0x10000), scenario.at.spread == Spread::fixed),
      traffic_(fabric_, flows_) {
  fabric_.set_listener(this);
  fabric_.stop_at(scenario.stop);
  fabric_.set_budget(scenario.limits);
  made_.resize(scenario.changes.size());
  for (size_t i = 0; i < scenario_.traffic.size(); ++i)
    traffic_.add(scenario_.traffic[i], mix(mix(scenario.seed) + 0x20000 + i));
  for (uint32_t i = 0; i < scenario_.changes.size(); ++i)
    fabric_.events.push(scenario_.changes[i].at, EventKind::change, i);
  if (scenario_.sample != 0) fabric_.events.push(scenario_.sample, EventKind::sample);
}

Time Simulation::run(Time until) { return fabric_.run(until); }

bool Simulation::done() const {
  return std::all_of(traffic_.sources().begin(), traffic_.sources().end(),
                     [](const auto& source) { return source->done().has_value(); });
}

void Simulation::completed(Time now, Host& host, const uroce::transport::Completion& wc) {
  flows_.completed(now, host, wc);
  if (scenario_.until_done && flows_.unfinished() == 0 && done()) fabric_.stop("done");
}

void Simulation::happens(Time now, const Event& event) {
  switch (event.kind()) {
    case EventKind::sample:
      if (sampler_) sampler_(now);
      fabric_.events.push(now + scenario_.sample, EventKind::sample);
      return;
    case EventKind::change:
      made_[event.a] = {now, seen_by_rules(scenario_.changes[event.a])};
      return apply(now, scenario_.changes[event.a]);
    default:
      traffic_.happens(now, event);
  }
}

bool Simulation::concerns(const Change& change, const Port& port) const {
  if (change.host == kNone && change.node == kNone) return true;
  const Port& peer = *fabric_.ports[port.peer];
  const auto of_host = [&](const Port& end) { return end.host && end.owner == change.host; };
  const auto of_switch = [&](const Port& end) { return !end.host && end.owner == change.node; };
  if (change.peer != kNone) {
    const auto between = [&](const Port& a, const Port& b) {
      return of_switch(a) && !b.host && b.owner == change.peer;
    };
    return between(port, peer) || between(peer, port);
  }
  return of_host(port) || of_host(peer) || of_switch(port) || of_switch(peer);
}

uint64_t Simulation::seen_by_rules(const Change& change) const {
  uint64_t sum = 0;
  const bool acks = change.kind == Change::Kind::lose_acks;
  each_link(change, [&](const Port& port) { sum += acks ? port.ack_candidates : port.candidates; });
  return sum;
}

void Simulation::apply(Time now, const Change& change) {
  const auto each = [&](auto&& f) { each_link(change, f); };
  const auto each_host = [&](auto&& f) {
    for (auto& host : fabric_.hosts) {
      if (change.host == kNone || host->index() == change.host) f(*host);
    }
  };
  const auto each_switch = [&](auto&& f) {
    for (auto& at : fabric_.switches) {
      if (change.node == kNone || at->index == change.node) f(*at);
    }
  };
  switch (change.kind) {
    case Change::Kind::link_up:
      return each([&](Port& port) { fabric_.set_link_up(port, change.value != 0, now); });
    case Change::Kind::link_rate:
      return each([&](Port& port) { port.link.rate = {std::max<uint64_t>(change.value, 1)}; });
    case Change::Kind::link_loss:
      return each([&](Port& port) { port.link.loss_ppb = change.value; });
    case Change::Kind::lose_every:
      return each([&](Port& port) {
        port.link.lose_every = change.value;
        port.turn_of_loss = 0;
      });
    case Change::Kind::lose_acks:
      return each([&](Port& port) { port.link.lose_acks_ppb = change.value; });
    case Change::Kind::route:
      return set_route(fabric_, *fabric_.switches[change.node], change.host,
                       static_cast<uint32_t>(change.value));
    case Change::Kind::receive_rate:
      return each_host([&](Host& host) { host.settings().receive = {change.value}; });
    case Change::Kind::window:
      return each_host([&](Host& host) {
        const uint32_t mtu = scenario_.transport.connection.mtu;
        const auto bytes = static_cast<uint32_t>(std::max<uint64_t>(change.value, mtu));
        host.engine().set_windows(bytes / mtu, bytes, scenario_.transport.host_window_bytes);
        host.kick(now);
      });
    case Change::Kind::ecn:
      return each_switch([&](Switch& at) { at.set.ecn.on = change.value != 0; });
    case Change::Kind::alpha:
      return each_switch(
          [&](Switch& at) { at.buffer.settings().alpha = static_cast<uint32_t>(change.value); });
  }
}

}  // namespace vlsim
