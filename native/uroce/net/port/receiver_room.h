// Back pressure for packets without acknowledgments (UC, UD): room of the receiving socket.
//
// When a receive buffer is full, the kernel drops datagrams, and on loopback the sender is not notified. But
// a process that shares our address has given us its socket (share.h), and the kernel reports how full a
// socket is. So a sender checks first, and leaves half of the buffer to acknowledged traffic and to other
// senders. Nothing is lost on one address as long as the receiver is alive. Other destinations cannot be
// checked. They get a byte budget per time, as if their buffer had our size and were emptied every quarter of
// a millisecond.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "uroce/net/udp/link.h"

namespace uroce::net {

class ReceiverRoom {
 public:
  // The socket of the process in that slot of that address; negative where it is not known.
  using FindSocket = std::function<int(const Gid& address, uint32_t slot)>;
  // buffer_bytes: payload that a receiver of unknown size may have waiting.
  ReceiverRoom(FindSocket find, uint64_t buffer_bytes) : find_(std::move(find)), buffer_(buffer_bytes) {}

  // Subtracts `bytes` (UDP payload of one packet) from the room last found free; false if there is not
  // enough.
  bool reserve(const Flow& flow, uint32_t slot, uint32_t bytes);
  // Reads the state from the kernel again, then does the same. Everything reserved before must have been sent.
  bool reserve_after_measure(const Flow& flow, uint32_t slot, uint32_t bytes, uint64_t now);
  // Forgets what is known of all receivers.
  void forget();

 private:
  struct Key {
    const Flow* flow;
    uint32_t slot;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return (reinterpret_cast<uintptr_t>(key.flow) >> 4) * 0x9e3779b97f4a7c15u ^ key.slot;
    }
  };
  struct Receiver {
    uint64_t left = 0;   // bytes that may be reserved, slack included
    uint64_t at = 0;     // when the budget by time was last filled up; 0: never
    uint32_t fill = 0;   // bytes in the socket, as the kernel counts
    uint64_t since = 0;  // it has not changed since then
    int socket = -1;
  };
  Receiver& receiver(const Flow& flow, uint32_t slot);
  static void measure(Receiver& r, uint64_t now);
  void refill(Receiver& r, uint64_t now) const;

  FindSocket find_;
  uint64_t now_ = 0;
  uint64_t buffer_;
  std::unordered_map<Key, Receiver, Hash> receivers_;
  Key last_{nullptr, 0};
  Receiver* last_receiver_ = nullptr;
};

}  // namespace uroce::net
