// Ring: one direction between two processes. Whole packets, from one writer to one reader, in memory that
// both have mapped. No call takes a lock or enters the kernel.
//
// A record is a 64-bit word followed by the packet, at a multiple of 64 bytes; it never wraps. The word is
// 0 until the packet is complete, so the reader polls no other cache line. Before a writer stores a word,
// it clears that of the next record: leftovers of an earlier lap are never taken for a word. The word of
// the first packet of a batch is stored last, so that the reader sees all of the batch or none. The word of
// the last packet is marked, so that a reader that keeps up need not look for more.
//
// Neither side trusts the other. Positions are private to the side that moves them. The reader copies each
// word once, checks it, and copies the packet out before it is used. The writer checks the reader's
// position, and writes only at its own position. The worst that a process can do to the other by writing
// into a ring is to make it give the ring up.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace uroce::net::shm {

inline constexpr uint32_t kLine = 64;         // bytes; records begin at multiples
inline constexpr uint32_t kMaxPacket = 4224;  // bytes from BTH to ICRC; more than the largest path MTU needs
inline constexpr uint32_t kMinPacket = 16;    // BTH and ICRC
// Small packets are handed over in batches of this many bytes of records: a reader that waits for the word
// takes its line away from the writer each time. Large ones are not held back.
inline constexpr uint32_t kHeld = 4096;
inline constexpr uint32_t kMinRing = 64 << 10;  // bytes of records
inline constexpr uint32_t kMaxRing = 1 << 20;   // also of a ring that a peer offers

// Control block at the front of the memory; the records follow at kRecords.
struct RingControl {
  // Written by the reader: bytes that it has given back since the beginning.
  alignas(kLine) std::atomic<uint64_t> head;
  // Written by the writer: it waits for room.
  alignas(kLine) std::atomic<uint32_t> writer_waits;
  // The writer's address (GID), set before the reader gets the memory.
  alignas(kLine) uint8_t source[16];
};
inline constexpr std::size_t kRecords = 4096;
static_assert(sizeof(RingControl) <= kRecords);
static_assert(std::atomic<uint64_t>::is_always_lock_free && std::atomic<uint32_t>::is_always_lock_free);

// Bytes of memory for a ring of that many bytes of records, a power of two between kMinRing and kMaxRing.
constexpr std::size_t ring_memory(uint32_t bytes) { return kRecords + bytes; }
constexpr bool is_ring_size(uint64_t bytes) {
  return bytes >= kMinRing && bytes <= kMaxRing && (bytes & (bytes - 1)) == 0;
}

// IP header fields of a packet, beside its bytes.
struct PacketInfo {
  uint8_t tos = 0;          // TOS or traffic class
  uint8_t ttl = 64;         // TTL or hop limit
  uint32_t flow_label = 0;  // IPv6; 20 bits
};

class RingWriter {
 public:
  // The memory is all zeros at first, and outlives the writer.
  explicit RingWriter(std::span<uint8_t> memory);

  // The place for the next packet of that length; nullptr if there is no room now. A later reserve() before
  // publish() returns the same place.
  uint8_t* reserve(uint32_t length);
  // The reserved packet is complete. The reader gets it with the next release(), together with those
  // appended before it; at the latest when they fill kHeld bytes.
  void append(uint32_t length, const PacketInfo& info);
  void release();
  void publish(uint32_t length, const PacketInfo& info) {
    append(length, info);
    release();
  }
  // Packets of that length that fit, at least. Reads the position of the reader only if fewer than `enough`
  // are known to fit.
  uint32_t room(uint32_t length, uint32_t enough);
  // Asks the reader for a wake-up when it has given back half of the ring, or all that was in it; `waits`
  // false cancels. Check the room afterwards: the reader may have made it before it knew.
  void set_waiting(bool waits);
  // True if the reader has written an impossible position: the ring is of no use any more.
  bool broken() const { return broken_; }
  // Bytes since the beginning: written, and given back by the reader.
  uint64_t written() const { return tail_; }
  uint64_t read() {
    refresh_head();
    return head_;
  }

 private:
  uint64_t free_bytes() const;
  void refresh_head();

  RingControl* control_;
  uint8_t* records_;
  uint32_t size_;
  uint64_t tail_ = 0;
  uint64_t head_ = 0;       // as last seen
  uint64_t held_word_ = 0;  // the word of the first packet that waits for release(); 0: none waits
  uint64_t held_at_ = 0;    // its position
  uint64_t last_word_ = 0;  // the word of the last packet appended
  uint64_t last_at_ = 0;    // its position
  bool broken_ = false;
};

class RingReader {
 public:
  explicit RingReader(std::span<uint8_t> memory);

  struct Packet {
    uint8_t* data;    // a copy; may be changed, and is valid until the next pop()
    uint32_t length;  // kMinPacket .. kMaxPacket
    bool last;        // the last of its batch
    PacketInfo info;
  };
  // True if a packet is ready, or the ring is broken.
  bool ready() const { return broken_ || word_at(position_).load(std::memory_order_acquire) != 0; }
  // False if there is no packet.
  bool pop(Packet* out);
  // Gives back the room of the packets taken; empty: the ring holds no more. True if the writer waits for
  // room and there is plenty of it now.
  bool give_back(bool empty);
  // Publishes the read position only: for a reader that is in a hurry, and gives back later.
  void publish_position() { control_->head.store(position_, std::memory_order_release); }
  bool broken() const { return broken_; }

 private:
  std::atomic_ref<uint64_t> word_at(uint64_t position) const;

  RingControl* control_;
  uint8_t* records_;
  uint32_t size_;
  uint64_t position_ = 0;
  uint64_t given_back_ = 0;
  uint64_t woken_at_ = 0;  // given back when the writer was last woken
  bool broken_ = false;
  std::unique_ptr<uint8_t[]> copy_;
};

}  // namespace uroce::net::shm
