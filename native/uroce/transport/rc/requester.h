// Sending side of a QP: turns work requests into request packets and decides which may go out now. It keeps
// no copy of a packet; going back means moving the cursor and making the packets again.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "uroce/transport/packet_sink.h"
#include "uroce/transport/policy/arrived.h"
#include "uroce/transport/policy/go_back_n.h"
#include "uroce/transport/qp/send_state.h"
#include "uroce/transport/queues/event_sink.h"
#include "uroce/transport/queues/work_queues.h"

namespace uroce::transport {

class Qp;

// The peer's answer, before it acknowledged anything, to a request that was never sent.
struct StrayAnswer {
  enum Kind : uint8_t { none, ack, nak } kind = none;
  uint32_t psn = 0;
};

class Requester {
 public:
  Requester(Qp& qp, SendState& send) : qp_(qp), send_(send) {}
  void reset(uint32_t sq_psn);

  // refused: the QP cannot do this; the WR is queued, sends nothing and completes with that status.
  int post(const SendWr& wr, uint64_t now, WcStatus refused = WcStatus::success);
  // Result that post() would return with `ahead` WRs posted before this one, and the bytes that it sends.
  int check(const SendWr& wr, uint32_t ahead, uint64_t* length) const;
  // Emits up to budget packets; returns how many. Sets more() when only the budget stopped it.
  uint32_t transmit(uint64_t now, PacketSink& sink, uint32_t budget);
  bool more() const { return more_; }
  // Called instead of transmit() while the path to the peer has no room: waiting requests time out like
  // those in flight, unless the peer takes packets off the path. May fail the QP.
  void stall(uint64_t now, PacketSink& sink);
  // The first or last packet of the WR at that place was handed to the socket, perhaps after the WR
  // completed.
  void note_tx_timestamp(const TxTimestamp& timestamp, uint64_t time);
  // True if the last transmit() was stopped by the window that all QPs of the engine share.
  bool blocked_on_shared_window() const { return blocked_on_shared_window_; }
  // True if the shared window let it send more than the one packet that may always go.
  bool progressed_this_turn() const { return progressed_this_turn_; }
  // The path has its own flow control (a ring: PacketSink::room_to), so its bytes do not count against the
  // shared window.
  void set_own_flow_control(bool own) { own_flow_control_ = own; }

  // Payload [offset, offset + len) of the WR under the cursor; false if a key does not grant it.
  bool gather(const SendWqe& wqe, uint32_t offset, uint32_t len, IoVec* iov, uint32_t* pieces) const;
  // packet_position bits of the next packet, which has this many PSNs; none unless the WR is stamped.
  uint8_t position_flags(const SendWqe& wqe, uint32_t packets);
  // The first PSN that may not be sent in this state of the QP.
  ExtPsn limit() const;

  // Called by the completer.
  // The first PSN not acknowledged has moved forward.
  void progressed(uint64_t now);
  // Sends again from there, unless this loss was handled already.
  void go_back(LossSignal signal, uint64_t now);
  // Selective repeat: the peer expects that PSN, and names what has come behind it.
  void fill_gaps(ExtPsn expected, const Arrived& arrived, uint64_t now);
  // Selective repeat: the peer expects that PSN, of a SEND or WRITE. If it named the packet as arrived, it has given up what
  // it kept.
  void check_kept(ExtPsn expected);
  // Sends again from there at that time; false if no retries are left.
  bool wait_rnr(uint64_t until);
  // Notes that a packet of the peer arrived.
  void note_rx() { rx_since_timeout_ = true; }
  // True if the WR under the cursor failed locally.
  bool failed() const { return failed_; }
  // True while it waits out an RNR NAK.
  bool in_rnr_wait() const { return rnr_until_ != 0; }
  uint32_t retries() const;
  void note_stray(const StrayAnswer& stray) { stray_ = stray; }
  // Fills in the operation and the fault of a failed WR that sends nothing.
  void describe_local(const SendWqe& wqe, FailedWork* work) const;
  // Called by the engine's timers.
  void on_time(uint64_t now);
  // The longest time that progress took while an answer was due, up to now, and the one at which it counts as missing; 0 and
  // 0 without a timeout. Nanoseconds.
  std::pair<uint64_t, uint64_t> longest_wait(uint64_t now) const;
  uint64_t deadline() const { return rnr_until_ != 0 ? rnr_until_ : ack_deadline_; }

  void stop();         // QP to ERR or RESET: nothing more goes out
  void resume();       // SQE to RTS: skips the flushed WRs
  void start_drain();  // QP to SQD: finishes started messages, begins none
  bool drained() const { return !draining_; }
  // Ends the drain once everything that it waits for is acknowledged.
  void check_drained();
  uint64_t posts() const { return posts_; }  // WRs posted so far
  uint32_t next_psn() const { return wire_psn(send_.next); }

  bool in_flight() const { return send_.in_flight(); }
  // True if packets wait to be sent, for the first time or again.
  bool unsent() const { return send_.unsent(); }
  const StrayAnswer& stray() const { return stray_; }
  uint32_t first_psn() const { return wire_psn(send_.first); }
  // READ requests on the wire begin and end at the same places in every retransmission.
  bool read_begins(const SendWqe& wqe, ExtPsn seq) const {
    return static_cast<uint32_t>(seq - wqe.first) % read_packets_ == 0;
  }
  bool read_ends(const SendWqe& wqe, ExtPsn seq) const {
    return seq + 1 == wqe.end() || static_cast<uint32_t>(seq + 1 - wqe.first) % read_packets_ == 0;
  }

 private:
  friend struct EngineInspector;  // tests
  enum class Step { sent, local, blocked, failed };
  static constexpr uint8_t kAnyReads = 0xff;
  Step send_one(uint64_t now, PacketSink& sink);
  Step send_controlled(uint64_t now, PacketSink& sink);
  Step send_data(PacketSink& sink, SendWqe& wqe);
  Step send_read(PacketSink& sink, SendWqe& wqe);
  Step send_atomic(PacketSink& sink, SendWqe& wqe);
  uint32_t resend(uint64_t now, PacketSink& sink, uint32_t budget);
  Step send_again(PacketSink& sink, ExtPsn seq);
  uint32_t wqe_of(ExtPsn seq) const;
  bool recover(LossSignal signal, uint64_t now);
  void ask_again();
  uint32_t read_rest(const SendWqe& wqe, ExtPsn seq) const;
  bool selective() const;
  static void keep_bind(const SendWr& wr, SendWqe& wqe);
  WindowFault execute(const SendWqe& wqe) const;
  Step run_local(uint64_t now, SendWqe& wqe);
  bool local_next() const;
  Step fail(SendWqe& wqe, WcStatus status);
  uint32_t window_packets() const;
  bool fits_shared_window(uint64_t outstanding) const;
  bool window_allows(uint32_t packets, uint32_t bytes);
  bool window_nearly_full(uint32_t bytes) const;
  bool responses_allowed(uint32_t packets, uint32_t bytes);
  bool ack_is_due(uint32_t bytes) const;
  void request_ack_through(ExtPsn end);
  // False if the payload's memory is gone.
  bool emit(PacketSink& sink, const uint8_t* header, uint32_t header_len, const IoVec* iov,
            uint32_t iov_count, uint32_t len, uint8_t position_flags);
  void rewind();
  void forget_part();
  void count_timeout();
  bool consume_retry(uint64_t now);
  void update_in_flight();
  // Time at which an answer counts as missing.
  uint64_t answer_due(uint64_t now) const;
  // Least time until ack_deadline_ at any progress so far, or now.
  uint64_t least_left(uint64_t now) const;
  uint64_t ack_timeout() const;

  Qp& qp_;
  SendState& send_;
  uint64_t posts_ = 0;
  uint32_t counted_in_flight_ = 0;  // our share of the engine's bytes in flight
  uint32_t since_ack_request_ = 0;
  uint32_t ack_request_bytes_ = 0;  // most payload between two packets that request an ACK
  uint32_t emitted_ = 0;            // UDP payload of the last packet
  // All PSNs below will be acknowledged: an ACK was requested, or a response is due.
  ExtPsn ack_requested_ = 0;
  uint64_t ack_requested_bytes_ = 0;  // send_.next_bytes before the packet that requested it
  uint64_t ack_deadline_ = UINT64_MAX;
  uint64_t least_left_ = UINT64_MAX;  // time until ack_deadline_ when progress came
  StrayAnswer stray_;
  bool long_wait_reported_ = false;
  bool rx_since_timeout_ = false;  // a packet has come from the peer since the last timeout
  bool stall_expired_ = false;     // ack_deadline_ came while nothing was in flight: stall() decides
  uint64_t path_position_ = 0;     // PacketSink::made_progress
  uint64_t rnr_until_ = 0;
  ExtPsn drain_end_ = 0;
  bool draining_ = false;
  uint8_t retries_left_ = 0;
  uint8_t rnr_retries_left_ = 0;
  uint32_t read_packets_ = 1;  // most responses per READ request on the wire
  bool more_ = false;
  bool blocked_on_shared_window_ = false;
  bool progressed_this_turn_ = false;
  bool own_flow_control_ = false;
  bool resending_ = false;  // the packet being sent is one that selective repeat sends again
  bool failed_ = false;     // the WR under the cursor failed locally; it completes after all WRs before it
  // End of each READ request or atomic on the wire, oldest first (at most 128, a ring).
  std::array<ExtPsn, 128> read_ends_{};
  uint8_t reads_head_ = 0;
  uint8_t reads_out_ = 0;
  WindowFault window_fault_{};     // the last failed WR that sends nothing
  uint8_t refill_at_ = kAnyReads;  // no READ or atomic goes out while more are outstanding
};

}  // namespace uroce::transport
