// Parts of a scenario, as they are read from JSON.
#pragma once

#include "sim/scenario/fields.h"
#include "sim/scenario/scenario.h"

namespace vlsim {

inline constexpr uint64_t kMostBytes = 1ull << 42;
// Numbers in Gb/s and shares, as multipliers of what is kept.
inline constexpr uint64_t kMbps = 1000, kPpb = 1'000'000'000;

inline constexpr uint32_t kMostSwitches = 100'000;

struct Extent {
  uint32_t hosts = 0, switches = 0;
};

void read_topology(Fields& f, Topology* topology);
void read_link(Fields& f, LinkSettings* link);
void read_host(Fields& f, HostSettings* host);
void read_switch(Fields& f, SwitchSettings* settings, uint8_t data_class);
void read_change(Fields& f, Change* change, const Topology& topology, const Extent& extent);
// The member that a change is of, as `loss`.
const char* name_of(Change::Kind kind);

}  // namespace vlsim
