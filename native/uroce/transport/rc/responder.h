// Receiving side of a QP: executes requests in PSN order against registered memory and the receive queue, and
// answers with ACKs, NAKs, READ responses and atomic results.
#pragma once

#include <cstdint>
#include <memory>

#include "uroce/transport/packet_sink.h"
#include "uroce/transport/queues/event_sink.h"
#include "uroce/transport/queues/work_queues.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::transport {

class Qp;

class Responder {
 public:
  explicit Responder(Qp& qp) : qp_(qp) {}
  void reset(uint32_t rq_psn);
  // Keeps the resources that the peer may still ask for, as far as they fit, and all with a response to send.
  void set_resources(uint32_t max_dest_rd_atomic);

  int post(const RecvWr& wr);
  // A request packet. body starts behind the BTH and ends before the pad.
  // A request arrives in RTR: the peer has what it needs of us, though its last message by hand may still be under way.
  void heard_before_rts();
  void on_packet(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  // Emits pending READ responses and atomic results, at most budget. Sets more() when only the budget stopped
  // it.
  uint32_t transmit_responses(uint64_t now, PacketSink& sink, uint32_t budget);
  bool more() const { return more_; }
  // Emits the NAK or ACK that is due, if any; true if one went out. READ responses before it must be out.
  bool transmit_ack(PacketSink& sink);
  bool ack_due() const { return ack_due_ || nak_due_; }
  bool owes_ack() const { return ack_due_; }
  bool ack_urgent(uint32_t coalesce) const { return nak_due_ || unacked_ >= coalesce; }
  // The application has lately posted requests between one ACK and the next, so the ACK that is due will find
  // a packet to piggyback on.
  bool will_piggyback() const;
  uint64_t ack_deadline() const { return ack_deadline_; }
  bool responses_pending() const { return pending_ != 0; }

  void stop();               // QP to ERR or RESET: pending responses and ACKs are dropped, a NAK is not
  void flush(uint64_t now);  // completes every posted receive with status flushed
  ExtPsn expected() const { return expected_; }

 private:
  friend struct EngineInspector;  // tests
  friend class Unreliable;
  friend class Uc;
  friend class Ud;
  enum class Message : uint8_t { none, send, write };
  static constexpr uint8_t kNoNak = 0;
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
    ExtPsn start = 0;          // first PSN of the answer under way
    ExtPsn stop = 0;           // one behind its last
    uint32_t stop_offset = 0;  // bytes from va at which the answer ends
  };

  struct Failure {
    bool armed = false;
    uint8_t syndrome = 0;  // kNoNak: the peer hears nothing
    EventType event{};
    WcStatus recv_status{};  // of the receive under way; success leaves it to be flushed
    ExtPsn at = 0;
  };

  void on_duplicate(uint64_t now, const wire::BthView& bth, const uint8_t* body, ExtPsn seq);
  void on_send(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  void on_write(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  // A packet of a SEND or WRITE at the expected PSN, of RC or UC.
  void on_data(uint64_t now, const wire::BthView& bth, const uint8_t* body, uint32_t len);
  void on_read(uint64_t now, const uint8_t* body);
  void on_atomic(uint64_t now, const wire::BthView& bth, const uint8_t* body);
  bool sequence_ok(uint8_t opcode, uint32_t len) const;
  Resource* next_resource();
  Resource* find_resource(ExtPsn seq);
  // READ responses through this key are still to be sent.
  bool reads_pending(uint32_t rkey) const;
  void clear_resources();
  void start_read_response(Resource& r, ExtPsn seq, uint32_t offset, uint32_t length);
  bool send_read_response(uint64_t now, PacketSink& sink, Resource& r);
  bool give_up_repeat(Resource& r);
  void send_atomic_ack(PacketSink& sink, Resource& r);
  void response_sent(Resource& r);
  bool emit(PacketSink& sink, uint8_t opcode, uint32_t psn, uint8_t syndrome, const uint64_t* original,
            const IoVec* iov, uint32_t len);
  void executed(uint64_t now, const wire::BthView& bth, bool message_end);
  void want_ack(uint64_t now);
  void drop_ack();
  void nak(uint8_t syndrome);
  void nak_sequence();
  // There is no receive for a message that begins with so many bytes.
  void rnr(WrOpcode opcode, uint32_t length);
  void fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status = WcStatus::success);
  void fail(uint64_t now, uint8_t syndrome, EventType event, WcStatus recv_status, ExtPsn at);
  // As fail(), and says why.
  void refuse(uint64_t now, const RefusedRequest& request, uint8_t syndrome, EventType event,
              WcStatus recv_status = WcStatus::success);
  // The memory that a peer's request needs is gone (t_guard.fault).
  void memory_gone(uint64_t now, WrOpcode opcode, const wire::Reth& reth, WcStatus recv_status);
  void tell_failed_receive(WcStatus status);
  void carry_out_failure(uint64_t now);
  // False: the receive does not have these bytes, or their memory is gone (fault_).
  bool scatter(uint32_t offset, const uint8_t* data, uint32_t len);
  void complete_recv(uint64_t now, WcStatus status, WcOpcode opcode, uint32_t byte_len, uint32_t flags,
                     uint32_t imm_or_rkey, bool solicited);

  // Fills in what every receive completion has, and takes the receive off the queue.
  void deliver(uint64_t now, Completion& wc, bool solicited);

  Qp& qp_;
  ExtPsn first_ = 0;  // where it began to expect
  ExtPsn expected_ = 0;
  ExtPsn ack_end_ = 0;  // an ACK acknowledges everything below
  uint32_t msn_ = 0;
  Message message_ = Message::none;
  uint32_t offset_ = 0;  // bytes of the message taken so far
  uint64_t write_va_ = 0;
  uint32_t write_rkey_ = 0;
  uint32_t write_length_ = 0;
  uintptr_t fault_ = 0;       // where memory was gone when a request failed; 0: it was not
  bool established_ = false;  // the event was raised
  bool nak_sent_ = false;     // a NAK was sent; drop what is ahead until the expected PSN comes
  bool ack_due_ = false;
  bool nak_due_ = false;
  uint8_t nak_syndrome_ = 0;
  bool more_ = false;
  bool piggybacked_ = false;
  uint64_t posts_at_ack_ = 0;
  uint32_t nak_psn_ = 0;
  uint32_t unacked_ = 0;  // packets executed since the last ACK
  uint64_t ack_deadline_ = 0;
  Failure failure_;
  std::unique_ptr<Resource[]> resources_;
  uint32_t resource_count_ = 0;  // 0: the QP takes no READ or atomic
  uint32_t head_ = 0;
  uint32_t pending_ = 0;  // resources with something to send
};

}  // namespace uroce::transport
