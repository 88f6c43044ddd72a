#include "sim/scenario/mechanisms.h"

#include <algorithm>

#include "sim/scenario/sums.h"
#include "sim/scenario/words.h"

namespace vlsim {
namespace {

using Counters = uroce::transport::Counters;

// The nearest of several places to the limit that each has.
class Nearest {
 public:
  // True if it is nearer than all before.
  bool take(uint64_t reached, uint64_t limit) {
    if (limit == 0) return false;
    const long double near = static_cast<long double>(reached) / static_cast<long double>(limit);
    if (any_ && near <= near_) return false;
    any_ = true;
    near_ = near;
    reached_ = reached;
    limit_ = limit;
    return true;
  }
  bool any() const { return any_; }
  // "180 KB of the 444 KB"
  std::string bytes() const { return bytes_text(reached_) + " of the " + bytes_text(limit_); }
  Mechanism mechanism(const char* name, uint64_t fired) const { return {name, fired, reached_, limit_, ""}; }
  uint64_t reached() const { return reached_; }
  uint64_t limit() const { return limit_; }

 private:
  bool any_ = false;
  long double near_ = 0;
  uint64_t reached_ = 0, limit_ = 0;
};

Mechanism pfc(const Fabric& f) {
  uint64_t fired = 0;
  for (const auto& port : f.ports) {
    for (const uint64_t n : port->pauses_sent) fired += n;
  }
  Nearest nearest;
  std::string where;
  for (const auto& at : f.switches) {
    if (at->buffer.settings().lossless == 0) continue;
    for (uint32_t i = 0; i < at->buffer.ports(); ++i) {
      for (uint32_t cls = 0; cls < kClasses; ++cls) {
        if (!at->buffer.lossless(cls)) continue;
        const SharedBuffer::Group& g = at->buffer.group(i, cls);
        if (nearest.take(g.most, g.most != 0 ? g.threshold_then : at->buffer.threshold()))
          where = "a class of an ingress port";
      }
    }
  }
  const bool switches = nearest.any();
  for (const auto& host : f.hosts) {
    if (!host->settings().sends_pause || host->most_buffered() == 0) continue;
    if (nearest.take(host->most_buffered(), host->settings().xoff))
      where = "the receive buffer of host " + std::to_string(host->index());
  }
  Mechanism m = nearest.mechanism("pfc", fired);
  if (fired != 0) {
    m.says = "PAUSE was sent " + times_text(fired) + ".";
  } else if (!nearest.any()) {
    m.says = "PFC is off at every switch, and no NIC had to keep what it received.";
  } else {
    m.says = std::string(switches ? "PFC never fired: "
                                  : "PFC is off at every switch, and no NIC paused its switch: ") +
             where + " held at most " + nearest.bytes() + " at which its peer is paused." +
             (switches ? " Lower alpha or the buffer, or send more." : "");
  }
  return m;
}

Mechanism ecn(const Fabric& f) {
  uint64_t fired = 0;
  Nearest nearest;
  std::string where;
  for (const auto& port : f.ports) {
    fired += port->marked;
    if (port->host || !f.switches[port->owner]->set.ecn.on) continue;
    const uint64_t limit = std::max<uint64_t>(f.switches[port->owner]->set.ecn.low, 1);
    for (const ClassQueue& q : port->queues) {
      if (nearest.take(q.most_bytes, limit))
        where = "switch " + std::to_string(port->owner) + ", port " + std::to_string(port->number);
    }
  }
  Mechanism m = nearest.mechanism("ecn", fired);
  if (fired != 0) {
    m.says = "Switches marked " + count_text(fired, "packet") + ".";
  } else if (!nearest.any()) {
    m.says = "ECN is off at every switch.";
  } else {
    m.says = "ECN never marked: the deepest queue, of " + where + ", held " + nearest.bytes() +
             " at which marking begins." +
             (m.reached < m.limit
                  ? ""
                  : " Its average was below, no packet in it took part in ECN, or chance chose none.");
  }
  return m;
}

Mechanism buffer_drops(const Fabric& f) {
  Nearest nearest;
  for (const auto& at : f.switches) nearest.take(at->buffer.most(), at->buffer.settings().shared);
  Mechanism m = nearest.mechanism("buffer-drop",
                                  drops_for(f, DropReason::threshold) + drops_for(f, DropReason::headroom));
  if (m.fired != 0) {
    m.says = "Switches dropped " + count_text(m.fired, "packet") + " for want of buffer.";
  } else if (!nearest.any()) {
    m.says = "No switch dropped for want of buffer: there is none.";
  } else {
    m.says = "No switch dropped for want of buffer: at most " + bytes_text(m.reached) + " of " +
             bytes_text(m.limit) + " were in use.";
  }
  return m;
}

Mechanism link_loss(const Fabric& f) {
  Mechanism m{"link-loss", drops_for(f, DropReason::link_loss), 0, 0, ""};
  if (m.fired != 0) {
    m.says = "Links lost " + count_text(m.fired, "packet") + ".";
    return m;
  }
  // The rule that came nearest: of its packets, one in `limit` is lost.
  Nearest in_turn, at_random, acks;
  uint64_t data = 0, answers = 0;
  for (const auto& port : f.ports) {
    data += port->candidates;
    answers += port->ack_candidates;
  }
  constexpr uint64_t kBillion = 1'000'000'000;
  for (const auto& port : f.ports) {
    in_turn.take(port->turn_of_loss, port->link.lose_every);
    if (port->link.loss_ppb != 0) at_random.take(data, kBillion / port->link.loss_ppb);
    if (port->link.lose_acks_ppb != 0) acks.take(answers, kBillion / port->link.lose_acks_ppb);
  }
  const auto say = [&](const Nearest& nearest, const std::string& why) {
    m.reached = nearest.reached();
    m.limit = nearest.limit();
    m.says = "No link lost a packet: " + why;
  };
  if (in_turn.any()) {
    say(in_turn, "at most " + count_text(in_turn.reached(), "data packet") +
                     " went over a link in one direction, and one in " + std::to_string(in_turn.limit()) +
                     " is lost.");
  } else if (at_random.any()) {
    say(at_random, count_text(data, "data packet") + " went by, and one in " +
                       std::to_string(at_random.limit()) + " is lost on average.");
  } else if (acks.any()) {
    say(acks, count_text(answers, "ACK") + " went by, and one in " + std::to_string(acks.limit()) +
                  " is lost on average.");
  } else {
    m.says = "No link lost a packet: none has a loss, and none was down while a packet left.";
  }
  return m;
}

Mechanism nic_drops(const Fabric& f) {
  Nearest nearest;
  uint32_t where = 0;
  for (const auto& host : f.hosts) {
    if (nearest.take(host->most_buffered(), host->settings().buffer)) where = host->index();
  }
  Mechanism m = nearest.mechanism("nic-drop", drops_for(f, DropReason::host_buffer));
  if (m.fired != 0) {
    m.says = "NICs dropped " + count_text(m.fired, "packet") + " for want of receive buffer.";
  } else if (m.reached == 0) {
    m.says = "No NIC dropped for want of receive buffer: memory took every packet as it came.";
  } else {
    m.says = "No NIC dropped for want of receive buffer: that of host " + std::to_string(where) +
             " held at most " + nearest.bytes() + " that it has.";
  }
  return m;
}

Mechanism cnps(const Fabric& f) {
  Mechanism m{"cnp", sum_counters(f, &Counters::np_cnp_sent), 0, 0, ""};
  uint64_t marked = 0;
  for (const auto& port : f.ports) marked += port->marked;
  if (m.fired != 0) {
    m.says = "Receivers sent " + count_text(m.fired, "CNP") + ".";
  } else if (marked == 0) {
    m.says = "No CNP was sent: no switch marked a packet.";
  } else {
    m.says = "No CNP was sent: of " + count_text(marked, "marked packet") + " none came to a connection.";
  }
  return m;
}

Mechanism naks(const Fabric& f) {
  Mechanism m{"nak", sum_counters(f, &Counters::naks_sent), 0, 0, ""};
  const uint64_t lost = f.tally(PacketKind::data).dropped;
  if (m.fired != 0) {
    m.says = "Receivers sent " + count_text(m.fired, "NAK") + ".";
  } else if (lost == 0) {
    m.says = "No NAK was sent: no data packet was lost, and every one came in order.";
  } else {
    m.says = "No NAK was sent: behind the " + count_text(lost, "data packet") +
             " that were lost, no other of the same connection came to tell.";
  }
  return m;
}

Mechanism timeouts(const Simulation& run) {
  const Fabric& f = run.fabric();
  Nearest nearest;
  run.flows().each_connection([&](const uroce::transport::Qp& qp) {
    const auto [waited, timeout] = qp.longest_wait(f.now() / kNs);
    nearest.take(waited / 1000, timeout / 1000);
  });
  Mechanism m = nearest.mechanism("timeout", sum_counters(f, &Counters::local_ack_timeout_err));
  if (m.fired != 0) {
    m.reached = m.limit;
    m.says = count_text(m.fired, "ACK timeout") + " expired.";
  } else if (run.scenario().transport.connection.timeout == 0) {
    m.says = "No ACK timeout expired: transport.timeout is 0, which means none.";
  } else if (!nearest.any()) {
    m.says = "No ACK timeout expired: there is no connection.";
  } else {
    m.says = "No ACK timeout expired: the longest wait for an ACK took " + std::to_string(m.reached) +
             " us of " + std::to_string(m.limit) + " us.";
  }
  return m;
}

Mechanism watchdog(const Fabric& f) {
  Mechanism m{"watchdog", 0, 0, 0, ""};
  for (const auto& at : f.switches) {
    m.fired += at->watchdog_actions;
    m.limit = std::max(m.limit, at->set.watchdog.detect / kUs);
  }
  for (const auto& port : f.ports) {
    for (uint32_t cls = 0; cls < kClasses && !port->host; ++cls)
      m.reached = std::max(m.reached, port->longest_pause_until(cls, f.now()) / kUs);
  }
  if (m.fired != 0) {
    m.says = "The PFC watchdog acted " + times_text(m.fired) + ".";
  } else if (m.limit == 0) {
    m.says = "The PFC watchdog is off.";
  } else {
    m.says = "The PFC watchdog never acted: no queue was paused for more than " + std::to_string(m.reached) +
             " of the " + std::to_string(m.limit) + " us without a break" +
             (m.reached < m.limit ? "." : " while it held packets that did not move.");
  }
  return m;
}

Mechanism hop_limit(const Fabric& f) {
  Mechanism m{"hop-limit", drops_for(f, DropReason::hops), f.most_hops(), f.ttl(), ""};
  if (m.fired != 0) {
    m.says = "Switches dropped " + count_text(m.fired, "packet") + " at the hop limit.";
  } else if (f.switches.empty()) {
    m.says = "No packet reached its hop limit: there is no switch.";
  } else {
    m.says = "No packet reached its hop limit: one came to " + std::to_string(m.reached) + " of at most " +
             std::to_string(m.limit) + (m.limit == 1 ? " switch." : " switches.");
  }
  return m;
}

}  // namespace

std::vector<Mechanism> mechanisms(const Simulation& run) {
  const Fabric& f = run.fabric();
  return {pfc(f),  ecn(f),  buffer_drops(f), link_loss(f), nic_drops(f),
          cnps(f), naks(f), timeouts(run),   watchdog(f),  hop_limit(f)};
}

}  // namespace vlsim
