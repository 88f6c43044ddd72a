// Queue pair 1, the general services interface: management datagrams in and out. One UD packet each, with the
// well-known Q_Key; no work requests, no completions, no state but a packet number. What they mean is the
// owner's business.
#pragma once

#include <cstdint>
#include <deque>

#include "uroce/transport/packet_sink.h"
#include "uroce/wire/mad.h"

namespace uroce::transport {

// A management datagram that arrived; valid during the call.
struct RxMad {
  const uint8_t* data;  // wire::kMadSize bytes
  const Gid* source;
  const Gid* destination;
};

class Gsi {
 public:
  static constexpr std::size_t kMaxQueued = 4096;

  static bool is_for(uint32_t dest_qpn) { return dest_qpn == wire::kGsiQpn; }

  // The datagram in a packet to QP 1, or nothing (not a UD SEND Only of the right size, key and partition).
  static std::optional<RxMad> parse(const RxPacket& packet);

  // Queues one for the next transmit(). A network that takes nothing cannot make it grow without end: the
  // oldest go first.
  void post(const Path& path, const wire::MadBytes& mad);
  bool pending() const { return !queue_.empty(); }
  // f(path) for each that is queued.
  template <class F>
  void for_each_path(F&& f) const {
    for (const Queued& queued : queue_) f(queued.path);
  }
  // True if some are left because the sink had no room.
  bool transmit(PacketSink& sink);

 private:
  struct Queued {
    Path path;
    wire::MadBytes mad;
  };
  std::deque<Queued> queue_;
  uint32_t psn_ = 0;
};

}  // namespace uroce::transport
