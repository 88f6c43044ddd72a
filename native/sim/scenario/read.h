// Reads a scenario from JSON. docs/simulator.md has the schema.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace vlsim {

// What may be in a scenario, as JSON Schema: members, limits, defaults. A scenario that it takes may still be refused for
// what several members say together.
std::string scenario_schema();

// The scenario, or one sentence on what is wrong with it.
std::expected<Scenario, std::string> read_scenario(std::string_view json);

}  // namespace vlsim
