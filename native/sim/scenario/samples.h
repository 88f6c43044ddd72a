// Samples of a run, one line of JSON each: what is so at that time, and what happened since the sample before.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/simulation.h"

namespace vlsim {

class Samples {
 public:
  explicit Samples(const Simulation& run);
  // The sample of `now`. Times must grow from one to the next.
  std::string line(Time now);

 private:
  // Counts of all hosts and links, each with its name in a sample.
  static constexpr std::array<const char*, 7> kCounts{"marked", "drops",    "pauses",       "cnps",
                                                      "naks",   "timeouts", "retransmitted"};
  using Counts = std::array<uint64_t, kCounts.size()>;
  struct Link {
    uint64_t bytes = 0, marked = 0, drops = 0;
    Time paused = 0;
  };
  struct FlowSeen {
    uint32_t number;
    uint64_t acknowledged = 0;
  };

  Counts counts() const;
  static Link link_now(const Port& port, Time now);
  void add_hosts(class JsonLine& line);
  void add_queues(JsonLine& line, Time now) const;
  void add_flows(JsonLine& line, Time now);
  void add_links(JsonLine& line, Time now);

  const Simulation& run_;
  Time last_ = 0;
  Time elapsed_ = 0;  // since the sample before
  std::vector<uint64_t> received_;
  Counts counts_{};
  std::vector<Link> links_;
  std::vector<FlowSeen> flows_;  // those that had not finished at the sample before
  uint32_t flows_known_ = 0;
};

}  // namespace vlsim
