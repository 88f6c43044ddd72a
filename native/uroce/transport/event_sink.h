// What the engine tells its owner outside of completions. Called under the engine's lock, from inside an
// engine call: an implementation queues and returns; it must not call the engine.
#pragma once

#include "uroce/transport/queues/completion.h"
#include "uroce/transport/types.h"

namespace uroce {

class Qp;
class Srq;
struct RxMad;

class EventSink {
 public:
  virtual void qp_event(Qp& qp, EventType type) = 0;
  virtual void cq_error(Cq& cq) = 0;
  virtual void srq_event(Srq& srq, EventType type) { (void)srq, (void)type; }
  // A completion was written to an armed CQ (now disarmed).
  virtual void completion_event(Cq& cq) = 0;
  // Stamps of a WR that leaves no completion (unsignalled and successful). Only while stamping is on.
  virtual void unsignaled_stamps(const WrStamps& stamps) { (void)stamps; }
  // A work request (its wr_id) fails with this status, which is not a flush: of the send queue or of the one
  // that the QP receives from.
  virtual void work_failed(const Qp& qp, uint64_t wr_id, WcStatus status, bool send) {
    (void)qp, (void)wr_id, (void)status, (void)send;
  }
  // An RNR NAK was sent, or received and heeded.
  virtual void rnr_nak(const Qp& qp, bool sent) { (void)qp, (void)sent; }
  // A management datagram arrived for queue pair 1. A sink that has no connection manager drops it.
  virtual void mad(const RxMad& mad) { (void)mad; }

 protected:
  ~EventSink() = default;
};

}  // namespace uroce
