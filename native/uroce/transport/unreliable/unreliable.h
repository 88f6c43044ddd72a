// Common part of UC and UD: no peer acknowledges. A work request is done when its last packet has been
// handed to the sink, nothing is retransmitted, and a message that cannot be received is dropped silently
// (IBA 9.8.2, 9.8.3).
//
// The Requester posts, drains and flushes, as for every kind of queue pair, and the Executor completes
// receives. The packets are made here and in uc.cc and ud.cc.
#pragma once

#include <cstdint>

#include "uroce/transport/packet_sink.h"
#include "uroce/transport/qp/receive_state.h"
#include "uroce/transport/qp/send_state.h"
#include "uroce/transport/queues/work_queues.h"
#include "uroce/transport/queues/work_request.h"
#include "uroce/wire/bth.h"

namespace uroce::transport {

class Qp;

class Unreliable {
 public:
  Unreliable(Qp& qp, SendState& send, ReceiveState& recv) : qp_(qp), send_(send), recv_(recv) {}
  virtual ~Unreliable() = default;
  Unreliable(const Unreliable&) = delete;
  Unreliable& operator=(const Unreliable&) = delete;

  // EINVAL for a WR that sends nothing, or lacks a required part.
  virtual int check(const SendWr& wr) const = 0;
  // Queues a WR, with the errors of check() and Requester::post. An operation that the service does not
  // have completes with loc_qp_op_err.
  virtual int post(const SendWr& wr, uint64_t now) = 0;
  // Emits up to budget packets; returns how many. *more: only the budget stopped it.
  uint32_t transmit(uint64_t now, PacketSink& sink, uint32_t budget, bool* more);
  // A packet of this QP's service. body starts behind the BTH and ends before the pad.
  virtual void on_packet(uint64_t now, const RxPacket& packet, const wire::BthView& bth, const uint8_t* body,
                         uint32_t len) = 0;
  // Handles a packet that cannot be executed. An error in this side's own receive (status) fails it and the
  // QP; otherwise the sender is at fault, and the message is dropped.
  void refuse(uint64_t now, WcStatus status);
  // Drops the current message.
  void drop_message();
  // Reports a message without a receive, which begins with this many bytes.
  void no_receive(WrOpcode opcode, uint32_t length);
  // Called by the engine's timers.
  void on_time(uint64_t now);
  uint64_t deadline() const { return retry_at_ != 0 ? retry_at_ : kNever; }
  void stop() { retry_at_ = 0; }  // QP to SQE, ERR or RESET

 protected:
  enum class Step { sent, waits, failed };
  // The next packet of the WR under the cursor.
  virtual Step send_one(uint64_t now, PacketSink& sink, SendWqe& wqe) = 0;
  // Payload [offset, offset + len) of the WR under the cursor. False if a key does not fit.
  bool gather(const SendWqe& wqe, uint32_t offset, uint32_t len, IoVec* iov, uint32_t* pieces) const;
  // Counts the packets of a WR as handed to the sink.
  void sent(const SendWqe& wqe, uint32_t packets, uint32_t bytes);
  Step fail(SendWqe& wqe, WcStatus status);
  // Waits: the receiver's host has no room.
  Step wait(uint64_t now);
  // Fails a WR whose payload memory is gone.
  Step memory_gone(SendWqe& wqe);

  Qp& qp_;
  SendState& send_;
  ReceiveState& recv_;

 private:
  uint64_t retry_at_ = 0;  // time of the next admit() for the receiver's host; 0: it had room
  uint64_t wait_ns_ = 0;   // the last wait, if nothing has been sent since

  // Completes the WRs whose last packet has been sent.
  void complete_sent(uint64_t now, PacketSink& sink);
  void send_queue_error(uint64_t now);
};

}  // namespace uroce::transport
