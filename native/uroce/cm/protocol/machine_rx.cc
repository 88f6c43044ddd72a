// Received messages: their effect on the state machine.
#include <cerrno>

#include "uroce/cm/protocol/machine.h"
#include "uroce/cm/protocol/machine_times.h"
#include "uroce/wire/cm_messages.h"

namespace uroce::cm {

Connection* Machine::find(uint32_t local_id, const Address& from) const {
  const auto it = connections_.find(local_id);
  return it != connections_.end() && it->second->address.remote == from.remote ? it->second.get() : nullptr;
}

Connection* Machine::find(uint32_t local_id, uint32_t remote_id, const Address& from) const {
  Connection* c = find(local_id, from);
  return c != nullptr && c->remote_id == remote_id ? c : nullptr;
}

bool Machine::knows(const uint8_t* mad, const Address& from) const {
  const auto header = wire::MadHeader::parse(mad, wire::kMadSize);
  if (!header->is_cm()) return false;
  if (header->attribute != wire::cm_attribute::req && header->attribute != wire::cm_attribute::sidr_req) {
    return false;
  }
  // REQ and SIDR_REQ both begin with the requester's ID.
  return requests_.contains({from.remote, wire::load32(mad + wire::MadHeader::kSize)});
}

void Machine::on_mad(const uint8_t* mad, const Address& from, uint64_t now) {
  const auto header = wire::MadHeader::parse(mad, wire::kMadSize);
  if (!header->is_cm()) return;
  const uint8_t* message = mad + wire::MadHeader::kSize;
  constexpr size_t kLength = wire::kMadPayload;
  switch (header->attribute) {
    case wire::cm_attribute::req:
      return on_req(*wire::CmReq::parse(message, kLength), header->tid, from, now);
    case wire::cm_attribute::rep:
      return on_rep(*wire::CmRep::parse(message, kLength), header->tid, from, now);
    case wire::cm_attribute::rtu:
      return on_rtu(message, from);
    case wire::cm_attribute::rej:
      return on_rej(*wire::CmRej::parse(message, kLength), from, now);
    case wire::cm_attribute::mra:
      return on_mra(message, from, now);
    case wire::cm_attribute::dreq:
      return on_dreq(*wire::CmDreq::parse(message, kLength), header->tid, from, now);
    case wire::cm_attribute::drep:
      return on_drep(message, from, now);
    case wire::cm_attribute::sidr_req:
      return on_sidr_req(*wire::CmSidrReq::parse(message, kLength), header->tid, from);
    case wire::cm_attribute::sidr_rep:
      return on_sidr_rep(*wire::CmSidrRep::parse(message, kLength), from);
    default:
      return;
  }
}

// Records the peer's queue pair. False if another connection has it. If that one is established, it ends:
// the peer has lost it.
bool Machine::claim_qpn(Connection& c, uint64_t now) {
  if (c.remote_qpn == 0) return true;
  const auto [it, free] = qpns_.try_emplace(qpn_key(c), c.local_id);
  if (free || it->second == c.local_id) return true;
  Connection& other = *connections_.at(it->second);
  if (other.state == State::established) {
    ++counts_.stale;
    disconnect(other, now);
  }
  return false;
}

void Machine::on_dup_req(Connection& c) {
  if (c.state == State::req_received) return send_mra(c, wire::cm_message::req);
  if (c.state == State::rep_sent) return owner_.send(c.address, c.last);
  if (c.state != State::timewait || !c.refused) return count_stray();
  // The peer knows nothing later than its REQ, so the REJ names the REQ.
  wire::CmRej rej = *wire::CmRej::parse(c.last.data() + wire::MadHeader::kSize, wire::kMadPayload);
  rej.message = wire::cm_message::req;
  owner_.send(c.address, wire::make_mad(c.tid, rej));
}

void Machine::on_req(const wire::CmReq& req, uint64_t tid, const Address& from, uint64_t now) {
  if (const auto known = requests_.find({from.remote, req.local_comm_id}); known != requests_.end()) {
    return on_dup_req(*connections_.at(known->second));
  }
  const auto refuse = [&](uint16_t reason) {
    ++counts_.refused;
    send_rej(from, tid, 0, req.local_comm_id, wire::cm_message::req, reason);
  };
  Connection& c = add(nullptr, from);
  c.tid = tid;
  c.remote_id = req.local_comm_id;
  c.service_id = req.service_id;
  c.remote_qpn = req.local_qpn;
  c.remote_guid = req.local_ca_guid;
  // The peer's queue pair cannot be in two connections: the peer has lost one of them.
  if (!claim_qpn(c, now)) {
    refuse(wire::cm_reject::stale_connection);
    return erase(c);
  }
  if (req.transport > 1 || req.extended_transport != 0) {
    refuse(wire::cm_reject::invalid_transport);
    return erase(c);
  }
  void* listener = owner_.listener(req.service_id, from, req.private_data, false);
  if (listener == nullptr) {
    refuse(wire::cm_reject::invalid_service_id);
    return erase(c);
  }
  set_state(c, State::req_received);
  c.send_psn = req.starting_psn;
  c.path_mtu = req.path_mtu;
  // Initiator depth here is responder resources there (IBA 12.7.29).
  c.responder_resources = req.initiator_depth;
  c.initiator_depth = req.responder_resources;
  c.retry_count = req.retry_count;
  c.rnr_retry_count = req.rnr_retry_count;
  c.ack_timeout = req.primary.local_ack_timeout;
  c.address.traffic_class = req.primary.traffic_class;
  requests_[{from.remote, c.remote_id}] = c.local_id;
  owner_.on_event({.type = EventType::request,
                   .connection = c,
                   .private_data = req.private_data,
                   .listener = listener,
                   .req = &req});
}

void Machine::on_dup_rep(Connection& c, const wire::CmRep& rep, uint64_t tid) {
  if (c.remote_id != rep.local_comm_id) {
    // Two processes took copies of one request. The first to answer gets the connection.
    count_stray();
    return send_rej(c.address, tid, c.local_id, rep.local_comm_id, wire::cm_message::rep,
                    wire::cm_reject::invalid_comm_id);
  }
  if (c.state == State::rep_received) {
    send_mra(c, wire::cm_message::rep);
  } else if ((c.state == State::established && c.has_last) || (c.state == State::timewait && c.refused)) {
    owner_.send(c.address, c.last);  // the RTU or the REJ was lost
  } else {
    count_stray();
  }
}

void Machine::on_rep(const wire::CmRep& rep, uint64_t tid, const Address& from, uint64_t now) {
  Connection* c = find(rep.remote_comm_id, from);
  if (c == nullptr || c->state == State::idle) {
    count_stray();
    return send_rej(from, tid, rep.remote_comm_id, rep.local_comm_id, wire::cm_message::rep,
                    wire::cm_reject::invalid_comm_id);
  }
  if (c->state != State::req_sent) return on_dup_rep(*c, rep, tid);
  c->remote_id = rep.local_comm_id;
  c->remote_qpn = rep.local_qpn;
  c->remote_guid = rep.local_ca_guid;
  c->send_psn = rep.starting_psn;
  c->responder_resources = rep.initiator_depth;
  c->initiator_depth = rep.responder_resources;
  c->rnr_retry_count = rep.rnr_retry_count;
  set_state_without_timer(*c, State::rep_received);
  if (!claim_qpn(*c, now)) {
    reject(*c, wire::cm_reject::stale_connection, {}, now);
    return event(EventType::rejected, *c, wire::cm_reject::stale_connection);
  }
  if (c->user == nullptr) return;
  owner_.on_event(
      {.type = EventType::reply, .connection = *c, .private_data = rep.private_data, .rep = &rep});
}

void Machine::on_rtu(const uint8_t* message, const Address& from) {
  const auto rtu = wire::CmRtu::parse(message, wire::kMadPayload);
  Connection* c = find(rtu->remote_comm_id, rtu->local_comm_id, from);
  if (c != nullptr && c->state == State::timewait && c->refused) return owner_.send(c->address, c->last);
  if (c == nullptr || c->state != State::rep_sent) return count_stray();
  set_state_without_timer(*c, State::established);
  event(EventType::established, *c, 0, rtu->private_data);
}

// The connection that a REJ names.
Connection* Machine::rejected(const wire::CmRej& rej, const Address& from) const {
  if (rej.reason == wire::cm_reject::timeout) {
    // A requester that gives up may not know our ID.
    const auto known = requests_.find({from.remote, rej.local_comm_id});
    if (known != requests_.end()) {
      Connection* c = connections_.at(known->second).get();
      return c->remote_guid == wire::load64(rej.information.data()) ? c : nullptr;
    }
  }
  Connection* c = find(rej.remote_comm_id, from);
  if (c == nullptr || c->state == State::req_sent) return c;
  return rej.message != wire::cm_message::req && rej.local_comm_id == c->remote_id ? c : nullptr;
}

void Machine::on_rej(const wire::CmRej& rej, const Address& from, uint64_t now) {
  Connection* c = rejected(rej, from);
  if (c == nullptr) return count_stray();
  switch (c->state) {
    case State::req_sent:
      set_state_without_timer(*c, State::idle);
      break;
    case State::req_received:
    case State::rep_sent:
    case State::rep_received:
    case State::established:
      c->has_last = false;
      enter_timewait(*c, now);
      break;
    case State::dreq_sent:
      enter_timewait(*c, now);
      return event(EventType::disconnected, *c);
    default:
      return count_stray();
  }
  event(EventType::rejected, *c, rej.reason, rej.private_data);
}

void Machine::on_mra(const uint8_t* message, const Address& from, uint64_t now) {
  const auto mra = wire::CmMra::parse(message, wire::kMadPayload);
  Connection* c = find(mra->remote_comm_id, from);
  const bool expected =
      c != nullptr && ((c->state == State::req_sent && mra->message == wire::cm_message::req) ||
                       (c->state == State::rep_sent && mra->message == wire::cm_message::rep &&
                        mra->local_comm_id == c->remote_id));
  if (!expected) return count_stray();
  set_timer(*c, now + (kTimeUnit << mra->service_timeout) + c->interval);
}

void Machine::on_dreq(const wire::CmDreq& dreq, uint64_t tid, const Address& from, uint64_t now) {
  Connection* c = find(dreq.remote_comm_id, dreq.local_comm_id, from);
  if (c == nullptr || c->state == State::idle) {
    // The connection is over and forgotten.
    wire::CmDrep drep;
    drep.local_comm_id = dreq.remote_comm_id;
    drep.remote_comm_id = dreq.local_comm_id;
    count_stray();
    owner_.send(from, wire::make_mad(tid, drep));
    return;
  }
  if (dreq.remote_qpn != c->local_qpn) return count_stray();
  switch (c->state) {
    case State::established:
    case State::rep_sent:
      c->tid = tid;
      set_state_without_timer(*c, State::dreq_received);
      c->has_last = false;
      if (c->user == nullptr) return destroy(c, now);
      return event(EventType::disconnect_request, *c, 0, dreq.private_data);
    case State::dreq_sent:
      // Both sides want to disconnect.
      send_drep(*c);
      enter_timewait(*c, now);
      return event(EventType::disconnected, *c);
    case State::timewait:
      return send_drep(*c);
    default:
      return count_stray();
  }
}

void Machine::on_drep(const uint8_t* message, const Address& from, uint64_t now) {
  const auto drep = wire::CmDrep::parse(message, wire::kMadPayload);
  Connection* c = find(drep->remote_comm_id, drep->local_comm_id, from);
  if (c == nullptr || c->state != State::dreq_sent) return count_stray();
  enter_timewait(*c, now);
  event(EventType::disconnected, *c);
}

void Machine::on_sidr_req(const wire::CmSidrReq& req, uint64_t tid, const Address& from) {
  if (const auto known = requests_.find({from.remote, req.request_id}); known != requests_.end()) {
    Connection& c = *connections_.at(known->second);
    if (c.has_last) owner_.send(c.address, c.last);
    return;
  }
  void* listener = owner_.listener(req.service_id, from, req.private_data, true);
  if (listener == nullptr) {
    ++counts_.refused;
    wire::CmSidrRep rep;
    rep.request_id = req.request_id;
    rep.status = wire::sidr_status::unsupported;
    rep.service_id = req.service_id;
    owner_.send(from, wire::make_mad(tid, rep));
    return;
  }
  Connection& c = add(nullptr, from);
  c.tid = tid;
  c.remote_id = req.request_id;
  c.service_id = req.service_id;
  set_state(c, State::sidr_req_received);
  requests_[{from.remote, c.remote_id}] = c.local_id;
  owner_.on_event({.type = EventType::sidr_request,
                   .connection = c,
                   .private_data = req.private_data,
                   .listener = listener});
}

void Machine::on_sidr_rep(const wire::CmSidrRep& rep, const Address& from) {
  Connection* c = find(rep.request_id, from);
  if (c == nullptr || c->state != State::sidr_req_sent) return count_stray();
  set_state_without_timer(*c, State::sidr_done);
  c->remote_qpn = rep.qpn;
  if (c->user == nullptr) return;
  owner_.on_event({.type = EventType::sidr_reply,
                   .connection = *c,
                   .status = rep.status,
                   .private_data = rep.private_data,
                   .sidr_rep = &rep});
}

}  // namespace uroce::cm
