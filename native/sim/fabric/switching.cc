// What a switch does with a packet. On arrival: route, admit, count, PAUSE, enqueue. On departure: mark, release,
// resume.
#include <algorithm>

#include "sim/fabric/fabric.h"

namespace vlsim {

uint32_t Fabric::route(Switch& at, const Packet& p) {
  const std::vector<uint32_t>& group = at.groups[at.routes[p.destination]];
  if (group.size() <= 1) return group.empty() ? kNone : group[0];
  const auto size = static_cast<uint32_t>(group.size());
  if (at.set.spread == Spread::spray) return group[at.random.below(size)];
  if (at.set.spread == Spread::fixed) return group[p.entropy / at.stride % size];
  const uint64_t flow = uint64_t{p.source} << 48 | uint64_t{p.destination} << 32 | p.entropy;
  const auto hash = static_cast<uint32_t>(mix(flow ^ mix(at.hash_seed)) >> 32);
  return group[static_cast<uint64_t>(hash) * size >> 32];
}

void Fabric::switch_arrive(Port& port, uint32_t id, Time now) {
  Switch& at = *switches[port.owner];
  Packet& p = packets[id];
  if (p.hops_left < least_hops_) [[unlikely]]
    least_hops_ = p.hops_left;
  if (p.hops_left <= 1) [[unlikely]]
    return drop(port, id, DropReason::hops);
  --p.hops_left;
  const uint32_t out = route(at, p);
  if (out == kNone) [[unlikely]]
    return drop(port, id, DropReason::no_route);
  Port& to = *ports[at.ports[out]];
  const uint32_t cls = p.traffic_class;
  ClassQueue& q = to.queues[cls];
  if (to.given_up >> cls & 1 && at.set.watchdog.drops) [[unlikely]]
    return drop(to, id, DropReason::watchdog);
  switch (at.buffer.admit(port.number, cls, p.bytes, q.bytes)) {
    case SharedBuffer::Verdict::admitted:
      break;
    case SharedBuffer::Verdict::above_threshold:
      return drop(to, id, DropReason::threshold);
    case SharedBuffer::Verdict::headroom_full:
      return drop(port, id, DropReason::headroom);
  }
  p.ingress = port.number;
  if (at.buffer.lossless(cls) && at.buffer.stops(port.number, cls)) {
    SharedBuffer::Group& group = at.buffer.group(port.number, cls);
    if (!group.xoff) {
      group.xoff = true;
      at.stopped.emplace_back(port.number, cls);
      send_pause(port, cls, true, now);
    }
  }
  if (at.set.ecn.on) {
    if (at.set.ecn.weight != EcnSettings::kInstantaneous) update_average(at, to, q, now);
    if (at.set.ecn.at_enqueue) maybe_mark(at, to, p, q.bytes + p.bytes);
  }
  enqueue(to, id, now);
  pump(to, now);
}

void Fabric::release(Port& port, uint32_t ingress, uint32_t cls, uint32_t bytes, Time now) {
  Switch& at = *switches[port.owner];
  at.buffer.release(ingress, cls, bytes);
  if (!at.stopped.empty()) resume_where_possible(at, now);
}

// The average of RED (Floyd, Jacobson 1993): each arrival counts by its weight, and an empty queue as if small packets had
// found it empty.
void Fabric::update_average(Switch& at, Port& port, ClassQueue& q, Time now) {
  constexpr uint64_t kSmall = 500, kMostIdle = 1 << 20;
  const uint64_t weight = at.set.ecn.weight;
  const auto toward = [&](uint64_t bytes) {
    const uint64_t goal = bytes << 16;
    if (goal >= q.average) {
      q.average += (goal - q.average) / EcnSettings::kInstantaneous * weight;
    } else {
      q.average -= (q.average - goal) / EcnSettings::kInstantaneous * weight;
    }
  };
  if (q.count == 0) {
    uint64_t idle = std::min((now - q.changed) / port.link.rate.of(kSmall), kMostIdle);
    for (; idle != 0 && q.average >= 1 << 16; --idle) toward(0);
  }
  toward(q.bytes);
}

void Fabric::maybe_mark(Switch& at, Port& port, Packet& p, uint64_t queued) {
  const EcnSettings& ecn = at.set.ecn;
  if (ecn.weight != EcnSettings::kInstantaneous) queued = port.queues[p.traffic_class].average >> 16;
  if (queued < ecn.low || p.ecn == 0) return;
  if (queued < ecn.high) {
    const uint64_t share = (queued - ecn.low) * ecn.share_ppm / (ecn.high - ecn.low);
    if (at.random.below(1'000'000) >= share) return;
  }
  p.ecn = 3;
  ++port.marked;
  ++port.queues[p.traffic_class].marked;
}

}  // namespace vlsim
