// Rules of a scenario that had no effect in a run, each in a sentence.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/simulation.h"

namespace vlsim {

// At most 64.
std::vector<std::string> notes(const Simulation& run);

}  // namespace vlsim
