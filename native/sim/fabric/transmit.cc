// Transmitters: which packet of a port goes next, and what its link does to it.
#include <algorithm>
#include <bit>

#include "sim/fabric/fabric.h"

namespace vlsim {
namespace {

constexpr uint32_t kQuantum = 4096 + 128;  // bytes of DWRR per unit of weight

}  // namespace

void Fabric::enqueue(Port& port, uint32_t id, Time now) {
  Packet& p = packets[id];
  ClassQueue& q = port.queues[p.traffic_class];
  p.queued = now;
  q.enter(now, p.bytes);
  q.packets.push(packets, id);
  port.waiting |= 1u << p.traffic_class;
  if (stop_.queue_above != 0 && q.bytes > stop_.queue_above) [[unlikely]]
    stop("queue above the limit");
}

void Fabric::ready_by(Port& port, Time when) {
  if (when >= port.ready_at) return;
  port.ready_at = when;
  events.push(when, EventKind::ready, port.index);
}

void Fabric::pump(Port& port, Time now) {
  if (now < port.free_at) return ready_by(port, port.free_at);
  uint32_t id = next_packet(port, now);
  if (id == kNone && port.host && hosts[port.owner]->pull(now)) id = next_packet(port, now);
  if (id == kNone) {
    // All that waits is paused.
    if (port.waiting != 0) {
      Time opens = kForever;
      for (uint32_t w = port.waiting; w != 0; w &= w - 1)
        opens = std::min(opens, port.paused_until[static_cast<uint32_t>(std::countr_zero(w))]);
      ready_by(port, opens);
    }
    return;
  }
  const Packet& p = packets[id];
  const uint32_t ingress = p.ingress, cls = p.traffic_class, bytes = p.bytes;
  transmit(port, id, now);
  // Behind transmit(): a resumed peer may be told by this very port.
  if (!port.host && ingress != kNone) release(port, ingress, cls, bytes, now);
  if (port.waiting != 0 || port.pause_due != 0 || (port.host && hosts[port.owner]->wants_to_send()))
    ready_by(port, port.free_at);
}

uint32_t Fabric::next_packet(Port& port, Time now) {
  if (port.pause_due != 0) [[unlikely]]
    return take_pause(port, now);
  uint32_t ready = port.waiting;
  if (ready == 0) return kNone;
  if (port.any_paused_until > now) {
    for (uint32_t w = ready; w != 0; w &= w - 1) {
      const auto cls = static_cast<uint32_t>(std::countr_zero(w));
      if (port.paused(cls, now)) ready &= ~(1u << cls);
    }
    if (ready == 0) return kNone;
  }
  if ((ready & (ready - 1)) == 0) return take(port, static_cast<uint32_t>(std::countr_zero(ready)), now);
  const uint32_t strict = ready & port.strict;
  if (strict != 0) return take(port, 31 - static_cast<uint32_t>(std::countl_zero(strict)), now);
  // Deficit weighted round robin.
  while (true) {
    ClassQueue& q = port.queues[port.turn];
    if (ready >> port.turn & 1) {
      if (q.deficit >= packets[q.packets.head].bytes) {
        q.deficit -= packets[q.packets.head].bytes;
        return take(port, port.turn, now);
      }
    } else {
      q.deficit = 0;
    }
    port.turn = (port.turn + 1) % kClasses;
    ClassQueue& next = port.queues[port.turn];
    if (ready >> port.turn & 1) next.deficit += kQuantum * port.weights[port.turn];
  }
}

uint32_t Fabric::take(Port& port, uint32_t cls, Time now) {
  ClassQueue& q = port.queues[cls];
  const uint64_t queued = q.bytes;
  const uint32_t id = q.packets.pop(packets);
  Packet& p = packets[id];
  q.leave(now, p.bytes, p.queued);
  if (q.count == 0) port.waiting &= ~(1u << cls);
  if (!port.host) {
    Switch& at = *switches[port.owner];
    if (at.set.ecn.on && !at.set.ecn.at_enqueue) maybe_mark(at, port, p, queued);
  }
  return id;
}

bool Fabric::lost(Port& port, const Packet& p) {
  const LinkSettings& link = port.link;
  if (!link.up) return true;
  if (p.kind == PacketKind::ack) {
    if (link.lose_acks_ppb == 0) return false;
    ++port.ack_candidates;
    const bool gone = port.random.below(1'000'000'000) < link.lose_acks_ppb;
    port.lost_acks += gone;
    return gone;
  }
  if (p.kind != PacketKind::data && p.kind != PacketKind::raw) return false;
  if (link.loss_ppb == 0 && link.lose_every == 0) return false;
  ++port.candidates;
  ++port.turn_of_loss;
  if (link.lose_every != 0 && port.turn_of_loss % link.lose_every == 0) {
    ++port.lost_in_turn;
    return true;
  }
  const bool gone = link.loss_ppb != 0 && port.random.below(1'000'000'000) < link.loss_ppb;
  port.lost_at_random += gone;
  return gone;
}

void Fabric::transmit(Port& port, uint32_t id, Time now) {
  Packet& p = packets[id];
  const Time length = port.link.rate.of(p.bytes);
  port.free_at = now + length;
  ++port.sent_packets;
  port.sent_bytes += p.bytes;
  if (tap_ != nullptr && port.host) [[unlikely]]
    tap_->sent(port, p, packets.payload_if_any(id), now);
  if (lost(port, p)) [[unlikely]]
    return drop(port, id, DropReason::link_loss);
  Time at = now + port.link.delay;
  const Port& peer = *ports[port.peer];
  if (p.kind == PacketKind::pause) {
    at += length + port.link.pause_reaction;
  } else if (!peer.host && switches[peer.owner]->set.cut_through) {
    // The switch begins to send once it has the headers.
    at += std::min(length, port.link.rate.of(84)) + port.beyond;
  } else {
    at += length + port.beyond;
  }
  events.push(at, EventKind::arrive, peer.index, id);
}

void Fabric::set_link_up(Port& port, bool up, Time now) {
  port.link.up = up;
  if (up) pump(port, now);
}

}  // namespace vlsim
