// Packets into and out of the engine. The engine knows no socket: it writes to a PacketSink and takes
// RxPackets.
#pragma once

#include <cstdint>

#include "uroce/transport/memory/guarded_copy.h"
#include "uroce/types.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {

struct IoVec {
  const uint8_t* base;
  uint32_t len;
};

// Position of a packet in its work request.
namespace packet_position {
inline constexpr uint8_t first = 1 << 0, last = 1 << 1;
}

// The first or last packet of a stamped work request, for Engine::note_tx_timestamp().
struct TxTimestamp {
  uint32_t qpn;
  uint32_t wqe;  // its place in the send queue
  uint8_t position_flags;
};

// What a packet is to the hosts and switches on its way.
enum class PacketKind : uint8_t {
  data,      // a packet of a SEND or WRITE
  request,   // a READ or atomic request
  response,  // to one of these
  ack,
  nak,  // sequence error, error or RNR
  cnp,
};

// A RoCE packet to send, valid during emit() only. On the wire: header, payload (the iov's, in order), pad zero
// bytes, ICRC.
struct TxPacket {
  // Path; valid as long as a connected QP lives and is not re-connected; for a datagram, during emit().
  const Path* path;
  const uint8_t* header;  // BTH and extended headers
  const IoVec* iov;  // payload; may point straight at application memory: copy it once, and checksum the copy
  uint32_t header_len;   // bytes
  uint32_t iov_count;    // 0..kMaxSge
  uint32_t payload_len;  // bytes, sum of the iov's, at most the path MTU
  uint32_t pad;          // 0..3
  uint32_t qpn;          // the sending QP (not in the header of RC packets)
  uint32_t dest_qpn;
  uint32_t psn;
  uint8_t opcode;              // BTH opcode
  uint8_t position_flags = 0;  // packet_position bits, of a stamped work request
  uint32_t wqe = 0;            // its place in the send queue

  TxTimestamp timestamp() const { return {qpn, wqe, position_flags}; }
  PacketKind kind() const;
};

inline PacketKind TxPacket::kind() const {
  namespace op = wire::opcode;
  namespace aeth = wire::aeth;
  if (opcode == op::cnp) return PacketKind::cnp;
  if (opcode == op::acknowledge) {
    const uint8_t syndrome = header[wire::Bth::kSize];
    return (syndrome & aeth::kKindMask) == aeth::kAck ? PacketKind::ack : PacketKind::nak;
  }
  const wire::OpcodeInfo& info = wire::kOpcodes[opcode];
  if (info.has(wire::OpcodeInfo::response)) return PacketKind::response;
  const bool answered = opcode == op::read_request || info.has(wire::OpcodeInfo::atomic_eth);
  return answered ? PacketKind::request : PacketKind::data;
}

// Bytes of a packet from BTH to ICRC inclusive: the UDP payload.
inline uint32_t udp_length(const TxPacket& p) { return p.header_len + p.payload_len + p.pad + 4; }

// False if registered memory of the payload is gone.
[[nodiscard]] inline bool copy_payload(const TxPacket& p, uint8_t* to) {
  for (uint32_t i = 0; i < p.iov_count; ++i) {
    if (!fetch(to, p.iov[i].base, p.iov[i].len)) [[unlikely]]
      return false;
    to += p.iov[i].len;
  }
  return true;
}

class PacketSink {
 public:
  // Packets of the largest size that emit() takes before a flush. The engine calls this once per burst, not
  // once per packet, and never emits more. 0 makes the engine stop and report work left.
  virtual uint32_t room() = 0;
  // Packets that the path to that queue pair can take now. 0 blocks the queue pair until room_returned():
  // before that only packets that admit() accepts are emitted to it. Called once per turn of a queue pair.
  virtual uint32_t room_to(const Path& path, uint32_t dest_qpn) {
    (void)path, (void)dest_qpn;
    return UINT32_MAX;
  }
  // True if a path that had no room may have some now.
  virtual bool room_returned() { return false; }
  // True if the receiver has taken packets off a path without room since the last call with this *position,
  // or the path is still being opened. A path that makes progress is no reason for a
  // timeout.
  virtual bool made_progress(const Path& path, uint32_t dest_qpn, uint64_t* position) {
    (void)path, (void)dest_qpn, (void)position;
    return false;
  }
  // Called before each packet without acknowledgments (UC, UD), since no window limits them. False while
  // the receiving host would have to drop `bytes` more (UDP payload); the engine asks again a little later.
  // True without room: the receiver has taken nothing for so long that the packet is to be lost.
  virtual bool admit(const Path& path, uint32_t dest_qpn, uint32_t bytes) {
    (void)path, (void)dest_qpn, (void)bytes;
    return true;
  }
  // Copies the packet at once. Packets of one QP come in a row, the ACK before the data. False, and nothing
  // is sent, if the memory of the payload is gone (guarded.h); a packet without payload is always sent.
  virtual bool emit(const TxPacket& packet) = 0;
  // Hands over the packets of emit(). Packets that find no room there stay, in order.
  virtual void flush() {}

 protected:
  ~PacketSink() = default;
};

// A received packet with a correct ICRC. The view starts at BTH and ends before the ICRC.
struct RxPacket {
  const uint8_t* data;
  uint32_t len;
  const Gid* source;          // the sender's address
  const Gid* destination;     // address of this device
  uint8_t traffic_class = 0;  // traffic class or TOS; the low two bits are ECN
  uint8_t hop_limit = 64;     // hop limit or TTL
  uint32_t flow_label = 0;    // IPv6
  uint64_t time = 0;          // when it came from the socket; 0: not taken

  bool congested() const { return (traffic_class & 3) == 3; }
};

}  // namespace uroce::transport
