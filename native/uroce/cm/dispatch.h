// Where a message goes. A request (REQ, SIDR_REQ) names a port and arrives at one process of the address: it
// is for that process's machine, for the process that has the port's name, or for a listener that may still
// come. All else is the machine's. Pure: time comes from outside, other processes are Neighbors.
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

  // forwarded: another process has looked for the listener and found this process.
  void on_mad(const net::ForwardedMad& mad, bool forwarded, uint64_t now);
  // Looks again for the listeners of requests that came early, and runs the machine's timers.
  void on_time(uint64_t now);
  uint64_t next_wake() const;

  // The program lets go of a port. It keeps its names while requests that came through it are under way:
  // copies of them must find this process, or another one would reject them.
  void release(Binding* binding);
  // Gives up the names of ports whose requests have been settled. Not while names are being read.
  void settle();

  std::size_t waiting() const { return early_.size(); }

 private:
  // A request for a port that has no listener yet.
  struct Early {
    net::ForwardedMad mad;
    bool forwarded;
    uint64_t due;
    uint64_t pause;  // ns, until it is looked at again; 0: never
  };
  enum class Fate : uint8_t { ours, handed_over, early };

  void take_in(const Early& request, uint64_t now);
  Fate fate_of(const Early& request);

  Machine& machine_;
  Ports& ports_;
  Neighbors& neighbors_;
  std::deque<Early> early_;
};

}  // namespace uroce::cm
