#include "sim/scenario/notes.h"

#include <algorithm>

#include "sim/scenario/parts.h"
#include "sim/scenario/words.h"

namespace vlsim {
namespace {

constexpr size_t kMostNotes = 64;

class Notes {
 public:
  explicit Notes(const Simulation& run) : run_(run), s_(run.scenario()), f_(run.fabric()) {}
  std::vector<std::string> all() {
    links("link", s_.links.host, false);
    if (s_.own_uplink) links("uplink", s_.links.uplink, true);
    for (size_t i = 0; i < s_.traffic.size(); ++i) traffic(i);
    for (size_t i = 0; i < s_.changes.size(); ++i) change(i);
    stop_at();
    return std::move(notes_);
  }

 private:
  void say(std::string sentence) {
    if (notes_.size() < kMostNotes) notes_.push_back(std::move(sentence));
  }
  // When the run ended, for rules that were to act later.
  std::string ended() const { return "the run ended at " + at_text(f_.now()); }
  void links(const std::string& name, const LinkSettings& set, bool between_switches);
  void traffic(size_t i);
  void change(size_t i);
  void stop_at();

  const Simulation& run_;
  const Scenario& s_;
  const Fabric& f_;
  std::vector<std::string> notes_;
};

// Rules of links that were there from the beginning.
void Notes::links(const std::string& name, const LinkSettings& set, bool between_switches) {
  uint64_t ports = 0, seen = 0, most = 0, acks = 0, at_random = 0, in_turn = 0, lost_acks = 0;
  for (const auto& port : f_.ports) {
    const bool uplink = !port->host && !f_.ports[port->peer]->host;
    if (s_.own_uplink && uplink != between_switches) continue;
    ++ports;
    seen += port->candidates;
    most = std::max(most, port->candidates);
    acks += port->ack_candidates;
    at_random += port->lost_at_random;
    in_turn += port->lost_in_turn;
    lost_acks += port->lost_acks;
  }
  if (ports == 0) return say(name + " matched no link: the topology has none between switches.");
  if (set.lose_every != 0 && in_turn == 0)
    say(name + ".lose_every " + std::to_string(set.lose_every) + " matched no packet: at most " +
        count_text(most, "data packet") + " went over a link in one direction.");
  if (set.loss_ppb != 0 && at_random == 0)
    say(name + ".loss matched no packet: " + count_text(seen, "data packet") + " went by.");
  if (set.lose_acks_ppb != 0 && lost_acks == 0)
    say(name + ".lose_acks matched no packet: " + count_text(acks, "ACK") + " went by.");
}

void Notes::traffic(size_t i) {
  if (run_.traffic().sources()[i]->begun() != 0) return;
  const std::string name = "traffic[" + std::to_string(i) + "]";
  const TrafficSettings& t = s_.traffic[i];
  say(name + " began nothing: " + (t.start >= f_.now() ? "it starts at " + at_text(t.start) + ", and " : "") +
      ended() + ".");
}

void Notes::change(size_t i) {
  using Kind = Change::Kind;
  const Change& c = s_.changes[i];
  const std::string name = "changes[" + std::to_string(i) + "]", member = name_of(c.kind);
  const Simulation::Made& made = run_.made()[i];
  if (!made.at) return say(name + " was not made: it is due at " + at_text(c.at) + ", and " + ended() + ".");
  const bool of_hosts = c.kind == Kind::receive_rate || c.kind == Kind::window;
  const bool of_switches = c.kind == Kind::ecn || c.kind == Kind::alpha;
  if (of_hosts && c.node != kNone) say(name + ".switch had no effect: " + member + " is of hosts.");
  if (of_switches && c.host != kNone) say(name + ".host had no effect: " + member + " is of switches.");
  if (of_switches && f_.switches.empty()) say(name + " had no effect: there is no switch.");
  if (c.peer != kNone && (of_hosts || of_switches || c.kind == Kind::route))
    say(name + ".peer had no effect: " + member + " is not of links.");
  if (c.value == 0) return;
  const uint64_t seen = run_.seen_by_rules(c) - made.seen;
  const std::string since = " behind " + at_text(*made.at) + ".";
  if ((c.kind == Kind::link_loss || c.kind == Kind::lose_every) && seen == 0)
    say(name + " matched no packet: no data packet went over its links" + since);
  if (c.kind == Kind::lose_acks && seen == 0)
    say(name + " matched no packet: no ACK went over its links" + since);
  if (c.kind == Kind::lose_every && seen != 0 && seen < c.value)
    say(name + " matched no packet: only " + count_text(seen, "data packet") + " went over its links" +
        since);
}

void Notes::stop_at() {
  if (!f_.stopped_because().empty()) return;
  const StopAt& stop = s_.stop;
  const auto unmet = [&](bool asked, const char* member) {
    if (asked) say(std::string("stop_at.") + member + " did not happen.");
  };
  unmet(stop.drop, "drop");
  unmet(stop.pause, "pause");
  unmet(stop.timeout, "timeout");
  unmet(stop.queue_above != 0, "queue_bytes");
}

}  // namespace

std::vector<std::string> notes(const Simulation& run) { return Notes(run).all(); }

}  // namespace vlsim
