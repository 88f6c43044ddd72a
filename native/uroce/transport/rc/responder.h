// Receiving side of an RC QP: takes requests in PSN order, executes READs and atomics, leaves SENDs and
// WRITEs to the executor (qp/executor.h), and answers with ACKs, NAKs, READ responses and atomic results.
#pragma once

#include <cstdint>
#include <memory>

#include "uroce/transport/packet_sink.h"
#include "uroce/transport/policy/policy.h"
#include "uroce/transport/policy/reorder.h"
#include "uroce/transport/qp/receive_state.h"
#include "uroce/transport/queues/event_sink.h"
#include "uroce/transport/queues/work_queues.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::transport {

class Qp;

class Responder {
 public:
  Responder(Qp& qp, ReceiveState& recv) : qp_(qp), recv_(recv) {}
  // Behind Executor::reset.
  void reset();
  // Keeps the resources that the peer may still ask for, as far as they fit, and all with a response to send.
  void set_resources(uint32_t max_dest_rd_atomic);
  // A request packet. body starts behind the BTH and ends before the pad.
  void on_packet(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  // Emits pending READ responses and atomic results, at most budget. Sets more() when only the budget stopped
  // it.
  uint32_t transmit_responses(uint64_t now, PacketSink& sink, uint32_t budget);
  bool more() const { return more_; }
  // Emits the NAK or ACK that is due, if any; true if one went out. READ responses before it must be out.
  bool transmit_ack(PacketSink& sink);
  bool ack_due() const { return ack_due_ || nak_due_; }
  bool owes_ack() const { return ack_due_; }
  // When it acknowledges: QpPolicy::ack_every and ack_delay_ns, with what the engine has.
  void set_acks(uint32_t every, uint64_t delay_ns);
  uint32_t ack_every() const { return unasked_ == UINT32_MAX ? 0 : unasked_; }
  uint64_t own_ack_delay() const { return own_ack_delay_; }
  bool ack_urgent() const { return nak_due_ || unacked_ >= coalesce_; }
  // The application has lately posted requests between one ACK and the next, so the ACK that is due will find
  // a packet to piggyback on.
  bool will_piggyback() const;
  uint64_t ack_deadline() const { return ack_deadline_; }
  bool responses_pending() const { return pending_ != 0; }

  void stop();  // QP to ERR or RESET: pending responses and ACKs are dropped, a NAK is not

  // Called by the executor.
  static constexpr uint8_t kNoNak = 0;  // a syndrome
  // A packet at the expected PSN was executed.
  void executed(uint64_t now, const wire::BthView& bth, bool message_end) {
    ack_end_ = recv_.expected;
    ++unacked_;
    if (message_end) msn_ = (msn_ + 1) & kPsnMask;
    if (bth.ack_req() || unacked_ >= unasked_) want_ack(now);
  }
  // READ responses through this key are still to be sent.
  bool reads_pending(uint32_t rkey) const;
  // NAKs the expected PSN as if its packet had been lost, after the pending responses.
  void nak_sequence();
  // NAKs a message for which there is no receive.
  void rnr();
  // The request at that PSN cannot be executed. Answers to READs and atomics before it go out first, then
  // the QP fails.
  void fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status, ExtPsn at);

 private:
  friend struct EngineInspector;  // tests
  // A READ or atomic that the peer may ask for again. The ring holds the last ones, newest at head_ - 1.
  struct Resource {
    enum Kind : uint8_t { none, read, atomic } kind = none;
    bool pending = false;    // has something to send
    bool sent_once = false;  // the whole response was sent before: what is pending repeats it
    uint32_t rkey = 0;
    ExtPsn first = 0;
    uint32_t psn_count = 0;
    uint32_t length = 0;
    uint64_t va = 0;
    uint64_t original = 0;     // atomic: the value before the operation
    ExtPsn next = 0;           // next PSN to send
    ExtPsn start = 0;          // first PSN of the current answer
    ExtPsn stop = 0;           // PSN behind its last
    uint32_t stop_offset = 0;  // bytes from va at which the answer ends
  };

  struct Failure {
    bool armed = false;
    uint8_t syndrome = 0;  // kNoNak: the peer hears nothing
    EventType event{};
    WcStatus recv_status{};  // the current receive's; success leaves it to be flushed
    ExtPsn at = 0;
  };

  void on_ahead(const wire::BthView& bth, const uint8_t* body, uint32_t len, ExtPsn seq);
  // Selective repeat: keeps a packet that came ahead of its turn. False if it cannot.
  bool hold(const wire::BthView& bth, const uint8_t* body, uint32_t len, ExtPsn seq);
  // Executes a packet at the expected PSN.
  [[gnu::always_inline]] void execute(uint64_t now, const wire::BthView& bth, const uint8_t* body,
                                      uint32_t len);
  // Executes what was held and is next. Gives up the rest if one is refused.
  void execute_held(uint64_t now);
  void release_held();
  bool restarts_message(ExtPsn seq);
  // Go-back-0: forgets what has come of the current message. Its receive stays.
  void forget_message();
  void on_duplicate(uint64_t now, const wire::BthView& bth, const uint8_t* body, ExtPsn seq);
  void on_read(uint64_t now, const uint8_t* body);
  void on_atomic(uint64_t now, const wire::BthView& bth, const uint8_t* body);
  Resource* next_resource();
  Resource* find_resource(ExtPsn seq);
  void clear_resources();
  void start_read_response(Resource& r, ExtPsn seq, uint32_t offset, uint32_t length);
  bool send_read_response(uint64_t now, PacketSink& sink, Resource& r);
  bool give_up_repeat(Resource& r);
  void send_atomic_ack(PacketSink& sink, Resource& r);
  void response_sent(Resource& r);
  bool emit(PacketSink& sink, uint8_t opcode, uint32_t psn, uint8_t syndrome, const uint64_t* original,
            const IoVec* iov, uint32_t len, const Arrived* arrived = nullptr);
  void want_ack(uint64_t now);
  void drop_ack();
  void nak(uint8_t syndrome);
  void fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status = WcStatus::success);
  void carry_out_failure(uint64_t now);

  Qp& qp_;
  ReceiveState& recv_;
  ExtPsn ack_end_ = 0;  // an ACK acknowledges everything below
  uint32_t msn_ = 0;
  bool nak_sent_ = false;  // a NAK was sent; drop what is ahead until the expected PSN comes
  bool ack_due_ = false;
  bool nak_due_ = false;
  bool nak_names_held_ = false;  // the NAK that is due says what is held
  uint8_t nak_syndrome_ = 0;
  bool more_ = false;
  bool piggybacked_ = false;
  uint64_t posts_at_ack_ = 0;
  uint32_t nak_psn_ = 0;
  HeldPackets held_;               // selective repeat: what came ahead of its turn
  uint32_t unacked_ = 0;           // packets executed since the last ACK
  uint32_t coalesce_ = 0;          // unacked_ at which an ACK does not wait
  uint32_t unasked_ = UINT32_MAX;  // unacked_ at which an ACK is sent without a request for it
  uint64_t own_ack_delay_ = kDefaultAckDelay;
  uint64_t ack_deadline_ = 0;
  Failure failure_;
  std::unique_ptr<Resource[]> resources_;
  uint32_t resource_count_ = 0;  // 0: the QP takes no READ or atomic
  uint32_t head_ = 0;
  uint32_t pending_ = 0;  // resources with something to send
};

}  // namespace uroce::transport
