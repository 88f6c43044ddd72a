// What a run came to: figures of the whole and of each flow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/fabric/laws.h"
#include "sim/scenario/mechanisms.h"
#include "sim/scenario/simulation.h"

namespace vlsim {

struct Totals {
  uint64_t finished = 0, failed = 0, unfinished = 0;
  uint64_t bytes = 0;  // acknowledged
  Time last_finish = 0;
  uint64_t fct_mean = 0, fct_p50 = 0, fct_p95 = 0, fct_p99 = 0, fct_max = 0;  // ps
  uint64_t goodput_mbps = 0;         // all hosts together, over the time that ran
  uint32_t fairness_millionths = 0;  // Jain's index of the endless flows, or of all if none is endless
  uint64_t drops = 0, marked = 0, pauses = 0, cnps = 0, timeouts = 0, retransmitted = 0, naks = 0;
  uint64_t most_queue = 0;  // bytes, of any queue of a switch
  Time paused = 0;          // all ports and classes together
};

Totals totals(const Simulation& run);

// Lines of JSON.
std::string scenario_line(const Simulation& run);
// Time of a flow that is alone in the fabric: the way there and back of its last packet, and the link time of all before
// it.
Time ideal_time(const Simulation& run, const Flow& flow);
std::string flow_line(const Simulation& run, uint32_t number);
std::string mechanism_line(const Mechanism& mechanism);
std::string result_line(const Simulation& run, const Laws& laws);
inline std::string result_line(const Simulation& run) { return result_line(run, check_laws(run.fabric())); }

}  // namespace vlsim
