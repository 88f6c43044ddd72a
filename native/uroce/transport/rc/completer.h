// Processes acknowledgments and responses, and completes send work requests in order.
#pragma once

#include <cstdint>

#include "uroce/transport/packet_sink.h"
#include "uroce/transport/qp/send_state.h"
#include "uroce/wire/bth.h"

namespace uroce::transport {

struct FailedWork;
class Qp;

class Completer {
 public:
  Completer(Qp& qp, SendState& send) : qp_(qp), send_(send) {}
  // A response packet: ACK, READ response or atomic ACK. body starts behind the BTH and ends before the pad.
  void on_packet(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  // A response with this PSN answers something, or is a copy of an answer that comes late.
  bool expects(uint32_t psn) const;
  // Completes the WR at the head with a failure and flushes the rest: QP to ERR.
  void fail_head(uint64_t now, WcStatus status);
  // Reports that the WR at the head fails.
  void report_failed(WcStatus status);
  // Completes the WR at the head.
  void complete_head(uint64_t now, WcStatus status);
  // Completes every queued WR with status flushed.
  void flush(uint64_t now);
  // Completes a WR that failed locally, once it has reached the head.
  void check_local_failure(uint64_t now);
  // Completes WRs at the head that send nothing and have been executed.
  void complete_executed(uint64_t now);
  // An answer to nothing that is outstanding. Its ICRC may not be known to be right: it explains, and does
  // nothing.
  void on_stray(const wire::BthView& bth, const uint8_t* body, uint32_t len);

 private:
  FailedWork work_at_head(WcStatus status) const;
  void check_first_ack(ExtPsn seq, uint8_t syndrome, uint32_t msn);
  bool restarts_message(ExtPsn seq, const wire::BthView& bth, const uint8_t* body, uint32_t len) const;
  // body: from the AETH on.
  void on_ack(uint64_t now, ExtPsn seq, const uint8_t* body, uint32_t len);
  void on_nak(uint64_t now, ExtPsn seq, const uint8_t* body, uint32_t len);
  // Selective repeat: the peer expects that PSN.
  void check_kept(ExtPsn expected);
  void on_rnr(uint64_t now, ExtPsn seq, uint8_t syndrome);
  void on_read_response(uint64_t now, ExtPsn seq, uint8_t opcode, uint8_t syndrome, const uint8_t* payload,
                        uint32_t len);
  void on_atomic_ack(uint64_t now, ExtPsn seq, uint64_t original);
  void gap(uint64_t now);  // a response is missing: an implied NAK
  // Acknowledges everything below `end`, stopping at a READ or atomic whose response has not come. True if it
  // got there.
  bool ack_through(uint64_t now, ExtPsn end);
  void advance(uint64_t now, ExtPsn to);
  WcStatus scatter(const SendWqe& wqe, uint32_t index, uint32_t offset, const uint8_t* data, uint32_t len);

  Qp& qp_;
  SendState& send_;
};

}  // namespace uroce::transport
