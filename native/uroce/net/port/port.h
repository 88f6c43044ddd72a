// The port: sends and receives the engine's packets. RocePort is the real one; FaultPort is a wrapper with
// the same interface, and the engine cannot tell.
#pragma once

#include <cstdint>

#include "uroce/transport/packet_sink.h"

namespace uroce::net {

class PacketHandler {
 public:
  // Called before the ICRC is checked. False drops the packet, which may have no other effect.
  virtual bool wants(const transport::RxPacket& packet) = 0;
  // Takes a packet that wants() has just accepted, with a correct ICRC.
  virtual void on_packet(const transport::RxPacket& packet) = 0;

 protected:
  ~PacketHandler() = default;
};

// Changes to an outgoing packet that the fault injector asks for.
struct Mark {
  uint8_t marks = 0;         // packet_mark bits (link.h)
  uint32_t corrupt_bit = 0;  // bit to flip with packet_mark::corrupt, modulo the packet's length
};

class DepartureHandler {
 public:
  // The first or last packet of a stamped work request was handed to the link at `time`.
  virtual void on_departure(const transport::TxTimestamp& departure, uint64_t time) = 0;

 protected:
  ~DepartureHandler() = default;
};

class Port : public transport::PacketSink {
 public:
  virtual ~Port() = default;
  virtual bool emit_marked(const transport::TxPacket& packet, const Mark& mark) = 0;
  // After a flush(): true if the kernel had no room for some packets.
  virtual bool blocked() const = 0;
  // True if some path has no room (room_to()), and a queue pair waits for it.
  virtual bool waiting() const = 0;
  // Hands over the packets of about `max` datagrams, without blocking; returns as Link::receive.
  virtual uint32_t receive(PacketHandler& handler, uint32_t max) = 0;
  // Timers of packets that the injector delays.
  virtual void on_time(uint64_t now) = 0;
  virtual uint64_t next_wake() const = 0;
};

}  // namespace uroce::net
