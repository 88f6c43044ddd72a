// What the engine tells its owner outside of completions. Called under the engine's lock, from inside an
// engine call: an implementation queues and returns; it must not call the engine.
#pragma once

#include "uroce/transport/queues/completion.h"
#include "uroce/types.h"

namespace uroce::transport {

class Qp;
class Srq;
struct RxMad;

// A work request that failed.
struct FailedWork {
  uint64_t wr_id = 0;
  WcStatus status = WcStatus::success;
  bool send = false;   // else a receive, which has none of what follows
  uint32_t place = 0;  // what Qp::send_place() was when it was posted
  WrOpcode opcode = WrOpcode::send;
  uint32_t length = 0;       // bytes
  uint64_t remote_addr = 0;  // of WRITE, READ and atomics
  uint32_t rkey = 0;
  uint32_t psn = 0;  // its first
  // Where memory of a region of this process is gone (unmapped, truncated or write-protected); 0: it is not.
  uintptr_t fault = 0;
};

// A peer's request that the responder of a reliable QP turned down.
struct RefusedRequest {
  enum Because : uint8_t {
    memory,      // the rkey does not grant the right on these bytes
    qp_access,   // the QP does not take such requests
    misaligned,  // an atomic off its 8 bytes
    resources,   // more READs and atomics outstanding than max_dest_rd_atomic
    short_receive,
    gone,  // the region is there, its memory is not
  } because = memory;
  WrOpcode opcode = WrOpcode::send;
  uint64_t va = 0;
  uint32_t rkey = 0;
  uint32_t length = 0;  // bytes; of a SEND those that have come
  uint32_t psn = 0;
  uint32_t right = 0;  // access_flag that it needs
  uint64_t wr_id = 0;  // of the receive that is too short, and its bytes
  uint32_t room = 0;
  uintptr_t fault = 0;  // the address in this process that is gone
};

class EventSink {
 public:
  virtual void qp_event(Qp& qp, EventType type) = 0;
  virtual void cq_error(Cq& cq) = 0;
  virtual void srq_event(Srq& srq, EventType type) { (void)srq, (void)type; }
  // A completion was written to an armed CQ (now disarmed).
  virtual void completion_event(Cq& cq) = 0;
  // Stamps of a WR that leaves no completion (unsignalled and successful). Only while stamping is on.
  virtual void unsignaled_stamps(const WrStamps& stamps) { (void)stamps; }
  // A work request fails, and not by a flush: of the send queue or of the one that the QP receives from.
  virtual void work_failed(const Qp& qp, const FailedWork& work) { (void)qp, (void)work; }
  // Before the NAK goes out and the QP fails.
  virtual void request_refused(const Qp& qp, const RefusedRequest& request) { (void)qp, (void)request; }
  // An RNR NAK was sent, or received and heeded.
  virtual void rnr_nak(const Qp& qp, bool sent) { (void)qp, (void)sent; }
  // A management datagram arrived for queue pair 1. A sink that has no connection manager drops it.
  virtual void mad(const RxMad& mad) { (void)mad; }

 protected:
  ~EventSink() = default;
};

}  // namespace uroce::transport
