// Reads a scenario from JSON. docs/simulator.md has the schema.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace vlsim {

// The scenario, or one sentence on what is wrong with it.
std::expected<Scenario, std::string> read_scenario(std::string_view json);

}  // namespace vlsim
