// Hosts, switches and links in virtual time. One thread; everything follows from the settings and one seed.
//
// A packet takes one event per hop, when all of it is there, and one more where it has waited. A transmitter that is
// free needs no event: Port::free_at is a number.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/events.h"
#include "sim/core/packet.h"
#include "sim/fabric/host.h"
#include "sim/fabric/port.h"
#include "sim/fabric/switch.h"

namespace vlsim {

// Called for what the traffic waits for, and for the scenario's own events.
class Listener {
 public:
  virtual void completed(Time now, Host& host, const uroce::transport::Completion& wc) = 0;
  virtual void happens(Time now, const Event& event) = 0;
  // Bytes that it holds because of what happened.
  virtual uint64_t memory() const { return 0; }

 protected:
  ~Listener() = default;
};

// Sees packets at the ports of hosts. payload: nullptr where none is carried.
class PacketTap {
 public:
  // A packet begins to leave by a host's port, even if its link loses it.
  virtual void sent(const Port& by, const Packet& packet, const uint8_t* payload, Time now) = 0;
  // A packet that left by another port is there.
  virtual void arrived(const Port& at, const Port& by, const Packet& packet, const uint8_t* payload,
                       Time now) = 0;

 protected:
  ~PacketTap() = default;
};

// What a run may take; it is ended beyond that.
struct Budget {
  uint64_t events = 0;           // 0: no limit
  uint64_t memory = 4ull << 30;  // bytes of packets, events, connections and flows
};

// Conditions to stop at.
struct StopAt {
  bool drop = false, pause = false, timeout = false;
  uint64_t queue_above = 0;  // bytes; 0: no limit
};

class Fabric {
 public:
  Fabric(uint64_t seed, bool with_payload) : packets(with_payload), seed_(seed) {}
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  // Construction.
  Host& add_host(const HostSettings& settings, const uroce::transport::EngineConfig& config);
  Switch& add_switch(const SwitchSettings& settings, uint64_t hash_seed);
  // Links two nodes. Returns the port of a; the peer's is the next one.
  uint32_t link_host(Host& host, Switch& to, const LinkSettings& link);
  uint32_t link_switches(Switch& a, Switch& b, const LinkSettings& link);
  uint32_t link_hosts(Host& a, Host& b, const LinkSettings& link);
  // Completes buffers once all links exist. Routes must be set.
  void start();

  // Runs all events up to that time, or until a condition is met; returns the time reached.
  Time run(Time until);
  Time now() const { return now_; }
  void set_listener(Listener* listener) { listener_ = listener; }
  void set_tap(PacketTap* tap) { tap_ = tap; }
  void stop_at(const StopAt& stop) { stop_ = stop; }
  // Reason why run() ended early; empty if it did not.
  const std::string& stopped_because() const { return stopped_; }
  void stop(const char* because) {
    if (stopped_.empty()) stopped_ = because;
  }
  // Ends the run early because it cannot go on. sentence: why, and what to do.
  void fail(const char* because, std::string sentence) {
    if (!error_.empty()) return;
    stopped_ = because;
    error_ = std::move(sentence);
  }
  // Empty if it could.
  const std::string& error() const { return error_; }
  // TTL of packets, and the most of it that one had used when it came to a switch, that switch included.
  uint32_t ttl() const { return hops_; }
  uint32_t most_hops() const { return least_hops_ > hops_ ? 0 : hops_ - least_hops_ + 1u; }
  void set_budget(const Budget& budget);
  // Ends the run if it has taken more.
  void check_budget();
  // Bytes that a run of this scenario has taken, the same on every machine.
  uint64_t memory() const;

  // Sends what is waiting at the port, now or when its transmitter is free.
  void pump(Port& port, Time now);
  // Puts a packet into a queue of its port.
  void enqueue(Port& port, uint32_t packet, Time now);
  // A packet that no engine made, from a host to another.
  void send_raw(Time now, uint32_t source, uint32_t destination, uint32_t bytes, uint32_t entropy,
                uint8_t cls, uint8_t ecn = 0);
  uint32_t make_packet(PacketKind kind, Time now);
  void drop(Port& port, uint32_t packet, DropReason reason);
  // Takes back a packet that could not be made whole.
  void unmake(uint32_t packet);
  void consumed(uint32_t packet);
  // Tells the peer of a port to stop sending a class, or to go on.
  void send_pause(Port& port, uint32_t cls, bool stop, Time now);
  void set_link_up(Port& port, bool up, Time now);
  Port& host_port(uint32_t host) { return *ports[host_ports_[host]]; }
  uint16_t quanta_of(const Port& port) const;

  // Packets of one kind: made = delivered + dropped + in flight.
  struct Tally {
    uint64_t made = 0, delivered = 0, dropped = 0;
  };
  const Tally& tally(PacketKind kind) const { return tallies_[static_cast<uint32_t>(kind)]; }
  uint64_t trace() const { return hash_.value(); }
  uint64_t packet_events() const { return packet_events_; }
  uint64_t timeouts() const;
  // Switches on a shortest way from one host to another.
  uint32_t hops(uint32_t from, uint32_t to) const;
  void timed_out() {
    if (stop_.timeout) stop("timeout");
  }

  EventQueue events;
  PacketPool packets;
  std::vector<std::unique_ptr<Port>> ports;
  std::vector<std::unique_ptr<Host>> hosts;
  std::vector<std::unique_ptr<Switch>> switches;
  // For Host::deliver: a whole packet.
  std::array<uint8_t, kLongestHeader + kLongestPayload + 4> scratch{};

 private:
  friend class Host;
  uint32_t add_port(bool host, uint32_t owner, uint32_t number, const LinkSettings& link);
  void connect(uint32_t a, uint32_t b);
  void dispatch(const Event& event);
  void arrive(Port& port, uint32_t packet, Time now);
  void transmit(Port& port, uint32_t packet, Time now);
  bool lost(Port& port, const Packet& packet);
  uint32_t next_packet(Port& port, Time now);
  uint32_t take(Port& port, uint32_t cls, Time now);
  uint32_t take_pause(Port& port, Time now);
  void ready_by(Port& port, Time when);
  // Switches.
  void switch_arrive(Port& port, uint32_t packet, Time now);
  uint32_t route(Switch& at, const Packet& packet);
  void release(Port& port, uint32_t ingress, uint32_t cls, uint32_t bytes, Time now);
  void update_average(Switch& at, Port& port, ClassQueue& queue, Time now);
  void maybe_mark(Switch& at, Port& port, Packet& packet, uint64_t queued);
  // PAUSE.
  void take_in_pause(Port& port, const Packet& packet, Time now);
  void resume_where_possible(Switch& at, Time now);
  void refresh_pause(Port& port, uint32_t cls, Time now);
  void poll_watchdog(Switch& at, Time now);

  uint64_t seed_;
  Time now_ = 0;
  Listener* listener_ = nullptr;
  PacketTap* tap_ = nullptr;
  StopAt stop_;
  std::string stopped_, error_;
  Budget budget_;
  uint64_t dispatched_ = 0;  // events
  uint64_t check_at_ = 0;    // events at which the budget is looked at again
  std::vector<uint32_t> host_ports_;
  uint8_t hops_ = 64;         // TTL of every packet
  uint8_t least_hops_ = 255;  // left to a packet that came to a switch
  std::array<Tally, 5> tallies_{};
  TraceHash hash_;
  uint64_t packet_events_ = 0;
};

}  // namespace vlsim
