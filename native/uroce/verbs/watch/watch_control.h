// What a registered process does when `verbslab exec` says so (uroce/feed/message.h: the way back).
#pragma once

#include <cstdint>
#include <span>

#include "uroce/feed/message.h"

namespace uroce::verbs {

class Device;

namespace watch {

// device: null while none is open; then it acts on the next one. 0 or an errno: EOPNOTSUPP for what is not known,
// those of uroce_set_faults, EBUSY when the engine could not be had.
int apply_control(void* device, feed::MessageType type, std::span<const uint8_t> payload);

// After the process has opened the device again: what it was last told still holds. Engine lock.
void reapply_control(Device& device);

}  // namespace watch
}  // namespace uroce::verbs
