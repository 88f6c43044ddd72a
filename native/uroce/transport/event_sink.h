// What the engine tells its owner outside of completions. Called under the engine's lock, from inside an
// engine call: an implementation queues and returns; it must not call the engine.
#pragma once

#include "uroce/transport/completion.h"
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
  // A management datagram arrived for queue pair 1. A sink that has no connection manager drops it.
  virtual void mad(const RxMad& mad) { (void)mad; }

 protected:
  ~EventSink() = default;
};

}  // namespace uroce
