// Processes that share addresses, in virtual time: the connection manager of each (machine, ports,
// dispatch), and the kernel between them. Requests arrive at socket 0 of an address and one process reads
// them; answers arrive at the socket of the slot in their communication ID; names bring a request to the
// process of its port. The network loses, duplicates and delays, processes stall and die, all by a seed.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <list>

#include "host.h"
#include "uroce/cm/dispatch.h"
#include "uroce/wire/cm_messages.h"

namespace uroce::cm::test {

class Process;

// State of one connect(), as an observer of both ends knows it.
struct Attempt {
  const void* home = nullptr;    // the listener at the time when the first copy of the request was routed
  const void* server = nullptr;  // the first connection made from the request
  bool routed = false;           // a process has read a copy of the request
  bool taken = false;            // a program has received the request
  bool may_be_refused = false;   // by a program, or by the death of its process
  bool client_up = false, server_up = false;
  bool over = false;  // a program has ended the connection, or a process has died
  bool up() const { return client_up && server_up && !over; }
};

// An end of a connection, for the program.
struct End {
  Process* process = nullptr;
  Connection* connection = nullptr;
  std::shared_ptr<Attempt> attempt;
  bool active = false;
};

struct Listener {
  Binding* binding = nullptr;
  bool once = false;  // closed when the first request has come
};

struct Site {
  Gid gid;
  std::string prefix;
  std::map<uint32_t, Process*> slots;
  std::map<std::string, Process*> names;
  Process* reader = nullptr;  // holds the lease
  uint64_t contend_at = kNever;
  std::deque<net::ForwardedMad> requests;                     // socket 0
  std::map<uint32_t, std::deque<net::ForwardedMad>> answers;  // outlive the process of their slot
};

class Cluster;

class Process final : private Owner, private Neighbors {
 public:
  Process(Cluster& cluster, Site& site, uint32_t slot);

  End& connect(const Gid& to, uint16_t port);
  bool listen(uint16_t port, bool once);
  void close(Listener* listener);
  void accept(End& end);
  void drop(End* end);
  // The program ends by itself: peers hear of it.
  void drop_all();

  Cluster& cluster;
  Site& site;
  const uint32_t slot;
  Machine machine;
  Ports ports;
  Dispatch dispatch;
  std::deque<net::ForwardedMad> inbox;  // messages forwarded by other processes
  uint64_t stalled_until = 0;
  std::list<std::unique_ptr<End>> ends;
  std::list<Listener> listeners;

 private:
  void send(const Address& to, const wire::MadBytes& mad) override;
  void on_event(const Event& event) override;
  void* listener(uint64_t service_id, const Address& address, std::span<const uint8_t> private_data,
                 bool datagram) override;
  int claim_name(const std::string& name) override;
  void drop(const std::string& name) override;
  bool name_in_use(const std::string& name) const override { return site.names.contains(name); }
  int forward(const std::string& name, const net::ForwardedMad& mad) override;

  uint32_t next_qpn_;
};

class Cluster {
 public:
  Cluster(uint64_t seed, Loss loss) : random(seed), loss_(loss) {
    for (uint8_t n : {1, 2}) {
      Site& site = sites.emplace_back();
      site.gid = address(n);
      site.prefix = std::to_string(n) + ".";
    }
  }

  Process& start(Site& site);
  void kill(Process& process);
  void send(const Address& to, const wire::MadBytes& mad);
  void run(uint64_t end);
  // The listener is closed. Requests that no program has seen yet may be refused.
  void closed(const Listener& listener);
  std::shared_ptr<Attempt>& attempt(const Gid& client, uint32_t id) { return attempts_[{client, id}]; }

  // Reaction of programs to events.
  std::function<void(End&, const Event&)> react;

  uint64_t now = 1;
  SeededRandom random;
  std::list<Site> sites;
  std::list<std::unique_ptr<Process>> processes;

 private:
  struct Flying {
    uint64_t time, order;
    net::ForwardedMad mad;
    bool operator>(const Flying& o) const { return std::pair(time, order) > std::pair(o.time, o.order); }
  };

  void launch(const net::ForwardedMad& mad);
  void arrive(const net::ForwardedMad& mad);
  void note_routing(Site& site, const net::ForwardedMad& mad);
  void serve(Site& site);
  void serve(Process& process);
  uint64_t next_time() const;

  Loss loss_;
  uint64_t order_ = 0;
  std::map<std::pair<Gid, uint32_t>, std::shared_ptr<Attempt>> attempts_;
  std::priority_queue<Flying, std::vector<Flying>, std::greater<>> flying_;
};

inline Process::Process(Cluster& all, Site& at, uint32_t place)
    : cluster(all),
      site(at),
      slot(place),
      machine({.id_base = place << 20, .ca_guid = at.gid[15]}, all.random, *this),
      ports({{at.gid, at.prefix}}, *this, all.random),
      dispatch(machine, ports, *this),
      next_qpn_(all.random.next() & 0xfff) {}

inline End& Process::connect(const Gid& to, uint16_t port) {
  End& end = *ends.emplace_back(std::make_unique<End>());
  end.process = this;
  end.active = true;
  end.attempt = std::make_shared<Attempt>();
  end.connection = machine.create(&end, {.local = site.gid, .remote = to});
  cluster.attempt(site.gid, end.connection->local_id) = end.attempt;
  next_qpn_ = (next_qpn_ + 1) & 0xfff;
  EXPECT_EQ(
      machine.connect(
          *end.connection,
          {.service_id = wire::service_id_of(0x106, port), .qpn = slot << 12 | next_qpn_, .ack_timeout = 14},
          cluster.now),
      0);
  return end;
}

inline bool Process::listen(uint16_t port, bool once) {
  Listener& made = listeners.emplace_back();
  made.once = once;
  const auto binding = ports.bind({.space = 0x106, .port = port, .gids = {0}, .user = &made});
  if (!binding || ports.listen(**binding) != 0) {
    listeners.pop_back();
    return false;
  }
  made.binding = *binding;
  return true;
}

inline void Process::close(Listener* closed) {
  cluster.closed(*closed);
  dispatch.release(closed->binding);
  listeners.remove_if([&](const Listener& l) { return &l == closed; });
}

inline void Process::accept(End& end) {
  next_qpn_ = (next_qpn_ + 1) & 0xfff;
  machine.accept(*end.connection, {.qpn = slot << 12 | next_qpn_}, cluster.now);
}

inline void Process::drop(End* end) {
  end->attempt->over = true;
  if (!end->active) end->attempt->may_be_refused = true;
  machine.destroy(end->connection, cluster.now);
  ends.remove_if([&](const auto& e) { return e.get() == end; });
}

inline void Process::drop_all() {
  while (!listeners.empty()) close(&listeners.front());
  while (!ends.empty()) drop(ends.front().get());
}

inline void Process::send(const Address& to, const wire::MadBytes& mad) { cluster.send(to, mad); }

inline void Process::on_event(const Event& event) {
  Connection& c = event.connection;
  if (event.type == EventType::request) {
    End& end = *ends.emplace_back(std::make_unique<End>());
    end.process = this;
    end.connection = &c;
    end.attempt = cluster.attempt(c.address.remote, c.remote_id);
    end.attempt->taken = true;
    if (end.attempt->server == nullptr) end.attempt->server = &end;
    c.user = &end;
  }
  auto& end = *static_cast<End*>(c.user);
  Attempt& attempt = *end.attempt;
  if (end.active && event.type == EventType::rejected) {
    const bool lives = attempt.home != nullptr;
    EXPECT_TRUE(!lives || attempt.may_be_refused) << "refused, reason " << event.status;
  }
  const bool ends_it = event.type == EventType::rejected || event.type == EventType::unreachable ||
                       event.type == EventType::disconnect_request || event.type == EventType::disconnected;
  if (ends_it && (end.active || attempt.server == &end)) {
    EXPECT_FALSE(attempt.up()) << "ended by a stray message, event " << static_cast<int>(event.type)
                               << ", reason " << event.status;
    if (!end.active) attempt.may_be_refused = true;
    attempt.over = true;
  }
  if (event.type == EventType::established && attempt.server == &end) attempt.server_up = true;
  cluster.react(end, event);
}

inline void* Process::listener(uint64_t service_id, const Address&, std::span<const uint8_t>, bool) {
  const Binding* binding = ports.listener(0x106, wire::port_of(service_id), 0);
  return binding != nullptr ? binding->user : nullptr;
}

inline int Process::claim_name(const std::string& name) {
  return site.names.try_emplace(name, this).second ? 0 : EADDRINUSE;
}

inline void Process::drop(const std::string& name) {
  EXPECT_EQ(site.names.at(name), this);
  site.names.erase(name);
}

inline int Process::forward(const std::string& name, const net::ForwardedMad& mad) {
  const auto home = site.names.find(name);
  if (home == site.names.end()) return ECONNREFUSED;
  // The other process is too busy, or this one has no descriptor left.
  const uint32_t dice = cluster.random.below(50);
  if (dice < 2) return dice == 0 ? EAGAIN : EMFILE;
  home->second->inbox.push_back(mad);
  return 0;
}

inline Process& Cluster::start(Site& site) {
  uint32_t slot = 1;
  while (site.slots.contains(slot)) ++slot;
  Process& made = *processes.emplace_back(std::make_unique<Process>(*this, site, slot));
  site.slots[slot] = &made;
  return made;
}

inline void Cluster::kill(Process& dead) {
  Site& site = dead.site;
  for (const auto& end : dead.ends) {
    end->attempt->over = end->attempt->may_be_refused = true;
  }
  for (const Listener& listener : dead.listeners) closed(listener);
  std::erase_if(site.names, [&](const auto& name) { return name.second == &dead; });
  site.slots.erase(dead.slot);
  if (site.reader == &dead) site.reader = nullptr;
  processes.remove_if([&](const auto& p) { return p.get() == &dead; });
}

inline void Cluster::closed(const Listener& listener) {
  for (const auto& [key, attempt] : attempts_) {
    if (attempt && attempt->home == &listener && !attempt->taken) attempt->may_be_refused = true;
  }
}

inline void Cluster::launch(const net::ForwardedMad& mad) {
  flying_.push({now + 1 + random.next64() % loss_.longest_delay, order_++, mad});
}

inline void Cluster::send(const Address& to, const wire::MadBytes& mad) {
  if (random.below(100) < loss_.drop) return;
  const net::ForwardedMad copy{to.local, to.remote, mad};
  launch(copy);
  if (random.below(100) < loss_.duplicate) launch(copy);
}

inline bool is_request(const wire::MadBytes& mad) {
  const uint16_t attribute = attribute_of(mad);
  return attribute == wire::cm_attribute::req || attribute == wire::cm_attribute::sidr_req;
}

inline void Cluster::arrive(const net::ForwardedMad& mad) {
  for (Site& site : sites) {
    if (site.gid != mad.destination) continue;
    if (is_request(mad.data)) {
      site.requests.push_back(mad);
    } else {
      site.answers[wire::load32(mad.data.data() + wire::MadHeader::kSize + 4) >> 20].push_back(mad);
    }
  }
}

// Records the listener that owns the request when its first copy is routed.
inline void Cluster::note_routing(Site& site, const net::ForwardedMad& mad) {
  const auto req = wire::CmReq::parse(mad.data.data() + wire::MadHeader::kSize, wire::kMadPayload);
  const auto& known = attempt(mad.source, req->local_comm_id);
  if (!known || known->routed) return;
  known->routed = true;
  for (const auto& [slot, process] : site.slots) {
    const Binding* binding = process->ports.listener(0x106, wire::port_of(req->service_id), 0);
    if (binding != nullptr) known->home = binding->user;
  }
}

inline void Cluster::serve(Site& site) {
  if (site.reader == nullptr && !site.slots.empty()) {
    if (site.contend_at == kNever) site.contend_at = now + random.below(5'000'000);
    if (site.contend_at > now) return;
    site.contend_at = kNever;
    site.reader =
        std::next(site.slots.begin(), random.below(static_cast<uint32_t>(site.slots.size())))->second;
  }
  while (site.reader != nullptr && site.reader->stalled_until <= now && !site.requests.empty()) {
    const net::ForwardedMad mad = site.requests.front();
    site.requests.pop_front();
    note_routing(site, mad);
    site.reader->dispatch.on_mad(mad, false, now);
  }
}

inline void Cluster::serve(Process& process) {
  if (process.stalled_until > now) return;
  auto& answers = process.site.answers[process.slot];
  while (!answers.empty()) {
    const net::ForwardedMad mad = answers.front();
    answers.pop_front();
    process.dispatch.on_mad(mad, false, now);
  }
  while (!process.inbox.empty()) {
    const net::ForwardedMad mad = process.inbox.front();
    process.inbox.pop_front();
    process.dispatch.on_mad(mad, true, now);
  }
  if (process.dispatch.next_wake() <= now) process.dispatch.on_time(now);
  process.dispatch.release_idle_names();
}

inline uint64_t Cluster::next_time() const {
  uint64_t next = flying_.empty() ? kNever : flying_.top().time;
  for (const Site& site : sites) {
    if (site.reader == nullptr) {
      next = std::min(next, site.slots.empty() ? kNever : site.contend_at == kNever ? now : site.contend_at);
    } else if (!site.requests.empty()) {
      next = std::min(next, site.reader->stalled_until);
    }
  }
  for (const auto& process : processes) {
    const auto answers = process->site.answers.find(process->slot);
    const bool waits =
        !process->inbox.empty() || (answers != process->site.answers.end() && !answers->second.empty());
    const uint64_t wake = waits ? now : process->dispatch.next_wake();
    if (wake != kNever) next = std::min(next, std::max(wake, process->stalled_until));
  }
  return next;
}

inline void Cluster::run(uint64_t end) {
  for (;;) {
    const uint64_t next = next_time();
    if (next > end) break;
    now = std::max(now, next);
    while (!flying_.empty() && flying_.top().time <= now) {
      const net::ForwardedMad mad = flying_.top().mad;
      flying_.pop();
      arrive(mad);
    }
    for (Site& site : sites) serve(site);
    for (const auto& process : processes) serve(*process);
  }
  now = std::max(now, end);
}

}  // namespace uroce::cm::test
