// A call that destroys an object waits until its events are acknowledged: this wait, which says so when it
// is long.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace uroce::report {

// Waits until `completed` is `owed`. With the mutex held; a cancellation point.
void await_acks(pthread_mutex_t& mutex, pthread_cond_t& cond, const uint32_t& completed, uint32_t owed,
                const char* destroy, const char* acknowledge);

}  // namespace uroce::report
