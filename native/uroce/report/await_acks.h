// A call that destroys an object waits until its events are acknowledged: this wait, which says so when it
// is long.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <optional>

#include "uroce/report/finding.h"

namespace uroce::report {

// A call that waits for acknowledgments now.
struct AwaitedAcks {
  const char* destroy = "";
  const char* acknowledge = "";
  uint32_t events = 0;  // not acknowledged when the wait began
  uint64_t since = 0;   // CLOCK_MONOTONIC, ns
  Caller where;
};
// The first of the calls that wait; nothing if none does.
std::optional<AwaitedAcks> awaited_acks();

// Waits until `completed` is `owed`. With the mutex held; a cancellation point.
void await_acks(pthread_mutex_t& mutex, pthread_cond_t& cond, const uint32_t& completed, uint32_t owed,
                const char* destroy, const char* acknowledge);

}  // namespace uroce::report
