// A queue pair: attributes, work queues, and the parts that run the protocol.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "uroce/transport/intrusive_list.h"
#include "uroce/transport/policy/policy.h"
#include "uroce/transport/qp/executor.h"
#include "uroce/transport/qp/receive_state.h"
#include "uroce/transport/qp/send_state.h"
#include "uroce/transport/queues/completion.h"
#include "uroce/transport/queues/srq.h"
#include "uroce/transport/queues/work_queues.h"
#include "uroce/transport/rc/completer.h"
#include "uroce/transport/rc/requester.h"
#include "uroce/transport/rc/responder.h"
#include "uroce/transport/unreliable/unreliable.h"
#include "uroce/transport/validate.h"
#include "uroce/types.h"

namespace uroce::transport {

class Engine;

struct QpInit {
  QpType type = QpType::rc;
  uint32_t pd = 0;
  Cq* send_cq = nullptr;
  Cq* recv_cq = nullptr;
  QpCap cap;
  bool sq_sig_all = false;
  void* user = nullptr;
  Srq* srq = nullptr;  // source of its receives; cap.max_recv_* are ignored
};

// The oldest send WR that has not completed.
struct OldestSend {
  uint64_t wr_id = 0;
  WrOpcode opcode = WrOpcode::send;
  uint32_t length = 0;        // bytes
  uint32_t psn = 0;           // the first
  uint32_t wqe = 0;           // its index in the send queue
  uint64_t acknowledged = 0;  // bytes of it, as far as the peer has told
  uint64_t posted = 0;        // ns of the engine's clock; 0: not stamped
  bool sent = false;          // its first packet was emitted, at least once
};

class Qp {
 public:
  Qp(Engine& engine, uint32_t qpn, const QpInit& init, std::unique_ptr<PolledSlots> polled);
  Qp(const Qp&) = delete;
  Qp& operator=(const Qp&) = delete;

  uint32_t qpn() const { return qpn_; }
  QpState state() const { return attr_.qp_state; }
  QpType type() const { return init_.type; }
  const QpInit& init() const { return init_; }
  // The attributes for query_qp, with the current PSNs.
  QpAttr query() const;
  // True if no request waits for an acknowledgment or to be sent: a post should go out at once.
  bool send_idle() const { return sq_.empty(); }
  // Deadline of the running timer; kNever if none runs.
  uint64_t deadline() const {
    return unreliable_ ? unreliable_->deadline() : std::min(requester_.deadline(), congestion_.deadline());
  }
  // Runs the timer that is due.
  void on_time(uint64_t now);
  // none if the QP accepts a packet that is well formed for its opcode.
  Reject classify(const RxPacket& packet, const wire::BthView& bth) const;
  Reject classify_cnp(const RxPacket& packet, const wire::BthView& bth) const;
  // Send WRs not yet completed.
  uint32_t send_queued() const { return sq_.tail() - sq_.head(); }
  // For explanations: the peer's answer to a request that was never sent, and the first PSN.
  const StrayAnswer& stray_answer() const { return requester_.stray(); }
  uint32_t first_psn() const { return requester_.first_psn(); }
  // Index of the next send WR to be posted: FailedWork::wqe if it fails.
  uint32_t next_wqe() const { return sq_.tail(); }
  // True after the peer has reported (RNR NAK) that it has no receive.
  bool waits_for_receive() const { return requester_.in_rnr_wait(); }
  uint32_t recv_queued() const { return rq_.tail() - rq_.head(); }
  // Send WRs that may be posted before a completion is polled.
  uint32_t send_room() { return sq_.room(); }
  std::optional<OldestSend> oldest_send();
  // Changes whenever the peer acknowledges, and with each send WR that completes.
  uint64_t send_progress() const { return send_.acked + sq_.head(); }
  // True if the peer has acknowledged a packet since the QP left RESET.
  bool ever_acknowledged() const { return send_.acked != send_.first; }
  // Payload of its requests that is sent and not acknowledged.
  uint64_t bytes_in_flight() const { return send_.bytes_in_flight(); }
  // How near an RC QP's ACK timeout came: the longest wait for an answer, up to now, and the timeout, in nanoseconds; 0 and 0
  // if it has none.
  std::pair<uint64_t, uint64_t> longest_wait(uint64_t now) const { return requester_.longest_wait(now); }
  // Receives posted to its own queue since it was created, modulo 2^32.
  uint32_t recv_posted() const { return rq_.tail(); }
  // Retries since the last progress.
  uint32_t retries() const { return requester_.retries(); }
  RecoveryKind recovery() const { return recovery_.kind(); }
  // Selective repeat is chosen, and the peer has said since RESET that it has chosen it too. Until then, or towards a peer
  // that does not know it, the QP goes back.
  bool repeats_selectively() const { return recovery_.selective() != nullptr && peer_is_selective_; }
  // What congestion control allows now.
  CongestionState congestion(uint64_t now) const { return congestion_.state(now); }
  bool has_default_policy() const {
    return recovery() == RecoveryKind::go_back_n && !congestion_.controlled();
  }
  QpPolicy policy() const {
    return {recovery(), congestion_.choice(), responder_.ack_every(), responder_.own_ack_delay()};
  }
  uint32_t mtu() const { return mtu_; }
  // CNPs that came to it, and marked packets, since it was created.
  uint64_t cnps() const { return cnps_; }
  uint64_t marks() const { return marks_; }
  // True while its path has no room for a packet.
  bool stalled() const { return stalled_hook.linked; }

  void* user;  // the ABI's ibv_qp

 private:
  friend class Engine;
  friend class Requester;
  friend class Responder;
  friend class Executor;
  friend class Completer;
  friend class Unreliable;
  friend class Uc;
  friend class Ud;
  friend class QpStateMachine;
  friend struct EngineInspector;  // tests

  bool can_send() const { return attr_.qp_state == QpState::rts || attr_.qp_state == QpState::sqd; }
  // True if a receive for the next message is ready, taken from the SRQ if the QP has one.
  bool recv_ready() { return !rq_.empty() || (init_.srq != nullptr && init_.srq->pop_into(rq_)); }
  // Address of memory that the peer may access: a region or type 1 window of this QP's PD, or a type 2
  // window bound to this QP. Arguments and result as for MrTable::check.
  uint8_t* remote(uint32_t rkey, uint64_t va, uint64_t len, uint32_t rights) const;
  bool can_receive() const { return attr_.qp_state >= QpState::rtr && attr_.qp_state <= QpState::sqe; }
  // True if the pacer of a QP with a law of congestion control holds the next packet: a timer runs until it may leave.
  bool wait_for_pacer(uint64_t now);
  // The most that the pacer may hold a packet, ns: a quarter of the ACK timeout, which both ends usually have alike.
  uint64_t longest_pace() const {
    return attr_.timeout == 0 ? UINT64_MAX : AckTimeout::interval(attr_.timeout) / 4;
  }
  // Stops sending.
  void stop_sending();
  // Sets the first PSN that the peer will use.
  void reset_receiver(uint32_t rq_psn);
  // Enters ERR: both queues complete as flushed. A NAK that is due still goes out.
  void to_error(uint64_t now);
  // Enters RESET: both queues are emptied without completions.
  void to_reset();
  // Fails the QP after a completion found no room, as IBA requires.
  void cq_overrun(uint64_t now);

  Engine& engine_;
  const uint32_t qpn_;
  const uint8_t service_;  // bits of the BTH opcode
  QpInit init_;
  QpAttr attr_;
  uint32_t mtu_ = 1024;
  uint32_t recv_pd_;                // PD of the receives: the SRQ's or its own
  bool peer_is_selective_ = false;  // a packet of the peer said so
  uint64_t next_cnp_ = 0;           // time before which it sends no CNP
  uint64_t cnps_ = 0, marks_ = 0;
  std::unique_ptr<PolledSlots> polled_;
  SendQueue sq_;
  RecvQueue rq_;
  SendState send_;
  Recovery recovery_;
  Congestion congestion_;
  ReceiveState recv_;
  Requester requester_;
  Completer completer_;
  Executor executor_;
  Responder responder_;
  std::unique_ptr<Unreliable> unreliable_;  // the protocol of UC and UD; none for RC

 public:
  // Links of the engine's lists; not for others.
  ListHook<Qp> active_hook, ack_hook, cnp_hook, blocked_hook, stalled_hook;
  uint64_t timer_key = kNever;  // the QP's key in the engine's timer heap
  int32_t timer_index = -1;
};

}  // namespace uroce::transport
