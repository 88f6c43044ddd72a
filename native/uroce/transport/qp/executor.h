// Executes the requests that RC and UC share, SENDs and WRITEs, against registered memory and the receive
// queue. Completes receives for every kind of queue pair.
#pragma once

#include <cstdint>

#include "uroce/transport/qp/receive_state.h"
#include "uroce/transport/queues/event_sink.h"
#include "uroce/transport/queues/work_queues.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::transport {

class Qp;

class Executor {
 public:
  Executor(Qp& qp, ReceiveState& recv) : qp_(qp), recv_(recv) {}
  void reset(uint32_t rq_psn);

  // Queues a receive.
  int post(const RecvWr& wr);
  // Takes in that a request has arrived in RTR: the peer has what it needs of us, though its last message
  // by hand may still be under way.
  void note_rx_before_rts();
  // Executes a packet of a SEND or WRITE at the expected PSN. body starts behind the BTH and ends before
  // the pad.
  void on_data(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  // Fails the request at the expected PSN, and says why.
  void refuse(uint64_t now, const RefusedRequest& request, uint8_t syndrome, EventType event,
              WcStatus recv_status = WcStatus::success);
  // Fails the request, whose memory is gone (t_guard.fault).
  void memory_gone(uint64_t now, WrOpcode opcode, const wire::Reth& reth, WcStatus recv_status);

  // Places bytes in the oldest receive. False: it does not have them, or their memory is gone
  // (ReceiveState::fault).
  bool scatter(uint32_t offset, const uint8_t* data, uint32_t len);
  // Says that the oldest receive fails.
  void tell_failed_receive(WcStatus status);
  void complete_recv(uint64_t now, WcStatus status, WcOpcode opcode, uint32_t byte_len, uint32_t flags,
                     uint32_t imm_or_rkey, bool solicited);
  // Completes the oldest receive with `wc`, in which it fills in what every receive completion has.
  void deliver(uint64_t now, Completion& wc, bool solicited);
  // Completes every posted receive with status flushed.
  void flush(uint64_t now);

 private:
  void on_send(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  void on_write(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  bool sequence_ok(uint8_t opcode, uint32_t len) const;
  // The service's answers: RC acknowledges and NAKs, UC drops the message.
  void executed(uint64_t now, const wire::BthView& bth, bool message_end);
  void no_receive(WrOpcode opcode, uint32_t length);
  void fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status = WcStatus::success);

  Qp& qp_;
  ReceiveState& recv_;
  bool established_ = false;  // the event was raised
};

}  // namespace uroce::transport
