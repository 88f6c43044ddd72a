// End of a link: what a host or a switch sends by, with a queue per class, and the PAUSE state of both directions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/packet.h"
#include "sim/core/random.h"

namespace vlsim {

// What a link does to packets, in the direction of its sending port. Each may change while the simulation runs.
struct LinkSettings {
  Rate rate = gbps(100);
  Time delay = kUs;                 // propagation
  Time pause_reaction = 500 * kNs;  // from the end of a PAUSE to its effect
  uint64_t loss_ppb = 0;            // packets with data that are lost at random, in 10^9
  uint64_t lose_every = 0;          // n: the n-th, 2n-th, ... packet with data is lost; 0: none
  uint64_t lose_acks_ppb = 0;       // ACKs and NAKs that are lost, in 10^9
  bool up = true;
};

enum class DropReason : uint8_t {
  link_loss,    // by the loss of a link, or one that is down
  headroom,     // a PAUSE came too late: no headroom left
  threshold,    // the queue had its share of the shared buffer
  host_buffer,  // the NIC's receive buffer was full
  hops,         // a routing loop
  watchdog,     // by the watchdog
  no_route,
};
inline constexpr uint32_t kDropReasons = 7;
extern const char* const kDropReasonNames[kDropReasons];

// A queue of one class, and what is known of it.
struct ClassQueue {
  PacketQueue packets;
  uint32_t count = 0;
  uint32_t deficit = 0;  // bytes of DWRR
  uint64_t average = 0;  // RED's, in units of 2^-16 bytes
  uint64_t bytes = 0;
  uint64_t most_bytes = 0;
  // Little's law in two ways: packets x time, and the sum of their waits.
  uint64_t area = 0, waits = 0;
  Time changed = 0;
  uint64_t entered = 0, left = 0;
  uint64_t marked = 0;

  void enter(Time now, uint32_t size) {
    area += count * (now - changed);
    changed = now;
    ++count;
    ++entered;
    bytes += size;
    if (bytes > most_bytes) most_bytes = bytes;
  }
  void leave(Time now, uint32_t size, Time since) {
    area += count * (now - changed);
    changed = now;
    --count;
    ++left;
    bytes -= size;
    waits += now - since;
  }
};

struct Port {
  uint32_t index = 0;
  uint32_t peer = kNone;  // port at the other end
  uint32_t owner = 0;     // number of the host or the switch
  uint32_t number = 0;    // place among its owner's ports
  bool host = false;      // the owner is a host
  // Per class, modulo 2^32: packets that came in from the link.
  std::array<uint32_t, kClasses> arrived{};
  LinkSettings link;
  Time beyond = 0;           // what a packet takes at the other end before it is there: pipeline, PCIe
  Time free_at = 0;          // the transmitter is busy until then
  Time ready_at = kForever;  // earliest `ready` event
  std::array<ClassQueue, kClasses> queues;
  uint32_t waiting = 0;                 // bit per class with packets
  uint32_t strict = 1u << 6 | 1u << 7;  // bit per class that goes ahead of the others
  std::array<uint32_t, kClasses> weights{1, 1, 1, 1, 1, 1, 1, 1};  // for DWRR, packets of the largest size
  uint32_t turn = 0;                                               // class whose turn it is among the others

  // Paused by the peer.
  std::array<Time, kClasses> paused_until{};
  std::array<Time, kClasses> paused_since{};
  std::array<Time, kClasses> paused_for{};     // finished pauses
  std::array<Time, kClasses> longest_pause{};  // finished, without a break
  Time any_paused_until = 0;
  std::array<Time, kClasses> last_pause{};  // when the last PAUSE came
  // Pausing the peer.
  uint32_t pausing = 0;    // bit per class
  uint32_t pause_due = 0;  // bit per class whose frame waits for the transmitter
  std::array<uint16_t, kClasses> quanta{};
  std::array<Time, kClasses> refresh_at{};

  // Watchdog.
  uint32_t given_up = 0;  // bit per class that it has taken action on
  std::array<uint64_t, kClasses> left_at_poll{};

  SeededRandom random{0};
  // What the loss rules have seen and taken.
  uint64_t candidates = 0, ack_candidates = 0;
  uint64_t turn_of_loss = 0;  // candidates since lose_every was set
  uint64_t lost_at_random = 0, lost_in_turn = 0, lost_acks = 0;
  // Counters.
  std::array<uint64_t, kClasses> pauses_sent{}, resumes_sent{}, pauses_received{};
  std::array<uint64_t, kDropReasons> dropped{};
  // Per class: lost by the link, dropped before they were in a queue, taken out of their queue by the watchdog.
  std::array<uint64_t, kClasses> lost{}, refused{}, flushed{};
  uint64_t sent_packets = 0, sent_bytes = 0, marked = 0;
  uint64_t sent_pauses = 0;  // frames, of which each may be about several classes

  bool paused(uint32_t cls, Time now) const { return paused_until[cls] > now && !(given_up >> cls & 1); }
  // Ends the pause of a class.
  void end_pause(uint32_t cls, Time at) {
    const Time length = at - paused_since[cls];
    paused_for[cls] += length;
    if (length > longest_pause[cls]) longest_pause[cls] = length;
  }
  Time longest_pause_until(uint32_t cls, Time now) const {
    const Time end = paused_until[cls] < now ? paused_until[cls] : now;
    const Time last = end > paused_since[cls] ? end - paused_since[cls] : 0;
    return last > longest_pause[cls] ? last : longest_pause[cls];
  }
  // Time that this class has been paused, up to now.
  Time paused_time(uint32_t cls, Time now) const {
    const Time end = paused_until[cls] < now ? paused_until[cls] : now;
    return paused_for[cls] + (end > paused_since[cls] ? end - paused_since[cls] : 0);
  }
};

}  // namespace vlsim
