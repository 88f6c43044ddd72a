// Packets that came ahead of the expected PSN, kept until the packets before them have come: the responder's half of
// selective repeat. One pool serves all queue pairs of an engine. A queue pair has a list of places in it, in PSN order.
//
// A packet is kept as it came, and executed in its turn, so messages, completions and answers are as without loss.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "uroce/transport/policy/arrived.h"

namespace uroce::transport {

// The list of a queue pair.
struct HeldPackets {
  static constexpr uint16_t kNone = UINT16_MAX;
  uint16_t first = kNone, last = kNone;

  bool empty() const { return first == kNone; }
};

class ReorderPool {
 public:
  struct Held {
    uint64_t psn = 0;   // 64-bit sequence
    uint32_t kept = 0;  // bytes of the packet that are here
    uint32_t len = 0;   // behind the BTH, as the packet said: more than is kept if payload is not carried
    uint16_t next = HeldPackets::kNone;
  };
  enum class Result : uint8_t { kept, there, full };

  // Allocates room for that many packets (below 65535) of that many bytes each. Once.
  void open(uint32_t packets, uint32_t bytes);
  bool is_open() const { return !slots_.empty(); }

  // Keeps a packet; `there`: the list has its PSN already. bytes: at most those of open(), else `full`.
  Result hold(HeldPackets& list, uint64_t psn, std::span<const uint8_t> bytes, uint32_t len);
  // Takes the first packet off the list, if it is that PSN: its place, or kNone. Packets before that PSN are dropped.
  // The bytes stay until give_back(place).
  uint16_t take(HeldPackets& list, uint64_t psn);
  const Held& at(uint16_t place) const { return slots_[place]; }
  const uint8_t* bytes(uint16_t place) const { return &memory_[std::size_t{place} * bytes_]; }
  void give_back(uint16_t place);
  // Drops all packets of the list.
  void release(HeldPackets& list);
  // Which packets behind `expected` the list has.
  Arrived arrived(const HeldPackets& list, uint64_t expected) const;
  uint32_t held() const { return held_; }

 private:
  uint16_t detach_first(HeldPackets& list);

  std::vector<Held> slots_;
  std::unique_ptr<uint8_t[]> memory_;
  uint32_t bytes_ = 0;  // bytes of a place
  uint32_t held_ = 0;
  uint16_t free_ = HeldPackets::kNone;
};

}  // namespace uroce::transport
