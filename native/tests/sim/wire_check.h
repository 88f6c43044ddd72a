// Watches the packets of one queue pair as the network sees them, and knows of the engine only what is on the
// wire: each packet must be well-formed for its opcode, each request must come in its place, what is in
// flight must fit the window, and nothing may be answered that was not asked.
#pragma once

#include <cstdint>

#include "uroce/transport/packet_sink.h"
#include "uroce/transport/queues/work_queues.h"

namespace uroce::sim {

class WireCheck {
 public:
  struct Limits {
    uint32_t mtu;
    uint32_t window_packets;  // the largest at any time
  };
  void start(const Limits& limits, uint32_t peer_qpn, uint32_t own_psn, uint32_t peer_psn);
  // A packet that the QP emits.
  void sent(const transport::TxPacket& packet);
  // A packet that the QP is about to process: BTH to the last pad byte, ICRC right.
  void received(const uint8_t* bytes, uint32_t len);
  // Requests sent for the first time, and again.
  uint64_t requests() const { return requests_; }
  uint64_t repeats() const { return repeats_; }

 private:
  void request(const transport::TxPacket& packet);
  void response(const transport::TxPacket& packet);
  bool names_arrived(const transport::TxPacket& packet, const wire::BthView& bth) const;
  uint32_t psns_of(const uint8_t* bytes) const;

  Limits limits_{};
  uint32_t peer_qpn_ = 0;
  transport::ExtPsn asked_ = 0;  // PSN behind the last one that our requests have used
  transport::ExtPsn acked_ = 0;  // no acknowledgment that arrived here reaches further
  transport::ExtPsn heard_ = 0;  // PSN behind the last one of the peer's requests that arrived here
  bool peer_is_selective_ = false;
  uint32_t msn_ = 0;  // our last response's
  uint32_t message_ =
      0;  // 0 none; else the opcode class of the message that the next new request goes on with
  uint64_t requests_ = 0, repeats_ = 0;
};

}  // namespace uroce::sim
