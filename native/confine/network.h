// A network of the program's own: loopback, and nothing else. Its System V IPC is its own, too.
#pragma once

namespace vlconfine {

// Moves this process into a user, a network and an IPC namespace of its own. False where the kernel does not let it,
// which may be after it has let the process into them: Ubuntu 24.04 refuses the user IDs, or the loopback interface. So
// ask can_isolate_network() first.
bool isolate_network();

// Tries it in a process of its own, with which the namespaces end.
bool can_isolate_network();

}  // namespace vlconfine
