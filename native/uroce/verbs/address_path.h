// From an address vector of the verbs to the path of the engine.
#pragma once

#include "uroce/transport/types.h"
#include "uroce/verbs/abi.h"

namespace uroce {

class Device;

// EINVAL without a GRH (RoCE has no other addresses), for another port, an empty GID index or a destination
// of another family. Engine lock.
int to_path(Device& device, const ibv_ah_attr& ah, Path* path);

}  // namespace uroce
