// Cleanup in a child of fork(): names, leases and ports of the parent would otherwise outlive the parent.
#pragma once

namespace uroce::net {

// Closes the device's sockets in a child of fork(), before the child does anything else with the device.
void close_inherited_sockets();

}  // namespace uroce::net
