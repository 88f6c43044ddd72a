// Posts that a full queue refuses. A program may post until its queue is full, then poll, and post the same
// request again. A request that is not posted again was forgotten, and nothing else would show it.
// Libraries fill queues on purpose.
//
// All of it only while report::on().
#pragma once

#include <cstdint>

#include "uroce/report/finding.h"
#include "uroce/verbs/abi/abi.h"
#include "uroce/verbs/watch/refusal.h"

namespace uroce::verbs::watch {

// Identity of a work request, to recognize it when it is posted again.
uint64_t identity_of(const ibv_send_wr& wr);
uint64_t identity_of(const ibv_recv_wr& wr);

// True if a queue has refused a request that was not posted again yet: then new posts are compared.
bool any_full();

// A post that has returned, with the identities of its requests.
struct Attempt {
  const char* call = "";        // a literal: findings keep it
  const void* queue = nullptr;  // the object that was posted to
  uint64_t first = 0;
  bool taken = false;               // the first one was accepted
  Refusal full{};                   // the refusal by a full queue; no cause: there was none
  uint64_t refused = 0, wr_id = 0;  // identities of the refused request
};
void attempted(const Attempt& attempt);

// Forgets a queue that is destroyed or emptied: refused requests will not be posted again. Before the
// report forgets the object.
void forget_full(const void* queue);
// Reports forgotten requests of all queues: the process ends.
void report_full_queues();

}  // namespace uroce::verbs::watch
