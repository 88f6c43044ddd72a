// Control of a registered process by `verbslab exec` (the control messages of uroce/feed/message.h).
#pragma once

#include <cstdint>
#include <span>

#include "uroce/feed/message.h"

namespace uroce::verbs {

class Device;

namespace watch {

// Applies a control message. device: null while none is open; then it applies to the next one. 0 or an
// errno: EOPNOTSUPP for an unknown message, those of uroce_set_faults, EBUSY when the engine lock was not
// free.
int apply_control(void* device, feed::MessageType type, std::span<const uint8_t> payload);

// Applies the last control message again, after the process has opened the device again. Engine lock.
void reapply_control(Device& device);

}  // namespace watch
}  // namespace uroce::verbs
