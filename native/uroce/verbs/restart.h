// Waits that signals interrupt as they interrupt read().
#pragma once

namespace uroce {

// After EINTR of a wait that the kernel never restarts (poll, ppoll): a read() would have been restarted,
// since every handler that can have run was installed with SA_RESTART. A program with another handler is
// prepared for EINTR.
bool restarts_after_signal();

// Waits until the descriptor is readable. False with errno set: EINTR where read() would have it.
bool wait_readable(int fd);

}  // namespace uroce
