// Packets on their way. Payload is a length; its bytes are kept only if the scenario asks for them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/time.h"

namespace vlsim {

inline constexpr uint32_t kClasses = 8;
inline constexpr uint32_t kNone = UINT32_MAX;
// Ethernet with preamble, gap and FCS; IPv4; UDP.
inline constexpr uint32_t kFraming = 38 + 20 + 8;
inline constexpr uint32_t kPauseFrame = 84;  // 64 B with preamble and gap
inline constexpr uint32_t kLongestHeader = 56;
inline constexpr uint32_t kLongestPayload = 4096;

enum class PacketKind : uint8_t { data, ack, cnp, raw, pause };

struct Packet {
  uint32_t next;     // in a queue
  uint32_t bytes;    // on the link, with preamble and gap
  uint32_t entropy;  // what tells its flow from others between the same hosts: the UDP source port
  uint32_t ingress;  // port of the switch that it came in by
  Time queued;       // when it entered the queue that it is in
  Time made;
  uint16_t source, destination;  // hosts
  uint16_t payload;              // bytes
  PacketKind kind;
  uint8_t traffic_class;
  uint8_t ecn;  // 0: not capable, 2: capable, 3: marked
  uint8_t hops_left;
  uint8_t header_length;
  uint8_t pad;
  std::array<uint8_t, kLongestHeader> header;  // BTH and extended headers; of a PAUSE its quanta
};
static_assert(sizeof(Packet) <= 128);

class PacketPool {
 public:
  explicit PacketPool(bool with_payload) : with_payload_(with_payload) {}
  // Stays where it is while the pool grows.
  Packet& operator[](uint32_t id) { return chunks_[id / kChunk][id % kChunk]; }
  const Packet& operator[](uint32_t id) const { return chunks_[id / kChunk][id % kChunk]; }
  void prefetch(uint32_t id) const {
    const auto* at = reinterpret_cast<const char*>(&chunks_[id / kChunk][id % kChunk]);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
  }
  uint32_t take() {
    ++in_use_;
    if (free_ != kNone) {
      const uint32_t id = free_;
      free_ = (*this)[id].next;
      return id;
    }
    if (made_ % kChunk == 0) chunks_.push_back(std::make_unique<Packet[]>(kChunk));
    if (with_payload_) payloads_.push_back(std::make_unique<uint8_t[]>(kLongestPayload));
    return made_++;
  }
  void give(uint32_t id) {
    --in_use_;
    (*this)[id].next = free_;
    free_ = id;
  }
  bool with_payload() const { return with_payload_; }
  uint8_t* payload(uint32_t id) { return payloads_[id].get(); }
  const uint8_t* payload_if_any(uint32_t id) const { return with_payload_ ? payloads_[id].get() : nullptr; }
  uint64_t in_use() const { return in_use_; }
  // Bytes of all packets that there were at once.
  uint64_t memory() const {
    return uint64_t{made_} * (sizeof(Packet) + (with_payload_ ? kLongestPayload : 0));
  }

 private:
  static constexpr uint32_t kChunk = 1024;
  std::vector<std::unique_ptr<Packet[]>> chunks_;
  std::vector<std::unique_ptr<uint8_t[]>> payloads_;
  uint32_t free_ = kNone;
  uint32_t made_ = 0;
  uint64_t in_use_ = 0;
  bool with_payload_;
};

// A first-in first-out queue of packets.
struct PacketQueue {
  uint32_t head = kNone, tail = kNone;

  bool empty() const { return head == kNone; }
  void push(PacketPool& pool, uint32_t id) {
    pool[id].next = kNone;
    (head == kNone ? head : pool[tail].next) = id;
    tail = id;
  }
  uint32_t pop(PacketPool& pool) {
    const uint32_t id = head;
    head = pool[id].next;
    return id;
  }
};

// Hash of everything that happened (FNV-1a over 64-bit words): equal runs have equal hashes.
class TraceHash {
 public:
  void add(uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3u; }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace vlsim
