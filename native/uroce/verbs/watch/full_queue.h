// Posts that a full queue refuses. A program may post until its queue is full and poll then: it posts the same request
// again. One that it does not post again was forgotten, and nothing else would tell. Libraries fill queues on purpose.
//
// All of it only while report::on().
#pragma once

#include <cstdint>

#include "uroce/report/finding.h"
#include "uroce/verbs/abi/abi.h"
#include "uroce/verbs/watch/refusal.h"

namespace uroce::verbs::watch {

// What tells one work request from another.
uint64_t identity_of(const ibv_send_wr& wr);
uint64_t identity_of(const ibv_recv_wr& wr);

// A queue has refused something that was not posted again yet: what is posted is of interest.
bool any_full();

// A post that has returned. Requests by their identities.
struct Attempt {
  const char* call = "";        // a literal: findings keep it
  const void* queue = nullptr;  // the object that was posted to
  uint64_t first = 0;
  bool taken = false;               // the first one
  Refusal full{};                   // how one was refused because the queue was full; no cause: none was
  uint64_t refused = 0, wr_id = 0;  // that one
};
void attempted(const Attempt& attempt);

// The queue goes, or loses what it has: what was refused will not be posted again. Before the report forgets the object.
void forget_full(const void* queue);
// Reports what is known of all queues: the process ends.
void tell_full();

}  // namespace uroce::verbs::watch
