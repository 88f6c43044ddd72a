// Events of the engine for its owner, besides completions. Called under the engine's lock, from inside an
// engine call: an implementation queues and returns; it must not call the engine.
#pragma once

#include "uroce/transport/queues/completion.h"
#include "uroce/types.h"

namespace uroce::transport {

class Qp;
class Srq;
enum class WindowFault : uint8_t;
struct RxMad;

// A work request that failed.
struct FailedWork {
  uint64_t wr_id = 0;
  WcStatus status = WcStatus::success;
  bool send = false;  // else a receive, which has no values below
  uint32_t wqe = 0;   // its index in the send queue: Qp::next_wqe() when it was posted
  WrOpcode opcode = WrOpcode::send;
  uint32_t length = 0;       // bytes
  uint64_t remote_addr = 0;  // for WRITE, READ and atomics
  uint32_t rkey = 0;
  uint32_t psn = 0;  // its first PSN
  // Address of memory in a region of this process that is gone (unmapped, truncated or write-protected); 0:
  // none.
  uintptr_t fault = 0;
  // Reason why a bind or an invalidation failed, and the key of the window; for a bind, that of the region.
  WindowFault window_fault{};
  uint32_t window = 0;
  uint32_t region = 0;
};

// A peer's request that the responder of a reliable QP refused, or a message that an unreliable QP dropped.
struct RefusedRequest {
  enum Because : uint8_t {
    memory,      // the rkey does not grant the right on these bytes
    qp_access,   // the QP does not allow such requests
    misaligned,  // an atomic off its 8-byte alignment
    resources,   // more READs and atomics outstanding than max_dest_rd_atomic
    short_receive,
    gone,        // the memory of the region is gone
    invalidate,  // the key of a SEND with invalidate cannot be invalidated
    no_receive,  // this and the reasons below: only of unreliable QPs
    too_long,    // longer than the MTU
    wrong_qkey,
    too_early,      // the QP is not in RTR yet
    wrong_service,  // sent by a QP of another type than this one
  } because = memory;
  WrOpcode opcode = WrOpcode::send;
  uint64_t va = 0;
  uint32_t rkey = 0;
  uint32_t length = 0;  // bytes; of a SEND the received ones
  uint32_t psn = 0;
  uint32_t right = 0;  // access_flag that it needs
  uint64_t wr_id = 0;  // the receive that is too short, and its bytes (room)
  uint32_t room = 0;
  uintptr_t fault = 0;      // the address in this process that is gone
  uint32_t source_qpn = 0;  // a datagram's, and its source
  const Gid* source = nullptr;
  uint32_t qkey = 0;
  WindowFault window_fault{};  // for a SEND with invalidate
  QpType sender{};             // with wrong_service: the type of the QP that sent it
};

// A message for a queue pair that does not exist here, or for QPN 1 or 0xffffff and neither management nor
// multicast.
struct LostMessage {
  uint32_t qpn = 0;
  WrOpcode opcode = WrOpcode::send;
  const Gid* source = nullptr;
};

class EventSink {
 public:
  virtual void qp_event(Qp& qp, EventType type) = 0;
  virtual void cq_error(Cq& cq) = 0;
  virtual void srq_event(Srq& srq, EventType type) { (void)srq, (void)type; }
  // A completion was written to an armed CQ (now disarmed).
  virtual void completion_event(Cq& cq) = 0;
  // Stamps of a WR without a completion (unsignaled and successful). Only while stamping is on.
  virtual void unsignaled_stamps(const WrStamps& stamps) { (void)stamps; }
  // A work request failed, not by a flush: of the send queue or of the queue that the QP receives from.
  virtual void work_failed(const Qp& qp, const FailedWork& work) { (void)qp, (void)work; }
  // A request is refused, before the NAK goes out and the QP fails; or the message of an unreliable QP is
  // dropped.
  virtual void request_refused(const Qp& qp, const RefusedRequest& request) { (void)qp, (void)request; }
  // A request of that PSN is taken for a duplicate, though the QP has executed none: its rq_psn is
  // beyond the peer's sq_psn.
  virtual void duplicate_of_nothing(const Qp& qp, uint32_t psn) { (void)qp, (void)psn; }
  // The other end of such a request: the first message is acknowledged, although by the ACK (MSN 0) the
  // peer has executed none. The message succeeds next.
  virtual void acknowledged_unexecuted(const Qp& qp, const FailedWork& work) { (void)qp, (void)work; }
  // The first packet of a message for no queue pair. Its ICRC is unchecked.
  virtual void message_lost(const LostMessage& message) { (void)message; }
  // A datagram longer than the MTU is not sent, and its work request succeeds.
  virtual void datagram_unsent(const Qp& qp, const FailedWork& work) { (void)qp, (void)work; }
  // A QP with timeout 0 has had no answer for long, and waits without a limit.
  virtual void waits_forever(const Qp& qp, uint64_t ns) { (void)qp, (void)ns; }
  // An RNR NAK was sent, or received and heeded.
  virtual void rnr_nak(const Qp& qp, bool sent) { (void)qp, (void)sent; }
  // A management datagram arrived for queue pair 1. A sink that has no connection manager drops it.
  virtual void mad(const RxMad& mad) { (void)mad; }

 protected:
  ~EventSink() = default;
};

}  // namespace uroce::transport
