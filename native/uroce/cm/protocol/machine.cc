// Calls and the messages that they send; machine_rx.cc has what arrives, machine_timers.cc what time does.
#include "uroce/cm/protocol/machine.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "uroce/cm/protocol/machine_times.h"
#include "uroce/wire/cm_messages.h"

namespace uroce::cm {
namespace {

constexpr uint32_t kIdBits = 20;  // bits of a communication ID, below the slot
constexpr uint32_t kIdMask = (1u << kIdBits) - 1;

template <size_t Size>
void copy_private(std::span<const uint8_t> from, std::array<uint8_t, Size>* to) {
  std::copy_n(from.begin(), std::min(from.size(), Size), to->begin());
}

wire::CmRej make_rej(uint32_t local_id, uint32_t remote_id, uint8_t message, uint16_t reason,
                     std::span<const uint8_t> private_data) {
  wire::CmRej rej;
  rej.local_comm_id = local_id;
  rej.remote_comm_id = remote_id;
  rej.message = message;
  rej.reason = reason;
  copy_private(private_data, &rej.private_data);
  return rej;
}

// Copies of the request may still come, from the peer or through another process.
bool in_handshake(State state) {
  return state == State::req_received || state == State::rep_sent || state == State::sidr_req_received;
}

}  // namespace

std::size_t Machine::PeerHash::operator()(const PeerKey& key) const {
  uint64_t parts[2];
  std::memcpy(parts, key.gid.data(), sizeof parts);
  return static_cast<std::size_t>((parts[0] ^ parts[1] * 0x9e3779b97f4a7c15u) + key.number * 0x85ebca6bu +
                                  key.guid);
}

Machine::Machine(const Config& config, RandomSource& random, Owner& owner)
    : config_(config),
      owner_(owner),
      next_id_(random.next() & kIdMask),
      tid_base_(uint64_t{random.next()} << 32) {}

Machine::~Machine() = default;

Connection* Machine::create(void* user, const Address& address) { return &add(user, address); }

Connection& Machine::add(void* user, const Address& address) {
  uint32_t id;
  do {
    next_id_ = (next_id_ + 1) & kIdMask;
    id = config_.id_base | next_id_;
  } while (next_id_ == 0 || connections_.contains(id));
  auto& place = connections_[id];
  place = std::make_unique<Connection>();
  place->local_id = id;
  place->user = user;
  place->address = address;
  place->tid = tid_base_ | id;
  return *place;
}

bool Machine::unanswered(uint32_t local_id) const {
  const auto it = connections_.find(local_id);
  return it != connections_.end() && it->second->state == State::req_received;
}

void Machine::set_state(Connection& c, State state) {
  if (in_handshake(c.state) != in_handshake(state)) {
    if (in_handshake(state)) {
      ++handshakes_[c.service_id];
    } else if (--handshakes_[c.service_id] == 0) {
      handshakes_.erase(c.service_id);
    }
  }
  c.state = state;
}

void Machine::erase(Connection& c) {
  set_state_without_timer(c, State::idle);
  const auto forget = [&](auto& map, const PeerKey& key) {
    const auto it = map.find(key);
    if (it != map.end() && it->second == c.local_id) map.erase(it);
  };
  forget(requests_, {c.address.remote, c.remote_id});
  forget(qpns_, qpn_key(c));
  connections_.erase(c.local_id);
}

void Machine::destroy(Connection* connection, uint64_t now) {
  Connection& c = *connection;
  c.user = nullptr;
  switch (c.state) {
    case State::req_sent:
      // The peer need not answer any more (the kernel says so with the same reason).
      give_up(c);
      return erase(c);
    case State::req_received:
    case State::rep_sent:
    case State::rep_received:
      reject(c, wire::cm_reject::consumer_defined, {}, now);
      return;
    case State::established:
    case State::dreq_received:
      disconnect(c, now);
      return;
    case State::dreq_sent:
      return;  // goes on by itself
    case State::timewait:
      return remember(c);
    case State::sidr_req_received:
      send_sidr_rep(c, wire::sidr_status::rejected, 0, 0, {});
      return enter_timewait(c, now);
    case State::sidr_done:
      return enter_timewait(c, now);
    case State::idle:
    case State::sidr_req_sent:
      return erase(c);
  }
}

void Machine::turn_down(Connection* request) {
  Connection& c = *request;
  ++counts_.refused;
  if (c.state == State::sidr_req_received) {
    send_sidr_rep(c, wire::sidr_status::rejected, 0, 0, {});
  } else {
    refuse(c, wire::cm_reject::consumer_defined, {});
  }
  erase(c);
}

int Machine::connect(Connection& c, const ConnectParams& p, uint64_t now) {
  if (c.state != State::idle || p.private_data.size() > wire::CmReq::kPrivate) return EINVAL;
  c.service_id = p.service_id;
  c.local_qpn = p.qpn;
  c.receive_psn = p.starting_psn & kPsnMask;
  c.path_mtu = p.path_mtu;
  c.responder_resources = p.responder_resources;
  c.initiator_depth = p.initiator_depth;
  c.retry_count = p.retry_count & 7;
  c.rnr_retry_count = p.rnr_retry_count & 7;
  c.ack_timeout = p.ack_timeout & 31;
  wire::CmReq req;
  req.local_comm_id = c.local_id;
  req.service_id = p.service_id;
  req.local_ca_guid = config_.ca_guid;
  req.local_qpn = p.qpn;
  req.responder_resources = p.responder_resources;
  req.initiator_depth = p.initiator_depth;
  req.remote_cm_response_timeout = kResponseTimeout;
  req.local_cm_response_timeout = kResponseTimeout;
  req.max_cm_retries = kTries;
  req.transport = p.transport;
  req.flow_control = p.flow_control;
  req.starting_psn = c.receive_psn;
  req.retry_count = c.retry_count;
  req.rnr_retry_count = c.rnr_retry_count;
  req.path_mtu = p.path_mtu;
  req.srq = p.srq;
  // Addresses are GIDs; the LIDs are the permissive one, as the kernel sets them on Ethernet.
  req.primary.local_lid = req.primary.remote_lid = 0xffff;
  req.primary.local_gid = c.address.local;
  req.primary.remote_gid = c.address.remote;
  req.primary.packet_rate = 2;  // enum ibv_rate: 2.5 Gb/s, as the port says of itself
  req.primary.traffic_class = c.address.traffic_class;
  req.primary.hop_limit = 64;
  req.primary.local_ack_timeout = c.ack_timeout;
  copy_private(p.private_data, &req.private_data);
  send(c, req);
  set_state(c, State::req_sent);
  repeat(c, kTries, now);
  return 0;
}

int Machine::accept(Connection& c, const AcceptParams& p, uint64_t now) {
  if (c.state != State::req_received || p.private_data.size() > wire::CmRep::kPrivate) return EINVAL;
  c.local_qpn = p.qpn;
  c.receive_psn = p.starting_psn & kPsnMask;
  c.responder_resources = p.responder_resources;
  c.initiator_depth = p.initiator_depth;
  wire::CmRep rep;
  rep.local_comm_id = c.local_id;
  rep.remote_comm_id = c.remote_id;
  rep.local_qpn = p.qpn;
  rep.starting_psn = c.receive_psn;
  rep.responder_resources = p.responder_resources;
  rep.initiator_depth = p.initiator_depth;
  rep.target_ack_delay = kAckDelay;
  rep.flow_control = p.flow_control;
  rep.rnr_retry_count = p.rnr_retry_count;
  rep.srq = p.srq;
  rep.local_ca_guid = config_.ca_guid;
  copy_private(p.private_data, &rep.private_data);
  send(c, rep);
  set_state(c, State::rep_sent);
  repeat(c, kTries, now);
  return 0;
}

int Machine::send_rtu(Connection& c) {
  if (c.state != State::rep_received) return EINVAL;
  wire::CmRtu rtu;
  rtu.local_comm_id = c.local_id;
  rtu.remote_comm_id = c.remote_id;
  send(c, rtu);
  set_state_without_timer(c, State::established);
  return 0;
}

int Machine::reject(Connection& c, uint16_t reason, std::span<const uint8_t> private_data, uint64_t now) {
  if (c.state != State::req_received && c.state != State::rep_sent && c.state != State::rep_received) {
    return EINVAL;
  }
  if (private_data.size() > wire::CmRej::kPrivate) return EINVAL;
  refuse(c, reason, private_data);
  enter_timewait(c, now);
  set_timer(c, std::max(c.deadline, now + 2 * kLongestInterval));
  return 0;
}

// The REJ stays the last message: a peer that repeats what was rejected hears it again.
void Machine::refuse(Connection& c, uint16_t reason, std::span<const uint8_t> private_data) {
  const uint8_t message = c.state == State::req_received   ? wire::cm_message::req
                          : c.state == State::rep_received ? wire::cm_message::rep
                                                           : wire::cm_message::other;
  send(c, make_rej(c.local_id, c.remote_id, message, reason, private_data));
  c.refused = true;
}

int Machine::disconnect(Connection& c, uint64_t now) {
  switch (c.state) {
    case State::established:
    case State::rep_sent:
      send_dreq(c);
      set_state(c, State::dreq_sent);
      repeat(c, kDreqTries, now);
      return 0;
    case State::dreq_received:
      send_drep(c);
      enter_timewait(c, now);
      return 0;
    default:
      return EINVAL;
  }
}

int Machine::notify(Connection& c) {
  if (c.state != State::rep_sent) return EINVAL;
  set_state_without_timer(c, State::established);
  event(EventType::established, c);
  return 0;
}

int Machine::send_sidr_req(Connection& c, uint64_t service_id, std::span<const uint8_t> private_data,
                           uint64_t now) {
  if (c.state != State::idle || private_data.size() > wire::CmSidrReq::kPrivate) return EINVAL;
  c.service_id = service_id;
  wire::CmSidrReq req;
  req.request_id = c.local_id;
  req.service_id = service_id;
  copy_private(private_data, &req.private_data);
  send(c, req);
  set_state(c, State::sidr_req_sent);
  repeat(c, kTries, now);
  return 0;
}

int Machine::send_sidr_rep(Connection& c, uint8_t status, uint32_t qpn, uint32_t qkey,
                           std::span<const uint8_t> private_data) {
  if (c.state != State::sidr_req_received || private_data.size() > wire::CmSidrRep::kPrivate) return EINVAL;
  wire::CmSidrRep rep;
  rep.request_id = c.remote_id;
  rep.status = status;
  rep.service_id = c.service_id;
  if (status == wire::sidr_status::valid) {
    rep.qpn = qpn;
    rep.qkey = qkey;
  }
  copy_private(private_data, &rep.private_data);
  send(c, rep);
  set_state_without_timer(c, State::sidr_done);
  return 0;
}

template <class Message>
void Machine::send(Connection& c, const Message& message) {
  c.last = wire::make_mad(c.tid, message);
  c.has_last = true;
  c.refused = false;
  owner_.send(c.address, c.last);
}

void Machine::send_dreq(Connection& c) {
  wire::CmDreq dreq;
  dreq.local_comm_id = c.local_id;
  dreq.remote_comm_id = c.remote_id;
  dreq.remote_qpn = c.remote_qpn;
  send(c, dreq);
}

void Machine::send_drep(Connection& c) {
  wire::CmDrep drep;
  drep.local_comm_id = c.local_id;
  drep.remote_comm_id = c.remote_id;
  send(c, drep);
}

void Machine::send_rej(const Address& to, uint64_t tid, uint32_t local_id, uint32_t remote_id,
                       uint8_t message, uint16_t reason) {
  owner_.send(to, wire::make_mad(tid, make_rej(local_id, remote_id, message, reason, {})));
}

// REJ "timeout", whose information is our CA GUID: a peer whose ID we do not know yet recognizes us by that.
void Machine::give_up(Connection& c) {
  wire::CmRej rej = make_rej(c.local_id, c.remote_id, wire::cm_message::other, wire::cm_reject::timeout, {});
  rej.information_length = sizeof config_.ca_guid;
  wire::store64(rej.information.data(), config_.ca_guid);
  const bool answers = c.state == State::rep_sent;
  send(c, rej);
  c.refused = answers;
}

// The last message stays the one to be sent again.
void Machine::send_mra(const Connection& c, uint8_t message) {
  wire::CmMra mra;
  mra.local_comm_id = c.local_id;
  mra.remote_comm_id = c.remote_id;
  mra.message = message;
  mra.service_timeout = kServiceTimeout;
  owner_.send(c.address, wire::make_mad(c.tid, mra));
}

void Machine::event(EventType type, Connection& c, int status, std::span<const uint8_t> private_data) {
  if (c.user == nullptr) return;
  owner_.on_event({.type = type, .connection = c, .status = status, .private_data = private_data});
}

}  // namespace uroce::cm
