// A network of the program's own: loopback, and nothing else.
#pragma once

namespace vlconfine {

// Moves this process into a user and a network namespace of its own. False where the kernel does not let it.
bool isolate_network();

}  // namespace vlconfine
