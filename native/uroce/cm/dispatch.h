// Routing of CM messages. A request (REQ, SIDR_REQ) names a port and arrives at one process of the address.
// It is for that process's machine, for the process that owns the port's name, or for a listener that does
// not exist yet. All other messages go to the machine. Pure: time comes from outside, other processes are
// Neighbors.
#pragma once

#include <deque>

#include "uroce/cm/neighbors.h"
#include "uroce/cm/ports.h"
#include "uroce/cm/protocol/machine.h"

namespace uroce::cm {

class Dispatch {
 public:
  Dispatch(Machine& machine, Ports& ports, Neighbors& neighbors)
      : machine_(machine), ports_(ports), neighbors_(neighbors) {}

  // forwarded: another process looked up the listener and found this process.
  void on_mad(const net::ForwardedMad& mad, bool forwarded, uint64_t now);
  // Looks again for the listeners of early requests, and runs the machine's timers.
  void on_time(uint64_t now);
  uint64_t next_wake() const;

  // Releases a port of the program. Its names stay while requests that came through the port are pending:
  // copies of them must find this process, or another process would reject them.
  void release(Binding* binding);
  // Gives up the names of ports without pending requests. Not while names are being read.
  void release_idle_names();

  std::size_t waiting() const { return early_.size(); }

 private:
  // A request for a port that has no listener yet.
  struct Early {
    net::ForwardedMad mad;
    bool forwarded;
    uint64_t due;
    uint64_t pause;  // ns until the next lookup; 0: no more lookups
  };
  enum class Fate : uint8_t { ours, handed_over, early };

  void route(const Early& request, uint64_t now);
  Fate fate_of(const Early& request);

  Machine& machine_;
  Ports& ports_;
  Neighbors& neighbors_;
  std::deque<Early> early_;
};

}  // namespace uroce::cm
