// What must hold of every run, and short ways to make one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/fabric/laws.h"
#include "sim/scenario/simulation.h"

namespace vlsim {

// Bytes that may come by a port of a switch after it has decided to pause its peer: those under way and those that leave
// before the PAUSE acts, with a frame at each end that cannot be interrupted; and the packet that crosses XOFF, which is
// counted when all of it is there.
inline uint64_t sufficient_headroom(const Fabric& f, const Port& port, uint64_t frame) {
  const Port& peer = *f.ports[port.peer];
  const Time reaction = port.link.rate.of(frame + kPauseFrame) + port.link.delay + port.link.pause_reaction;
  return peer.link.rate.bytes_in(reaction + peer.link.delay + peer.beyond + kNs) + 2 * frame;
}

// A lossless class loses nothing where its headroom is large enough for its link, as long as nothing changes and no
// watchdog acts.
inline void check_lossless(const Simulation& run) {
  const Scenario& s = run.scenario();
  uint64_t frame = s.transport.connection.mtu + kFraming + kLongestHeader;
  for (const TrafficSettings& t : s.traffic) {
    if (t.kind != TrafficKind::raw) continue;
    if (t.random_sizes) return;
    frame = std::max<uint64_t>(frame, t.packet);
  }
  if (!s.changes.empty() || s.at.watchdog.detect != 0 || !s.host.obeys_pause || s.at.pause_quanta < 1024)
    return;
  const Fabric& f = run.fabric();
  for (const auto& port : f.ports) {
    if (port->host) continue;
    const BufferSettings& buffer = f.switches[port->owner]->buffer.settings();
    if (buffer.headroom < sufficient_headroom(f, *port, frame)) continue;
    EXPECT_EQ(port->dropped[static_cast<uint32_t>(DropReason::headroom)], 0u) << "port " << port->index;
  }
}

// No packet is lost unaccounted, and every queue obeys Little's law.
inline void expect_laws(const Fabric& fabric) {
  const Laws laws = check_laws(fabric);
  EXPECT_GT(laws.checked, 0u);
  for (const std::string& sentence : laws.broken) ADD_FAILURE() << sentence;
}

// The laws, and no lossless class loses for want of headroom.
inline void check_laws(const Simulation& run) {
  expect_laws(run.fabric());
  check_lossless(run);
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

// A flow that posts WRITEs.
inline TrafficSettings flow(uint32_t from, uint32_t to, uint64_t bytes = kEndless) {
  TrafficSettings t;
  t.from = from;
  t.to = to;
  t.bytes = bytes;
  return t;
}

}  // namespace vlsim
