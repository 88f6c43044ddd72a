// Captured packets and their consumers. A capture is made of the RoCE packets one by one, never of the
// kernel's large sends, each with the IP and UDP header that its ICRC was computed on.
#pragma once

#include <cstdint>

#include "uroce/net/udp/ip_headers.h"

namespace uroce::net {

struct CapturedPacket {
  uint64_t time_ns = 0;   // CLOCK_MONOTONIC
  uint8_t direction = 0;  // enum uroce_direction
  uint8_t flags = 0;      // enum uroce_packet_flags
  uint32_t header_length = 0;
  uint8_t header[kMaxIpUdpHeader];
  const uint8_t* payload = nullptr;  // from BTH to ICRC
  uint32_t payload_length = 0;

  uint32_t length() const { return header_length + payload_length; }
};

class PacketConsumer {
 public:
  virtual ~PacketConsumer() = default;
  // False: the next packets need not be shown; passed() counts them.
  virtual bool wants() const { return true; }
  virtual void passed(uint32_t packets) { (void)packets; }
  virtual void on_packet(const CapturedPacket& packet) = 0;
};

}  // namespace uroce::net
