// How many requests a registered process posts to each peer queue pair, and how much payload they carry. The
// message matrix of a run is made from this. Only while feed::on().
#pragma once

#include "uroce/verbs/abi/abi.h"

namespace uroce::verbs {

struct QpObject;

namespace watch {

// Forgets everything: a forked child counts from zero, whatever lock its parent held.
void begin_traffic();
// The requests before `end` were posted. Takes the engine lock.
void count_traffic(const QpObject& qp, const ibv_send_wr* wr, const ibv_send_wr* end);
// Tells the sums that have changed since the last call.
void tell_traffic();

}  // namespace watch
}  // namespace uroce::verbs
