// Repetitions, timewait, and what is remembered of connections that are over.
#include <algorithm>
#include <cerrno>

#include "uroce/cm/protocol/machine.h"
#include "uroce/cm/protocol/machine_times.h"

namespace uroce::cm {

void Machine::set_timer(Connection& c, uint64_t deadline) {
  if (c.deadline != kNever) timers_.erase({c.deadline, c.local_id});
  c.deadline = deadline;
  if (deadline != kNever) timers_.insert({deadline, c.local_id});
}

// Sends the last message again until it is answered.
void Machine::repeat(Connection& c, uint32_t tries, uint64_t now) {
  c.tries = tries;
  c.interval = kFirstInterval;
  set_timer(c, now + c.interval);
}

void Machine::set_state_without_timer(Connection& c, State state) {
  set_state(c, state);
  set_timer(c, kNever);
}

void Machine::enter_timewait(Connection& c, uint64_t now) {
  const auto stale = qpns_.find(qpn_key(c));
  if (stale != qpns_.end() && stale->second == c.local_id) qpns_.erase(stale);
  set_state(c, State::timewait);
  // After twice the ACK timeout no packet of the connection is in flight.
  const uint64_t ack = kTimeUnit << std::min<uint32_t>(c.ack_timeout, 20);
  set_timer(c, now + std::max(2 * ack, kShortestTimewait));
  if (c.user == nullptr) remember(c);
}

void Machine::on_time(uint64_t now) {
  while (!timers_.empty() && timers_.begin()->first <= now) {
    Connection& c = *connections_.at(timers_.begin()->second);
    expire(c, now);
  }
}

void Machine::expire(Connection& c, uint64_t now) {
  if (c.state == State::timewait) {
    set_state_without_timer(c, State::idle);
    c.has_last = false;
    if (c.user == nullptr) return erase(c);
    const auto it = requests_.find({c.address.remote, c.remote_id});
    if (it != requests_.end() && it->second == c.local_id) requests_.erase(it);
    return event(EventType::timewait_exit, c);
  }
  if (c.tries == 0) return timed_out(c, now);
  --c.tries;
  c.interval = std::min(c.interval * 2, kLongestInterval);
  set_timer(c, now + c.interval);
  owner_.send(c.address, c.last);
}

void Machine::timed_out(Connection& c, uint64_t now) {
  switch (c.state) {
    case State::req_sent:
      give_up(c);
      set_state_without_timer(c, State::idle);
      break;
    case State::rep_sent:
      give_up(c);
      enter_timewait(c, now);
      break;
    case State::dreq_sent:
      enter_timewait(c, now);
      return event(EventType::disconnected, c, ETIMEDOUT);
    case State::sidr_req_sent:
      set_state_without_timer(c, State::idle);
      break;
    default:
      return set_state_without_timer(c, c.state);
  }
  event(EventType::unreachable, c, ETIMEDOUT);
}

// The connection is over and its program has released it. It stays for its timewait; when there are too
// many, the oldest goes early.
void Machine::remember(Connection& c) {
  if (c.remembered) return;
  c.remembered = true;
  remembered_.push_back(c.local_id);
  if (remembered_.size() <= kMostRemembered) return;
  const auto oldest = connections_.find(remembered_.front());
  remembered_.pop_front();
  if (oldest != connections_.end() && oldest->second->remembered) erase(*oldest->second);
}

}  // namespace uroce::cm
