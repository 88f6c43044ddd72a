// What must hold of every run, and short ways to make one.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenario/simulation.h"

namespace vlsim {

// Packets of each kind: made = delivered + dropped + in flight. Packets x time in each queue = the sum of their waits
// (Little's law), those that still wait included.
inline void check_laws(Simulation& run) {
  Fabric& f = run.fabric();
  uint64_t flying = 0;
  for (const auto kind :
       {PacketKind::data, PacketKind::ack, PacketKind::cnp, PacketKind::raw, PacketKind::pause}) {
    const Fabric::Tally& t = f.tally(kind);
    ASSERT_GE(t.made, t.delivered + t.dropped);
    flying += t.made - t.delivered - t.dropped;
  }
  EXPECT_EQ(flying, f.packets.in_use());
  uint64_t dropped = 0, reasons = 0;
  for (const auto kind :
       {PacketKind::data, PacketKind::ack, PacketKind::cnp, PacketKind::raw, PacketKind::pause})
    dropped += f.tally(kind).dropped;
  for (const auto& port : f.ports) {
    for (const uint64_t n : port->dropped) reasons += n;
    for (const ClassQueue& q : port->queues) {
      EXPECT_EQ(q.entered, q.left + q.count);
      uint64_t waits = q.waits;
      for (uint32_t id = q.packets.head, n = 0; n < q.count; id = f.packets[id].next, ++n)
        waits += f.now() - f.packets[id].queued;
      EXPECT_EQ(q.area + q.count * (f.now() - q.changed), waits) << "Little's law at port " << port->index;
    }
  }
  EXPECT_EQ(dropped, reasons);
  for (const auto& at : f.switches) {
    uint64_t held = 0, counted = 0;
    for (uint32_t i = 0; i < at->ports.size(); ++i) {
      for (uint32_t cls = 0; cls < kClasses; ++cls) {
        held += f.ports[at->ports[i]]->queues[cls].bytes;
        const SharedBuffer::Group& g = at->buffer.group(i, cls);
        counted += g.reserved + g.headroom;
      }
    }
    EXPECT_EQ(held, counted + at->buffer.used());
  }
}

// A switch with so much room that nothing is dropped or paused.
inline void endless_buffer(Scenario& s) {
  s.at.buffer.shared = 1ull << 40;
  s.at.buffer.lossy_alpha = 1024;
}

// Goodput of a host's received data since the start, in Gb/s.
inline double goodput(const Simulation& run, uint32_t host, Time span) {
  return static_cast<double>(run.fabric().hosts[host]->payload_received()) * 8000.0 /
         static_cast<double>(span);
}

// One flow that posts WRITEs.
inline TrafficSettings flow(uint32_t from, uint32_t to, uint64_t bytes = kEndless) {
  TrafficSettings t;
  t.from = from;
  t.to = to;
  t.bytes = bytes;
  return t;
}

}  // namespace vlsim
