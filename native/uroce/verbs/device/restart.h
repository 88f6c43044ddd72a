// Waits that signals interrupt as they do read().
#pragma once

namespace uroce::verbs {

// To be asked after EINTR from a wait that the kernel never restarts (poll, ppoll). True if read() would
// have been restarted: every handler that can have run was installed with SA_RESTART. A program with another
// handler is prepared for EINTR.
bool restarts_after_signal();

// Waits until the descriptor is readable. False with errno set: EINTR where read() would return it.
bool wait_readable(int fd);

}  // namespace uroce::verbs
