// A reliable connection to a queue pair whose number is known.
#pragma once

#include "bench/vlcost/device.h"

namespace vlcost {

// Through INIT and RTR to RTS; packet sequence numbers begin at 0. Throws std::runtime_error.
void connect(ibv_qp* qp, uint32_t peer, const ibv_gid& gid, ibv_mtu mtu);

}  // namespace vlcost
