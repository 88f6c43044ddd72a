// A shared receive queue: receives that any of several QPs may take (IBA 10.2.9).
#pragma once

#include <cstdint>

#include "uroce/transport/queues/work_queues.h"

namespace uroce::transport {

class EventSink;

// enum ibv_srq_attr_mask.
namespace srq_mask {
inline constexpr uint32_t max_wr = 1, limit = 2;
}

struct SrqAttr {
  uint32_t max_wr = 0;
  uint32_t max_sge = 0;
  uint32_t limit = 0;  // the event is raised once when fewer than this many WRs are left; 0: not armed
};

// The WRs belong to the PD of the queue, not to that of the QP that takes them (IBA 10.2.9.1). A QP takes a
// WR at the first packet of a message that needs one. It keeps the WR, like a queue of length one, until
// the message is complete: messages of several QPs arrive interleaved.
class Srq {
 public:
  Srq(uint32_t pd, const SrqAttr& attr, EventSink& events);
  Srq(const Srq&) = delete;
  Srq& operator=(const Srq&) = delete;

  // EINVAL (num_sge), ENOMEM (queue full).
  int post(const RecvWr& wr) { return queue_.add(wr); }
  // Moves the oldest WR into the empty queue `to`; false if there is none. Raises the limit event, and
  // disarms it, when fewer WRs than the limit are left, also when the queue is empty.
  bool pop_into(RecvQueue& to);
  // Changes the attributes in the mask (srq_mask bits), all or nothing. EINVAL: no WRs at all, fewer than
  // are posted or than the limit, a limit above the size. max_wr is checked against the engine's by
  // Engine::modify_srq.
  int modify(const SrqAttr& attr, uint32_t mask);
  SrqAttr query() const { return {queue_.max_wr(), queue_.max_sge(), limit_}; }
  uint32_t queued() const { return queue_.tail() - queue_.head(); }
  // WRs posted since it was created, modulo 2^32.
  uint32_t posted() const { return queue_.tail(); }
  uint32_t pd() const { return pd_; }

  void* user = nullptr;     // the ABI's ibv_srq
  uint32_t references = 0;  // QPs that use it

 private:
  EventSink& events_;
  const uint32_t pd_;
  uint32_t limit_ = 0;
  RecvQueue queue_;
};

}  // namespace uroce::transport
