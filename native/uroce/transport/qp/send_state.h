// State of the send queue of a QP.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uroce/transport/queues/work_queues.h"

namespace uroce::transport {

// Member of the QP. The requester and the completer, and UC and UD in their place, get it by reference.
// acked <= next <= high <= posted
struct SendState {
  ExtPsn first = 0;   // the very first PSN
  ExtPsn acked = 0;   // the first not acknowledged; UC and UD: the first not sent
  ExtPsn next = 0;    // the next to send
  ExtPsn high = 0;    // the first never sent
  ExtPsn posted = 0;  // the first of the next WR to be posted
  // Payload bytes before these PSNs.
  uint64_t posted_bytes = 0;
  uint64_t acked_bytes = 0;
  uint64_t next_bytes = 0;
  uint32_t cursor = 0;        // WR that holds `next`
  uint32_t local_queued = 0;  // WRs in the queue that send nothing
  uintptr_t fault = 0;        // address of the memory that was gone when a WR needed it; 0: none

  void reset(uint32_t psn, uint32_t head) {
    *this = {};
    first = acked = next = high = posted = kExtPsnBase + psn;
    cursor = head;
  }
  bool in_flight() const { return acked < next; }
  uint64_t bytes_in_flight() const { return next_bytes - acked_bytes; }
  // True if packets wait to be sent, for the first time or again.
  bool unsent() const { return next < posted; }
  // Counts the next packet of the WR under the cursor as sent.
  void sent(const SendWqe& wqe, uint32_t packets, uint32_t bytes) {
    next += packets;
    next_bytes += bytes;
    high = std::max(high, next);
    if (next == wqe.end()) ++cursor;
  }
  // Takes back the acknowledgment of a part of the oldest WR.
  void forget(const SendWqe& oldest) {
    acked = oldest.first;
    acked_bytes = oldest.start_bytes;
  }
  // Goes back to the first unacknowledged PSN; `head` is the oldest WR in the queue.
  void rewind(uint32_t head) {
    next = acked;
    next_bytes = acked_bytes;
    cursor = head;
  }
};

}  // namespace uroce::transport
