// Refused calls in words: on stderr once for each kind, in the misuse report and to the agent.
#pragma once

#include <atomic>
#include <cerrno>
#include <string>
#include <type_traits>

#include "uroce/refusal.h"

namespace uroce::verbs::watch {

// Two parts of a sentence about a failed call: the reason (no full stop), and the cure (a sentence).
struct Words {
  std::string why;
  std::string cure;
};
Words words_of(const Refusal& refusal);

// Refuses a call with a cause in separate words.
int refuse_saying(int error, std::string why, std::string cure);

// Reports a call that failed with this errno, with the cause that was named on this thread, if there is
// one. object: the object of the call, for the report; an object that the report does not know is not
// named. here: this thread is in the call; else it fails only now, in an event.
void refused_call(const char* call, int error, const void* object, bool here = true);

// Libraries look for the limits of a device by asking for less until a call succeeds. A library's refusals
// wait here, unreported, until such a call succeeds or the process ends.
inline std::atomic<bool> g_probing = false;
void probe_succeeded(const char* call);
// Reports the refusals after which no such call succeeded.
void report_pending();

// Returns the result of a verbs call. An error number goes into errno too, where the system call behind
// rdma-core's verbs leaves it.
template <class R>
R outcome(const char* call, const void* object, R result) {
  int error = errno;
  if constexpr (std::is_pointer_v<R>) {
    if (result != nullptr) [[likely]] {
      if (g_probing.load(std::memory_order_relaxed)) [[unlikely]]
        probe_succeeded(call);
      return result;
    }
  } else {
    if (result == 0) [[likely]]
      return result;
    if (result > 0) error = result;
  }
  refused_call(call, error, object);
  errno = error;
  return result;
}

// outcome() for a post to a queue: no system call is behind it, so errno stays unchanged.
inline int outcome_of_post(const char* call, const void* object, int error) {
  if (error == 0) [[likely]]
    return 0;
  const int before = errno;
  refused_call(call, error, object);
  errno = before;
  return error;
}

}  // namespace uroce::verbs::watch
