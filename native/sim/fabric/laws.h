// What must hold of every run: no packet is lost unaccounted, and queues obey Little's law.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/fabric/fabric.h"

namespace vlsim {

struct Laws {
  uint64_t checked = 0;
  // A sentence for each law that does not hold: the simulator is at fault, and its figures are void.
  std::vector<std::string> broken;
};

// Conservation of each kind of packet, of each link and class, at each node and in each switch's buffer, exactly; Little's
// law of each queue, exactly. Between two events.
Laws check_laws(const Fabric& fabric);

}  // namespace vlsim
