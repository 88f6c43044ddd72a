// What a child of fork() must not keep: names, leases and ports of a parent that ends would live on in it.
#pragma once

namespace uroce {

// In a child of fork(), before anything else of the device: lets go of the device's sockets.
void close_inherited_sockets();

}  // namespace uroce
