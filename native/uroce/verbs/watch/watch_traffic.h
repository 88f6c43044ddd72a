// Number and payload of the requests that a registered process posts to each peer queue pair. The message
// matrix of a run is made from this. Only while feed::on().
#pragma once

#include "uroce/verbs/abi/abi.h"

namespace uroce::verbs {

struct QpObject;

namespace watch {

// Forgets everything: a forked child counts from zero, even if its parent held the lock.
void begin_traffic();
// Counts the requests before `end` as posted. Takes the engine lock.
void count_traffic(const QpObject& qp, const ibv_send_wr* wr, const ibv_send_wr* end);
// Sends the sums that have changed since the last call.
void send_traffic();

}  // namespace watch
}  // namespace uroce::verbs
