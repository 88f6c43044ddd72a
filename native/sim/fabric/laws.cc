#include "sim/fabric/laws.h"

#include <array>
#include <iterator>
#include <utility>

namespace vlsim {
namespace {

// More broken laws than these say nothing new.
constexpr size_t kMostSentences = 16;

constexpr PacketKind kKinds[] = {PacketKind::data, PacketKind::ack, PacketKind::cnp, PacketKind::raw,
                                 PacketKind::pause};
constexpr const char* kKindNames[] = {"data", "ack", "cnp", "raw", "PAUSE"};

using PerClass = std::array<uint64_t, kClasses>;

class Checker {
 public:
  explicit Checker(const Fabric& fabric) : f_(fabric), on_wire_(fabric.ports.size()) {}
  Laws check();

 private:
  // Both sides must be equal.
  template <class What>
  void equal(uint64_t left, uint64_t right, What&& what) {
    ++laws_.checked;
    if (left == right || laws_.broken.size() == kMostSentences) return;
    laws_.broken.push_back(std::string(what()) + ": " + std::to_string(left) + " are not " +
                           std::to_string(right) + ".");
  }
  void kinds();
  void queue(const Port& port, uint32_t cls);
  void link(const Port& by);
  void node(const std::string& name, const std::vector<const Port*>& ports);
  void hosts();
  void buffer(const Switch& at);

  const Fabric& f_;
  Laws laws_;
  std::vector<PerClass> on_wire_;  // by the port that they are to arrive at
  uint64_t in_memory_ = 0;         // packets that wait for the memory of a host
};

std::string name_of(const Port& port) {
  return (port.host ? "host " : "switch ") + std::to_string(port.owner) + " port " +
         std::to_string(port.number);
}
std::string name_of(const Port& port, uint32_t cls) {
  return name_of(port) + " class " + std::to_string(cls);
}

void Checker::kinds() {
  uint64_t flying = 0, dropped = 0, reasons = 0;
  for (size_t i = 0; i < std::size(kKinds); ++i) {
    const Fabric::Tally& t = f_.tally(kKinds[i]);
    equal(t.made < t.delivered + t.dropped, 0,
          [&] { return std::string("More packets were delivered or dropped than made, ") + kKindNames[i]; });
    flying += t.made - t.delivered - t.dropped;
    dropped += t.dropped;
  }
  equal(flying, f_.packets.in_use(), [] { return "Packets under way, and those that exist"; });
  for (const auto& port : f_.ports) {
    for (const uint64_t n : port->dropped) reasons += n;
  }
  equal(dropped, reasons, [] { return "Packets dropped by kind, and by reason"; });
}

void Checker::queue(const Port& port, uint32_t cls) {
  const ClassQueue& q = port.queues[cls];
  if (q.entered == 0) return;
  uint64_t held = 0, bytes = 0, waits = q.waits;
  for (uint32_t id = q.packets.head; held < q.count && id != kNone; id = f_.packets[id].next, ++held) {
    bytes += f_.packets[id].bytes;
    waits += f_.now() - f_.packets[id].queued;
  }
  equal(q.entered, q.left + held,
        [&] { return "Packets that entered and left the queue of " + name_of(port, cls); });
  equal(q.bytes, bytes, [&] { return "Bytes in the queue of " + name_of(port, cls); });
  equal(q.area + q.count * (f_.now() - q.changed), waits, [&] {
    return "Little's law, packets x time and the sum of waits in ps in the queue of " + name_of(port, cls);
  });
}

// All that left a queue is lost, on the wire or has arrived.
void Checker::link(const Port& by) {
  const Port& to = *f_.ports[by.peer];
  uint64_t left = 0, flushed = 0;
  for (uint32_t cls = 0; cls < kClasses; ++cls) {
    left += by.queues[cls].left;
    flushed += by.flushed[cls];
    if (by.queues[cls].left == 0 && to.arrived[cls] == 0) continue;
    const uint64_t gone = by.lost[cls] + by.flushed[cls] + on_wire_[to.index][cls];
    equal(static_cast<uint32_t>(by.queues[cls].left - gone), to.arrived[cls],
          [&] { return "Packets on the link of " + name_of(by, cls); });
  }
  equal(left - flushed + by.sent_pauses, by.sent_packets, [&] { return "Packets sent by " + name_of(by); });
}

// All that came into a switch waits, or was dropped, or went out.
void Checker::node(const std::string& name, const std::vector<const Port*>& ports) {
  for (uint32_t cls = 0; cls < kClasses; ++cls) {
    uint64_t in = 0, out = 0;
    for (const Port* port : ports) {
      in += port->arrived[cls];
      out += port->queues[cls].entered + port->refused[cls];
    }
    if (in == 0 && out == 0) continue;
    equal(static_cast<uint32_t>(in), static_cast<uint32_t>(out),
          [&] { return "Packets into and out of " + name + " class " + std::to_string(cls); });
  }
}

void Checker::hosts() {
  uint64_t arrived = 0, refused = 0, consumed = 0, made = 0, entered = 0;
  for (const auto& port : f_.ports) {
    if (!port->host) continue;
    for (uint32_t cls = 0; cls < kClasses; ++cls) {
      arrived += port->arrived[cls];
      refused += port->refused[cls];
      entered += port->queues[cls].entered;
    }
  }
  for (const PacketKind kind : kKinds) {
    if (kind == PacketKind::pause) continue;
    made += f_.tally(kind).made;
    consumed += f_.tally(kind).delivered;
  }
  equal(made, entered, [] { return "Packets made, and queued at hosts"; });
  equal(static_cast<uint32_t>(arrived), static_cast<uint32_t>(consumed + refused + in_memory_),
        [] { return "Packets that came to hosts, and those taken in"; });
}

void Checker::buffer(const Switch& at) {
  uint64_t held = 0, counted = at.buffer.used();
  std::vector<PerClass> by_group(at.ports.size());
  for (const uint32_t index : at.ports) {
    for (uint32_t cls = 0; cls < kClasses; ++cls) {
      const ClassQueue& q = f_.ports[index]->queues[cls];
      held += q.bytes;
      if (!at.buffer.lossless(cls)) continue;
      uint32_t n = 0;
      for (uint32_t id = q.packets.head; n < q.count && id != kNone; id = f_.packets[id].next, ++n)
        by_group[f_.packets[id].ingress][cls] += f_.packets[id].bytes;
    }
  }
  for (uint32_t i = 0; i < at.ports.size(); ++i) {
    for (uint32_t cls = 0; cls < kClasses; ++cls) {
      const SharedBuffer::Group& g = at.buffer.group(i, cls);
      counted += g.reserved + g.headroom;
      const uint64_t group = g.reserved + g.headroom + g.shared;
      if (!at.buffer.lossless(cls) || (by_group[i][cls] == 0 && group == 0)) continue;
      equal(group, by_group[i][cls],
            [&] { return "Bytes held for what came in by " + name_of(*f_.ports[at.ports[i]], cls); });
    }
  }
  equal(counted, held, [&] { return "Bytes in the buffer of switch " + std::to_string(at.index); });
}

Laws Checker::check() {
  f_.events.each([&](const Event& event) {
    if (event.kind() == EventKind::received) ++in_memory_;
    if (event.kind() != EventKind::arrive) return;
    const Packet& p = f_.packets[event.b];
    if (p.kind != PacketKind::pause) ++on_wire_[event.a][p.traffic_class];
  });
  kinds();
  for (const auto& port : f_.ports) {
    for (uint32_t cls = 0; cls < kClasses; ++cls) queue(*port, cls);
    link(*port);
  }
  for (const auto& at : f_.switches) {
    std::vector<const Port*> ports;
    for (const uint32_t index : at->ports) ports.push_back(f_.ports[index].get());
    node("switch " + std::to_string(at->index), ports);
    buffer(*at);
  }
  hosts();
  return std::move(laws_);
}

}  // namespace

Laws check_laws(const Fabric& fabric) { return Checker(fabric).check(); }

}  // namespace vlsim
