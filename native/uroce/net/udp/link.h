// The lowest layer of the port: whole UDP payloads out and in. UdpLink is the real one; TapLink is a
// wrapper with the same interface that records all traffic.
#pragma once

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "uroce/net/udp/ip_headers.h"
#include "uroce/types.h"

namespace uroce::net {

class ShmChannel;

// A destination of packets: made once for each pair of addresses and kind of IP header, and shared. The
// flow of a QP lives as long as the device is open, that of an address handle as long as the handle and its
// packets, that of answers to unknown senders until many more have been answered. Path::cookie points to
// it.
struct Flow {
  Gid source{};
  Gid destination{};
  sockaddr_storage to{};
  socklen_t to_length = 0;
  int socket = -1;
  uint16_t source_port = 0;  // host order
  uint8_t traffic_class = 0;
  uint8_t hop_limit = 0;  // 0: the host's default
  bool ipv4 = false;
  bool same_host = false;          // the destination is an address of this host
  bool sockets_only = false;       // not through shared memory, even to a process of this host
  mutable IcrcStates icrc_states;  // engine lock
};

// Flow of a path whose cookie is set.
inline const Flow& flow_of(const Path& path) { return *reinterpret_cast<const Flow*>(path.cookie); }

// Marks of the fault injector, values of enum uroce_packet_flags.
namespace packet_mark {
inline constexpr uint8_t dropped = 1 << 1, duplicate = 1 << 2, late = 1 << 3, corrupt = 1 << 4,
                         congested = 1 << 5;
}

// A GSO batch: packets of one flow to one slot that leave in one send. Each is `segment` bytes long, but the
// last may be shorter.
struct GsoBatch {
  const Flow* flow = nullptr;
  const uint8_t* data = nullptr;
  uint32_t length = 0;   // bytes of all packets
  uint32_t segment = 0;  // bytes of one packet
  uint32_t count = 0;
  uint8_t marks = 0;     // packet_mark bits; a dropped batch is shown to taps and goes nowhere
  bool counted = false;  // packet k has IPv4 identification k (UDP_SEGMENT); else all have 0
  uint64_t time = 0;     // when the batch was handed to the link; 0: not taken (RocePort::stamp)
  ShmChannel* channel =
      nullptr;  // a single packet, a copy of what is where that channel reserved room; nullptr: for the sockets

  // TOS or traffic class of its packets. Both ECN bits say that a switch was congested (RFC 3168).
  uint8_t tos() const {
    return static_cast<uint8_t>(flow->traffic_class | ((marks & packet_mark::congested) != 0 ? 3 : 0));
  }
  // True if a send needs no control message for its IP header.
  bool has_default_header() const { return tos() == 0 && flow->hop_limit == 0; }
};

enum class SendResult : uint8_t {
  sent,
  busy,  // the kernel takes no more now; try the same batch again
  lost,  // the kernel will never take it (no route, interface down): treated as lost on the wire
};

// A received datagram: packets of `segment` bytes (UDP_GRO; 0: not reported), the last may be shorter. The
// bytes may be written to and are valid until the next receive.
struct Datagram {
  uint8_t* data = nullptr;
  uint32_t length = 0;
  uint32_t segment = 0;
  const Gid* source = nullptr;
  const Gid* destination = nullptr;
  uint16_t source_port = 0;  // host order
  uint8_t tos = 0;           // TOS or traffic class
  uint8_t ttl = 64;          // TTL or hop limit; reported after UdpLink::show_headers
  uint32_t flow_label = 0;   // IPv6, the same
  bool same_host = false;    // the sender is a process of this host
  uint64_t time = 0;         // when it came from the socket; 0: not taken (UdpLink::stamp)
};

class DatagramHandler {
 public:
  virtual void on_datagram(const Datagram& datagram) = 0;

 protected:
  ~DatagramHandler() = default;
};

class Link {
 public:
  virtual ~Link() = default;
  virtual SendResult send(const GsoBatch& batch) = 0;
  // Sends batches for the sockets in order, with as few system calls as possible. Returns how many were
  // sent or lost before one found no room.
  virtual std::size_t send_all(std::span<const GsoBatch> batches) {
    std::size_t n = 0;
    while (n < batches.size() && send(batches[n]) != SendResult::busy) ++n;
    return n;
  }
  // Nothing more is sent for now.
  virtual void flush() {}
  // Receives about `max` datagrams, or more while they are small, without blocking. Returns their number:
  // `max` or more only if others may be waiting.
  virtual uint32_t receive(DatagramHandler& handler, uint32_t max) = 0;
};

}  // namespace uroce::net
