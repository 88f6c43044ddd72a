// From addresses of the verbs to those of the engine.
#pragma once

#include <algorithm>
#include <iterator>

#include "uroce/types.h"
#include "uroce/verbs/abi/abi.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs {

inline Gid to_gid(const ibv_gid& gid) {
  Gid out;
  std::copy(std::begin(gid.raw), std::end(gid.raw), out.begin());
  return out;
}

// EINVAL without a GRH (RoCE has no other addresses), for another port, an empty GID index or a destination
// of another family. `sockets_only`: what goes there does not use shared memory. Engine lock.
int to_path(Device& device, const ibv_ah_attr& ah, bool sockets_only, Device::FlowHolder holder, Path* path);

}  // namespace uroce::verbs
