#include "sim/fabric/fabric.h"

#include <algorithm>

namespace vlsim {

const char* const kDropReasonNames[kDropReasons] = {
    "link loss", "headroom full", "above threshold", "NIC buffer", "hop limit", "watchdog", "no route"};

Host& Fabric::add_host(const HostSettings& settings, const uroce::transport::EngineConfig& config) {
  const auto index = static_cast<uint32_t>(hosts.size());
  hops_ = settings.hops;
  hosts.push_back(std::make_unique<Host>(*this, index, settings, config, mix(seed_ ^ mix(index))));
  host_ports_.push_back(kNone);
  return *hosts.back();
}

Switch& Fabric::add_switch(const SwitchSettings& settings, uint64_t hash_seed) {
  switches.push_back(std::make_unique<Switch>(static_cast<uint32_t>(switches.size()), settings, hash_seed));
  return *switches.back();
}

uint32_t Fabric::add_port(bool host, uint32_t owner, uint32_t number, const LinkSettings& link) {
  const auto index = static_cast<uint32_t>(ports.size());
  auto port = std::make_unique<Port>();
  port->index = index;
  port->host = host;
  port->owner = owner;
  port->number = number;
  port->link = link;
  port->random = SeededRandom(mix(mix(seed_) + 0x1000 + index));
  ports.push_back(std::move(port));
  if (host) {
    host_ports_[owner] = index;
  } else {
    switches[owner]->ports.push_back(index);
  }
  return index;
}

void Fabric::connect(uint32_t a, uint32_t b) {
  ports[a]->peer = b;
  ports[b]->peer = a;
}

uint32_t Fabric::link_host(Host& host, Switch& to, const LinkSettings& link) {
  const uint32_t a = add_port(true, host.index(), 0, link);
  const uint32_t b = add_port(false, to.index, static_cast<uint32_t>(to.ports.size()), link);
  connect(a, b);
  return a;
}

uint32_t Fabric::link_switches(Switch& a, Switch& b, const LinkSettings& link) {
  const uint32_t x = add_port(false, a.index, static_cast<uint32_t>(a.ports.size()), link);
  const uint32_t y = add_port(false, b.index, static_cast<uint32_t>(b.ports.size()), link);
  connect(x, y);
  return x;
}

uint32_t Fabric::link_hosts(Host& a, Host& b, const LinkSettings& link) {
  const uint32_t x = add_port(true, a.index(), 0, link);
  const uint32_t y = add_port(true, b.index(), 0, link);
  connect(x, y);
  return x;
}

void Fabric::start() {
  for (auto& at : switches) {
    at->buffer = SharedBuffer(at->set.buffer, static_cast<uint32_t>(at->ports.size()));
    if (at->set.watchdog.detect != 0)
      events.push(now_ + at->set.watchdog.detect, EventKind::watchdog, at->index);
  }
  for (auto& port : ports) {
    const Port& peer = *ports[port->peer];
    port->beyond = peer.host ? hosts[peer.owner]->settings().latency : switches[peer.owner]->set.latency;
    if (port->host) {
      port->beyond += hosts[port->owner]->settings().latency;
    } else {
      port->strict = switches[port->owner]->set.strict;
      port->weights = switches[port->owner]->set.weights;
    }
  }
}

Time Fabric::run(Time until) {
  while (stopped_.empty() && !events.empty() && events.top().time <= until) {
    const Event event = events.pop();
    // What the next events need comes from memory meanwhile.
    events.each_near([this](const Event& next) {
      if (next.kind() == EventKind::arrive) packets.prefetch(next.b);
    });
    now_ = event.time;
    dispatch(event);
    if (++dispatched_ >= check_at_) [[unlikely]]
      check_budget();
  }
  if (stopped_.empty() && until != kForever) now_ = std::max(now_, until);
  return now_;
}

void Fabric::set_budget(const Budget& budget) {
  budget_ = budget;
  check_at_ = 0;
}

uint64_t Fabric::memory() const {
  return packets.memory() + events.most() * sizeof(Event) + (listener_ == nullptr ? 0 : listener_->memory());
}

void Fabric::check_budget() {
  constexpr uint64_t kInterval = 1 << 12;  // events
  if (budget_.events != 0 && dispatched_ >= budget_.events)
    fail("events", "It has had " + std::to_string(dispatched_) +
                       " events (limits.events). Raise the limit, or choose a shorter duration_us.");
  if (memory() > budget_.memory)
    fail("memory",
         "It holds more than " + std::to_string(budget_.memory >> 20) +
             " MiB (limits.memory_mib). Raise the limit, or let fewer flows begin: storage has `flows`.");
  check_at_ = dispatched_ + kInterval;
  if (budget_.events != 0 && budget_.events > dispatched_ && budget_.events < check_at_)
    check_at_ = budget_.events;
}

void Fabric::dispatch(const Event& event) {
  switch (event.kind()) {
    case EventKind::arrive:
      return arrive(*ports[event.a], event.b, now_);
    case EventKind::ready: {
      Port& port = *ports[event.a];
      ++packet_events_;
      if (port.ready_at <= now_) port.ready_at = kForever;
      return pump(port, now_);
    }
    case EventKind::received:
      return hosts[event.a]->received(now_, event.b);
    case EventKind::wake:
      return hosts[event.a]->on_time(now_);
    case EventKind::refresh:
      return refresh_pause(*ports[event.a], event.b, now_);
    case EventKind::watchdog:
      return poll_watchdog(*switches[event.a], now_);
    case EventKind::change:
    case EventKind::sample:
    case EventKind::work:
      if (listener_ != nullptr) listener_->happens(now_, event);
  }
}

uint32_t Fabric::make_packet(PacketKind kind, Time now) {
  const uint32_t id = packets.take();
  Packet& p = packets[id];
  p.kind = kind;
  p.made = now;
  p.ingress = kNone;
  p.payload = 0;
  p.header_length = p.pad = 0;
  p.ecn = 0;
  p.hops_left = hops_;
  ++tallies_[static_cast<uint32_t>(kind)].made;
  return id;
}

void Fabric::unmake(uint32_t id) {
  --tallies_[static_cast<uint32_t>(packets[id].kind)].made;
  packets.give(id);
}

void Fabric::drop(Port& port, uint32_t id, DropReason reason) {
  ++port.dropped[static_cast<uint32_t>(reason)];
  // A PAUSE frame is in no class.
  if (packets[id].kind != PacketKind::pause)
    ++(reason == DropReason::link_loss ? port.lost : port.refused)[packets[id].traffic_class];
  ++tallies_[static_cast<uint32_t>(packets[id].kind)].dropped;
  packets.give(id);
  if (stop_.drop) stop("drop");
}

void Fabric::consumed(uint32_t id) {
  ++tallies_[static_cast<uint32_t>(packets[id].kind)].delivered;
  packets.give(id);
}

void Fabric::send_raw(Time now, uint32_t source, uint32_t destination, uint32_t bytes, uint32_t entropy,
                      uint8_t cls, uint8_t ecn) {
  const uint32_t id = make_packet(PacketKind::raw, now);
  Packet& p = packets[id];
  p.bytes = bytes;
  p.entropy = entropy;
  p.source = static_cast<uint16_t>(source);
  p.destination = static_cast<uint16_t>(destination);
  p.traffic_class = cls;
  p.ecn = ecn;
  Port& port = host_port(source);
  enqueue(port, id, now);
  pump(port, now);
}

void Fabric::arrive(Port& port, uint32_t id, Time now) {
  ++packet_events_;
  Packet& p = packets[id];
  hash_.add(now);
  hash_.add(uint64_t{port.index} << 32 | uint64_t{static_cast<uint8_t>(p.kind)} << 24 | p.bytes);
  if (tap_ != nullptr && port.host) [[unlikely]]
    tap_->arrived(port, *ports[port.peer], p, packets.payload_if_any(id), now);
  if (p.kind == PacketKind::pause) {
    take_in_pause(port, p, now);
    return consumed(id);
  }
  ++port.arrived[p.traffic_class];
  if (port.host) {
    hosts[port.owner]->arrive(now, id);
  } else {
    switch_arrive(port, id, now);
  }
}

uint32_t Fabric::hops(uint32_t from, uint32_t to) const {
  uint32_t count = 0;
  for (const Port* port = ports[ports[host_ports_[from]]->peer].get(); !port->host && count < 64; ++count) {
    const Switch& at = *switches[port->owner];
    const std::vector<uint32_t>& group = at.groups[at.routes[to]];
    if (group.empty()) break;
    port = ports[ports[at.ports[group[0]]]->peer].get();
  }
  return count;
}

uint64_t Fabric::timeouts() const {
  uint64_t sum = 0;
  for (const auto& host : hosts) sum += host->engine().counters().local_ack_timeout_err;
  return sum;
}

}  // namespace vlsim
