// What must hold of every run, and short ways to make one.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "sim/fabric/laws.h"
#include "sim/scenario/simulation.h"

namespace vlsim {

// No packet is lost unaccounted, and every queue obeys Little's law.
inline void check_laws(const Simulation& run) {
  const Laws laws = check_laws(run.fabric());
  EXPECT_GT(laws.checked, 0u);
  for (const std::string& sentence : laws.broken) ADD_FAILURE() << sentence;
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
