// Connection management (IBA volume 1, chapter 12) as a pure state machine: no I/O, clock, lock or randomness
// of its own. Its owner hands it MADs, the time and calls; it answers with MADs, events and its next wake
// time. One machine per device; the owner serializes calls.
//
// Choices where the specification and the kernel's ib_cm leave room:
//   - A message without an answer is repeated after 0.25 s, then after twice as long each time up to 4.3 s
//     (the response timeout that REQ carries): loss costs a quarter of a second, not four, and an absent
//     peer has about a minute to come back. DREQ gives up after eight seconds.
//   - A duplicate of a REQ that the application has not answered yet is answered by MRA, so that a slow
//     application is not mistaken for a lost one.
//   - REP or DREQ for an unknown connection (its process is gone, another one has its place) is answered by
//     REJ "invalid communication ID" or DREP, so that a peer does not wait for a dead process.
//   - A message acts on a connection by the rules of the kernel's ib_cm: the IDs of both ends must match, a
//     REJ or MRA of a REQ counts only while that REQ is pending, DREQ must name our queue pair, and a queue
//     pair is stale only where the CA GUID matches too. Every other message is counted and has no effect.
//   - LAP and APR are ignored: there are no alternate paths.
//
// Time is in nanoseconds; errors are errno values, 0 for success.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "uroce/random.h"
#include "uroce/types.h"
#include "uroce/wire/cm_messages.h"

namespace uroce::cm {

// Addresses and traffic class for the MADs of a connection.
struct Address {
  Gid local{};
  Gid remote{};
  uint8_t traffic_class = 0;
  bool operator==(const Address&) const = default;
};

enum class State : uint8_t {
  idle,
  req_sent,
  req_received,  // waiting for the application's reply
  rep_sent,
  rep_received,  // waiting for the application's RTU
  established,
  dreq_sent,
  dreq_received,  // waiting for the application's DREP
  timewait,       // over, but duplicates of its last messages are still answered
  sidr_req_sent,
  sidr_req_received,
  sidr_done,
};

struct Connection {
  uint32_t local_id = 0;
  uint32_t remote_id = 0;
  State state = State::idle;
  void* user = nullptr;  // the owner's; null once it has released the connection
  Address address;
  uint64_t service_id = 0;

  // Parameters of the queue pair, known from REQ and REP on.
  uint32_t local_qpn = 0;
  uint32_t remote_qpn = 0;
  uint64_t remote_guid = 0;  // CA GUID of the peer, from REQ or REP
  uint32_t send_psn = 0;     // PSN of our first packet
  uint32_t receive_psn = 0;  // PSN of the peer's first packet
  uint8_t path_mtu = 0;      // enum ibv_mtu
  uint8_t responder_resources = 0;
  uint8_t initiator_depth = 0;
  uint8_t retry_count = 0;
  uint8_t rnr_retry_count = 0;
  uint8_t ack_timeout = 0;  // 4.096 us x 2^n

  // Private to the machine.
  uint64_t tid = 0;
  uint64_t deadline = kNever;
  uint64_t interval = 0;  // ns until the next repetition
  uint32_t tries = 0;     // repetitions left
  wire::MadBytes last{};  // the message to repeat, also in answer to a duplicate
  bool has_last = false;
  bool refused = false;     // `last` is the REJ that ended the connection
  bool remembered = false;  // only duplicates of its last messages need it
};

enum class EventType : uint8_t {
  request,             // REQ; the owner gives the connection its user, or destroys it
  reply,               // REP
  established,         // RTU, or notify()
  rejected,            // REJ; status is the reason
  unreachable,         // no answer to REQ, REP or SIDR_REQ
  disconnect_request,  // DREQ
  disconnected,        // DREP, or no answer to DREQ (status ETIMEDOUT)
  timewait_exit,
  sidr_request,
  sidr_reply,  // status as in wire::sidr_status
};

struct Event {
  EventType type;
  Connection& connection;
  int status = 0;
  std::span<const uint8_t> private_data{};
  void* listener = nullptr;  // for request and sidr_request
  // The whole message, for its other fields.
  const wire::CmReq* req = nullptr;
  const wire::CmRep* rep = nullptr;
  const wire::CmSidrRep* sidr_rep = nullptr;
};

class Owner {
 public:
  virtual void send(const Address& to, const wire::MadBytes& mad) = 0;
  // May call the machine, even to destroy the connection.
  virtual void on_event(const Event& event) = 0;
  // The listener for this service ID; null: REJ. Not called for duplicates.
  virtual void* listener(uint64_t service_id, const Address& address, std::span<const uint8_t> private_data,
                         bool datagram) = 0;

 protected:
  ~Owner() = default;
};

struct Config {
  uint32_t id_base = 0;  // upper 12 bits of every communication ID: the slot
  uint64_t ca_guid = 0;
};

// Messages and connections that failed because of unknown senders or lost peers. The counts never reset.
struct Counts {
  uint64_t stale = 0;    // connections that ended because another one names their peer's queue pair
  uint64_t refused = 0;  // requests that no listener took
  uint64_t stray = 0;    // messages that fit no connection, or not its state
};

// Parameters of connect(); the machine fills in the rest of REQ.
struct ConnectParams {
  uint64_t service_id = 0;
  uint32_t qpn = 0;
  uint32_t starting_psn = 0;
  uint8_t responder_resources = 0;
  uint8_t initiator_depth = 0;
  uint8_t retry_count = 7;
  uint8_t rnr_retry_count = 7;
  uint8_t path_mtu = 0;  // enum ibv_mtu
  uint8_t ack_timeout = 0;
  uint8_t transport = 0;  // 0 RC, 1 UC
  bool flow_control = false;
  bool srq = false;
  std::span<const uint8_t> private_data{};  // at most wire::CmReq::kPrivate
};

struct AcceptParams {
  uint32_t qpn = 0;
  uint32_t starting_psn = 0;
  uint8_t responder_resources = 0;
  uint8_t initiator_depth = 0;
  uint8_t rnr_retry_count = 7;
  bool flow_control = false;
  bool srq = false;
  std::span<const uint8_t> private_data{};  // at most wire::CmRep::kPrivate
};

class Machine {
 public:
  Machine(const Config& config, RandomSource& random, Owner& owner);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Creates an idle connection. Never null; valid until destroy().
  Connection* create(void* user, const Address& address);
  // The owner releases the connection. Sends the peer REJ, DREQ or DREP if the state requires it.
  void destroy(Connection* connection, uint64_t now);
  // Refuses a request that the application has not seen, and forgets it.
  void turn_down(Connection* request);

  // EINVAL: the state does not allow the call.
  int connect(Connection& c, const ConnectParams& params, uint64_t now);                            // REQ
  int accept(Connection& c, const AcceptParams& params, uint64_t now);                              // REP
  int send_rtu(Connection& c);                                                                      // RTU
  int reject(Connection& c, uint16_t reason, std::span<const uint8_t> private_data, uint64_t now);  // REJ
  int disconnect(Connection& c, uint64_t now);  // DREQ, DREP
  int notify(Connection& c);                    // a packet arrived on the queue pair, which implies RTU

  int send_sidr_req(Connection& c, uint64_t service_id, std::span<const uint8_t> private_data, uint64_t now);
  int send_sidr_rep(Connection& c, uint8_t status, uint32_t qpn, uint32_t qkey,
                    std::span<const uint8_t> private_data);

  // Takes a CM MAD of 256 bytes, however malformed.
  void on_mad(const uint8_t* mad, const Address& from, uint64_t now);
  // True if the MAD is a request (REQ, SIDR_REQ) that is already pending here.
  bool knows(const uint8_t* mad, const Address& from) const;
  void on_time(uint64_t now);
  uint64_t next_wake() const { return timers_.empty() ? kNever : timers_.begin()->first; }

  // True if the application has not answered this request yet.
  bool unanswered(uint32_t local_id) const;
  // True if a request for this service is pending here. A copy of it may still come.
  bool handshakes(uint64_t service_id) const { return handshakes_.contains(service_id); }

  const Counts& counts() const { return counts_; }
  std::size_t size() const { return connections_.size(); }

 private:
  struct PeerKey {
    Gid gid;
    uint32_t number;
    uint64_t guid = 0;
    bool operator==(const PeerKey&) const = default;
  };
  struct PeerHash {
    std::size_t operator()(const PeerKey& key) const;
  };

  void on_req(const wire::CmReq& req, uint64_t tid, const Address& from, uint64_t now);
  void on_rep(const wire::CmRep& rep, uint64_t tid, const Address& from, uint64_t now);
  void on_dup_req(Connection& c);
  void on_dup_rep(Connection& c, const wire::CmRep& rep, uint64_t tid);
  void on_rtu(const uint8_t* message, const Address& from);
  void on_rej(const wire::CmRej& rej, const Address& from, uint64_t now);
  void on_mra(const uint8_t* message, const Address& from, uint64_t now);
  void on_dreq(const wire::CmDreq& dreq, uint64_t tid, const Address& from, uint64_t now);
  void on_drep(const uint8_t* message, const Address& from, uint64_t now);
  void on_sidr_req(const wire::CmSidrReq& req, uint64_t tid, const Address& from);
  void on_sidr_rep(const wire::CmSidrRep& rep, const Address& from);

  // Counts a message that belongs to no connection.
  void count_stray() { ++counts_.stray; }
  Connection* rejected(const wire::CmRej& rej, const Address& from) const;
  PeerKey qpn_key(const Connection& c) const { return {c.address.remote, c.remote_qpn, c.remote_guid}; }
  Connection* find(uint32_t local_id, const Address& from) const;
  Connection* find(uint32_t local_id, uint32_t remote_id, const Address& from) const;
  Connection& add(void* user, const Address& address);
  void erase(Connection& c);
  void set_state(Connection& c, State state);
  bool claim_qpn(Connection& c, uint64_t now);
  void set_timer(Connection& c, uint64_t deadline);
  void repeat(Connection& c, uint32_t tries, uint64_t now);
  void set_state_without_timer(Connection& c, State state);
  void enter_timewait(Connection& c, uint64_t now);
  void remember(Connection& c);
  void refuse(Connection& c, uint16_t reason, std::span<const uint8_t> private_data);
  void expire(Connection& c, uint64_t now);
  void timed_out(Connection& c, uint64_t now);
  void send_dreq(Connection& c);
  void send_drep(Connection& c);
  template <class Message>
  void send(Connection& c, const Message& message);
  void send_mra(const Connection& c, uint8_t message);
  void send_rej(const Address& to, uint64_t tid, uint32_t local_id, uint32_t remote_id, uint8_t message,
                uint16_t reason);
  void give_up(Connection& c);
  void event(EventType type, Connection& c, int status = 0, std::span<const uint8_t> private_data = {});

  Config config_;
  Owner& owner_;
  uint32_t next_id_;
  uint64_t tid_base_;
  std::unordered_map<uint32_t, std::unique_ptr<Connection>> connections_;  // by local ID
  std::unordered_map<PeerKey, uint32_t, PeerHash> requests_;  // by the requester's ID: finds duplicates
  std::unordered_map<PeerKey, uint32_t, PeerHash> qpns_;      // by the peer's QPN: finds stale connections
  std::unordered_map<uint64_t, uint32_t> handshakes_;         // pending requests, by service ID
  std::deque<uint32_t> remembered_;                           // the latest with that mark
  Counts counts_;
  std::set<std::pair<uint64_t, uint32_t>> timers_;
};

}  // namespace uroce::cm
