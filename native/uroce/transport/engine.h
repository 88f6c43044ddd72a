// The RoCEv2 transport engine: the public header of the core.
//
// A pure state machine. Inputs are work requests, packets and the time; outputs are packets, completions,
// events and the next wake time. It has no socket, clock, thread, lock or source of randomness, it never
// blocks, and it allocates only when objects are made. Its owner serializes calls (one lock per engine).
//
// Time is uint64_t nanoseconds of any monotonic clock, the same in every call. Errors are errno values, 0 for
// success.
//
// The loop of an owner:
//   on_packet(now, p) for each packet received; on_time(now) at next_wake();
//   then transmit(now, sink) until it returns false or the sink can take no more; then wait for packets or
//   next_wake().
#pragma once

#include <bitset>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "uroce/diagnostics.h"
#include "uroce/random.h"
#include "uroce/transport/counters.h"
#include "uroce/transport/gsi.h"
#include "uroce/transport/intrusive_list.h"
#include "uroce/transport/mcast_table.h"
#include "uroce/transport/memory/guarded_copy.h"
#include "uroce/transport/memory/mr_table.h"
#include "uroce/transport/packet_sink.h"
#include "uroce/transport/policy/policy.h"
#include "uroce/transport/policy/reorder.h"
#include "uroce/transport/qp.h"
#include "uroce/transport/queues/completion.h"
#include "uroce/transport/queues/event_sink.h"
#include "uroce/transport/queues/srq.h"
#include "uroce/transport/queues/work_request.h"
#include "uroce/transport/timer_heap.h"
#include "uroce/transport/validate.h"
#include "uroce/types.h"

namespace uroce::transport {

struct EngineConfig {
  // QPNs are qpn_base + i, first_local_index <= i < 4096, assigned cyclically from a random start.
  uint32_t qpn_base = 0;           // slot << 12
  uint32_t first_local_index = 2;  // 0 and 1 of slot 0 are the management QPs
  uint32_t max_qp_wr = 16384;
  uint32_t max_sge = kMaxSge;
  uint32_t max_inline = 400;  // bytes
  uint32_t max_cqe = 1u << 20;
  uint32_t max_srq_wr = 32768;
  // Limits of the engine's objects. QPs are limited by their numbers, and can use a CQ for each direction.
  uint32_t max_pd = 32768;
  uint32_t max_cq = 8192;
  uint32_t max_srq = 4096;
  uint32_t max_mr = 65536;
  uint32_t max_mw = 65536;
  uint32_t max_rd_atomic = 128;
  uint32_t max_message = 1u << 30;  // bytes per WR; at most kMaxMessage
  uint32_t max_mtu = kMaxMtu;
  uint32_t max_mcast_groups = 128;
  uint32_t max_mcast_qps = 4094;  // attached to one group

  // Limits of a QP's unacknowledged data: packets (READ responses count, they are PSNs) and payload bytes.
  uint32_t window_packets = 128;
  uint32_t window_bytes = 1u << 18;
  // Bytes in flight of all QPs of the engine together, since they share the peers' receive buffers. A QP
  // that expects no answer may always send one packet. QPs that find the window full take turns.
  uint64_t engine_window_bytes = 1u << 20;
  // Bytes per READ request on the wire; a longer READ becomes several requests. Rounded down to whole
  // packets.
  uint32_t read_request_bytes = 1u << 16;
  // The requester sets AckReq at the end of a message and at least this often, in packets and in bytes. It
  // asks several times per window: if it asked only at the end of one, the pipe would be empty when the ACK
  // comes.
  uint32_t ack_request_packets = 64;
  uint32_t ack_request_bytes = 1u << 16;
  // An ACK is sent without deferral once this many packets were executed since the last one.
  uint32_t ack_coalesce_packets = 32;
  // Longest time that a deferred ACK waits for a packet to leave with. The ACK leaves ahead of that packet.
  uint64_t ack_delay_ns = 20'000;
  // Interval between two CNPs of one QP, as published with DCQCN (Zhu et al., SIGCOMM 2015). NICs have 4 us
  // and more.
  uint64_t cnp_interval_ns = 50'000;
  // Packets one QP may emit before the next one gets its turn. 1 serves the QPs in turn, packet by packet, as
  // a NIC does.
  uint32_t burst_packets = 64;
  // Policy of new RC QPs; it must be valid().
  QpPolicy policy;
  // Packets ahead of their turn that QPs with selective repeat keep, all together. One that finds no room is dropped, and
  // its QP goes back.
  uint32_t reorder_packets = 128;
  // How late a paced packet may leave and the next ones still catch up. 0 for simulations; a device wakes late.
  uint64_t pace_slack_ns = 0;
  // False for simulations whose packets are headers alone: RxPacket::data ends behind the extended headers,
  // RxPacket::len still counts the payload and the pad. Keys, bounds and lengths are checked as ever, and
  // memory keeps what it has. Atomics still read and write memory, and management datagrams need their payload.
  bool carry_payload = true;
  // After an ACK timeout a QP may have this part of its window in flight, and twice as much with each ACK. 1: all of
  // it, as a NIC.
  uint32_t timeout_window_cut = 8;
  // Each ACK timeout in a row doubles the next one, this often at most. The specification allows 2: four times the
  // interval.
  uint8_t timeout_stretch = 2;
  // rxe takes retry_cnt 7 as "no limit"; the specification takes it as seven. Simulations of heavy loss set
  // this.
  bool retry_seven_is_endless = false;
};

// transmit() flags. Every ACK may wait until its deadline, for more packets to cover or for data to leave
// with:
inline constexpr uint32_t kDeferAcks = 1;
// Only the ACKs of QPs that answer requests with their own requests may wait: a ping-pong gains, one-way
// traffic does not lose.
inline constexpr uint32_t kDeferPiggybackAcks = 2;
// Only CNPs and ACKs leave, since the class of the data is paused (PFC). Says that work is left.
inline constexpr uint32_t kOnlyAcks = 4;

class Engine {
 public:
  Engine(const EngineConfig& config, RandomSource& random, EventSink& events);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Objects.

  // 0 when max_pd is reached.
  uint32_t alloc_pd();
  // 0, EINVAL (no such PD), EBUSY (regions, windows, SRQs or QPs still in it).
  int dealloc_pd(uint32_t pd);

  // EINVAL for an unknown PD; else as MrTable::reg.
  std::expected<uint32_t, int> reg_mr(uint32_t pd, uint8_t* base, uint64_t iova, uint64_t length,
                                      uint32_t access);
  // EINVAL for an unknown key, EBUSY while a window is bound to the region.
  int dereg_mr(uint32_t key);
  MrTable& mrs() { return mrs_; }

  // The rkey of a new memory window, or EINVAL (PD), ENOMEM. It is bound and invalidated by work requests.
  std::expected<uint32_t, int> alloc_mw(uint32_t pd, MwType type);
  // Takes any rkey that the window has had, bound or not: EINVAL for an unknown one.
  int dealloc_mw(uint32_t rkey);

  // EINVAL for capacity 0 or above max_cqe, ENOMEM above max_cq.
  std::expected<Cq*, int> create_cq(uint32_t capacity, bool timed = false);
  // EBUSY while a QP uses it.
  int destroy_cq(Cq* cq);

  // EINVAL (PD, no WRs, more WRs or SGEs than the device has), ENOMEM above max_srq. attr.limit is ignored,
  // as in verbs.
  std::expected<Srq*, int> create_srq(uint32_t pd, const SrqAttr& attr);
  // Errors are those of Srq::modify, and EINVAL above max_srq_wr.
  int modify_srq(Srq& srq, const SrqAttr& attr, uint32_t mask);
  // EBUSY while a QP uses it. Posted receives are dropped without completions.
  int destroy_srq(Srq* srq);

  // The new QP is in RESET. EINVAL (capabilities, PD, CQ), EOPNOTSUPP (type), ENOMEM (no QPN left).
  std::expected<Qp*, int> create_qp(const QpInit& init);
  // Drops queued WRs without completions. Completions already in a CQ stay: see Cq::purge. EBUSY while the
  // QP is attached to a multicast group.
  int destroy_qp(Qp* qp);
  // Checks everything before it changes anything: EINVAL for a mask or state that ib_modify_qp_is_ok refuses,
  // for values out of range, for leaving SQD while it drains.
  int modify_qp(Qp& qp, const QpAttr& attr, uint32_t mask, uint64_t now);
  // Chooses how an RC QP recovers from loss and controls congestion: EINVAL for another kind of QP, after INIT, and
  // for parameters out of range. Both ends of a connection need the same recovery; with one end, selective repeat is
  // go-back-N. A QP keeps its policy in RESET.
  int set_policy(Qp& qp, const QpPolicy& policy);
  Qp* find_qp(uint32_t qpn) const;
  // Attaches the UD QP: it receives datagrams of any sender to the group. EINVAL (another kind of QP, not a
  // multicast GID), ENOMEM (max_mcast_groups, max_mcast_qps). Attaching a second time changes nothing.
  int attach_mcast(Qp& qp, const Gid& group);
  // EINVAL if it is not attached.
  int detach_mcast(Qp& qp, const Gid& group);
  // True if a QP is attached to the group.
  bool has_mcast(const Gid& group) const { return mcast_.find(group) != nullptr; }
  // Writes the addresses from which packets may come to connected QPs, each once; returns their number.
  // Nothing if they do not fit, or if a QP takes packets from anywhere.
  std::optional<std::size_t> peers(std::span<Gid> out) const;
  uint32_t qp_count() const { return qp_count_; }

  // Work.

  // Queues one WR; nothing is sent before transmit(). EINVAL (state below RTS, opcode, num_sge, inline too
  // long or with READ, message too long), ENOMEM (all slots in use: slots.h). In ERR the WR completes as
  // flushed.
  int post_send(Qp& qp, const SendWr& wr, uint64_t now);
  // Result that post_send() would return with `ahead` WRs posted before this one.
  int check_send(const Qp& qp, const SendWr& wr, uint32_t ahead) const;
  // EINVAL (state RESET, num_sge, a QP on an SRQ), ENOMEM (all slots in use). In ERR the WR completes as
  // flushed.
  int post_recv(Qp& qp, const RecvWr& wr);

  // Packets and time.

  // Processes a packet with a correct ICRC. Everything else in it may be malformed.
  void on_packet(uint64_t now, const RxPacket& packet);
  // The two steps of on_packet(), for an owner that checks the ICRC between them. validate() checks the
  // headers and counts a rejected packet; process() takes an accepted one. No other call may come between
  // the two.
  Validated validate(const RxPacket& packet);
  void process(uint64_t now, const RxPacket& packet, const Validated& validated);
  // Sends all packets that may go out. True if work is left only because the sink had no room.
  bool transmit(uint64_t now, PacketSink& sink, uint32_t flags = 0);
  // The owner's answer to a TxPacket with position flags: the time at which it was handed to the socket. Call
  // before the packet that acknowledges it is processed.
  void note_tx_timestamp(const TxTimestamp& timestamp, uint64_t time);
  // Runs the timers that are due.
  void on_time(uint64_t now);
  // Time at which on_time() or transmit() has work even if no packet arrives; kNever: none. Meaningful
  // after transmit() returned false.
  uint64_t next_wake();
  // No timer is due earlier. For owners that ask after each packet: next_wake() is exact, and costs more.
  uint64_t earliest_timer() const { return timers_.earliest(); }
  // Time at which on_time() has work, exactly. For owners that never defer an ACK, and ask before all is sent.
  uint64_t next_timer() { return timers_.next(); }
  // True if something is ready to be sent (deferred ACKs do not count).
  bool tx_pending() const { return !active_.empty() || !cnp_due_.empty(); }
  // True if transmit(kDeferAcks) has deferred ACKs.
  bool acks_deferred() const { return !ack_due_.empty(); }

  // Calls f(path) for the path of each datagram that has not been emitted.
  void for_each_datagram_path(const std::function<void(const Path&)>& f) const;

  // Queue pair 1: posted datagrams leave with the next transmit().
  Gsi& gsi() { return gsi_; }

  // Settings and figures.

  const EngineConfig& config() const { return config_; }
  // Sets the windows for packets sent from now on.
  void set_windows(uint32_t window_packets, uint32_t window_bytes, uint64_t engine_window_bytes);
  // WRs posted from now on are stamped.
  void set_stamping(bool on);
  bool stamping() const { return kDiagnostics && stamping_; }
  const Counters& counters() const { return counters_; }

 private:
  friend class Qp;
  friend class QpStateMachine;
  friend struct EngineInspector;  // tests
  friend class Requester;
  friend class Responder;
  friend class Executor;
  friend class Completer;
  friend class Unreliable;
  friend class Uc;
  friend class Ud;

  // Services for the parts of a QP.
  void activate(Qp& qp) { active_.push_back(&qp); }
  void set_timer(Qp& qp, uint64_t deadline);
  void change_in_flight(int64_t bytes);
  void forget(Qp& qp);  // takes it off every list
  void reject(const RxPacket& packet, const Validated& validated);
  // Stores payload to registered memory. False if the memory is gone.
  bool place_payload(uint8_t* to, const uint8_t* from, uint32_t len) const {
    return !config_.carry_payload || place(to, from, len);
  }
  // True if a QP of this number existed, or may have existed.
  bool was_here(uint32_t qpn) const;
  // Refuses capabilities beyond the device: EINVAL with its cause, or 0.
  int refused_cap(const QpInit& init) const;
  uint32_t next_index(uint32_t index) const;
  void on_multicast(uint64_t now, const RxPacket& packet, const wire::BthView& bth, const uint8_t* body,
                    uint32_t len);
  uint32_t transmit_qp(Qp& qp, uint64_t now, PacketSink& sink, uint32_t budget, bool* more);
  bool transmit_acks(PacketSink& sink, uint32_t* room);
  Qp* next_turn();
  static uint32_t room_to(const Qp& qp, PacketSink& sink);
  static uint32_t room_without(const Qp& qp, PacketSink& sink);
  void stall(Qp& qp, uint64_t now, PacketSink& sink);
  void unstall();
  void on_congestion(uint64_t now, Qp* qp);
  bool transmit_cnps(PacketSink& sink);
  bool wait_for_window(Qp& qp);

  EngineConfig config_;
  RandomSource& random_;
  EventSink& events_;
  Counters counters_;
  MrTable mrs_;
  std::unordered_map<uint32_t, uint32_t> pds_;  // number of QPs and SRQs in each
  uint32_t next_pd_ = 1;
  std::unordered_map<const Cq*, std::unique_ptr<Cq>> cqs_;
  std::unordered_map<const Srq*, std::unique_ptr<Srq>> srqs_;
  std::bitset<4096> used_;                // places of qps_ that have had a QP
  std::vector<std::unique_ptr<Qp>> qps_;  // by local index
  // Slots of destroyed QPs: completions that were not purged may still refer to them.
  std::vector<std::unique_ptr<PolledSlots>> spare_slots_;
  uint32_t qp_count_ = 0;
  uint32_t next_qp_index_;
  bool stamping_ = false;
  uint64_t in_flight_ = 0;
  bool window_full_ = false;  // a QP found no room in the window since it last shrank
  Gsi gsi_;
  TimerHeap timers_;
  McastTable mcast_;
  ReorderPool reorder_;  // open once a QP has chosen selective repeat
  // Lists of a QP, and the events that take it off. forget() takes it off all of them (RESET, destroy).
  //
  //   active_   Has something to send. Put there by a post, an ACK or NAK to send at once, a response, progress, the
  //             end of a wait, a timeout. Off when its turn begins; back at the end if only the turn's budget
  //             stopped it.
  //   blocked_  The shared window stopped it. It needs no timer: one packet with AckReq may always be in flight, so
  //             an answer is coming (Requester::window_allows). Off when one of its turns is no longer limited by
  //             the window, or when it becomes stalled. Tried before active_ while the window is open.
  //   stalled_  The path has no room (PacketSink::room_to). All move to active_ when room_returned() is true. A
  //             request of RC that has nothing in flight runs its ACK timer here: when it is due, the QP has a turn,
  //             and finds room, a receiver that takes packets (the timer starts again), or neither (one retry
  //             fewer). ACKs, NAKs and responses wait without a timer: the peer asks again. UC goes on when admit()
  //             says that its packets are to be lost.
  //   ack_due_  Owes an ACK that is not urgent, ordered by deadline; next_wake() reads the first. Off when an ACK,
  //             NAK or response has gone out. Without room for the ACK it is off as well, so that a deadline that
  //             has passed causes no wake-up, and unstall() puts it back, in front.
  //   cnp_due_  Owes a CNP. Off when the CNP is sent, or at once without room on the path: the next mark asks again.
  //   timers_   Not a list: the time of the next check of a QP with requests in flight, or waiting as above. UC and
  //             UD that admit() refused, and RC that waits out an RNR NAK or whose pacer holds its next packet, are
  //             only here.
  //
  // A QP may be on several: active_ and stalled_ until its turn, ack_due_ and any other. ERR takes it off
  // none of them; at most it has a NAK to send then.
  IntrusiveList<Qp, &Qp::active_hook> active_;
  IntrusiveList<Qp, &Qp::ack_hook> ack_due_;
  IntrusiveList<Qp, &Qp::blocked_hook> blocked_;
  IntrusiveList<Qp, &Qp::cnp_hook> cnp_due_;
  IntrusiveList<Qp, &Qp::stalled_hook> stalled_;
};

// Room on the path of a QP. A datagram QP has no single path: it asks for each packet (PacketSink::admit).
inline uint32_t Engine::room_to(const Qp& qp, PacketSink& sink) {
  if (qp.type() == QpType::ud) return UINT32_MAX;
  const uint32_t room = sink.room_to(qp.attr_.av, qp.attr_.dest_qp_num);
  return room != 0 ? room : room_without(qp, sink);
}

inline uint8_t* Qp::remote(uint32_t rkey, uint64_t va, uint64_t len, uint32_t rights) const {
  const MrTable& mrs = engine_.mrs_;
  if (uint8_t* p = mrs.check(rkey, init_.pd, va, len, rights)) [[likely]]
    return p;
  return mrs.check(rkey, qp_domain(qpn_), va, len, rights);
}

}  // namespace uroce::transport
