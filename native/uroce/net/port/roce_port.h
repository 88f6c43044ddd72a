// Writes the engine's packets into the ring of the destination process, or gathers them into few sends; and
// splits received datagrams into packets.
//
// Out: packets to one flow and slot, equal in length except for a shorter last one, make a batch: one
// UDP_SEGMENT send of at most 65,507 bytes. Payload is copied once into the staging buffer and checksummed
// on the way. The copy is what is sent: the application may change its memory meanwhile. Packet k of a
// batch is computed with IPv4 identification k, which the kernel will give it. A batch is closed when the
// next packet does not fit. Closed batches are sent together once they are worth a system call, or on
// flush().
//
// The engine sends an ACK ahead of newly posted requests. Between processes of this host the ACK ends the
// batch that follows it, as its shorter last packet: one datagram instead of two. The receiver takes such
// an ACK first.
//
// Staging has room for several batches: batches that the kernel has no room for wait in order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "uroce/net/host/clock.h"
#include "uroce/net/port/icrc_check.h"
#include "uroce/net/port/packet_split.h"
#include "uroce/net/port/port.h"
#include "uroce/net/port/receiver_room.h"
#include "uroce/net/port/trailing_ack.h"
#include "uroce/net/shm/shm_link.h"
#include "uroce/net/udp/link.h"
#include "uroce/net/udp/udp_socket.h"

namespace uroce::net {

class RocePort final : public Port, private DatagramHandler {
 public:
  RocePort(Link& link, const UdpFeatures& features);

  // Switches the link: taps are added and removed.
  void set_link(Link& link) { link_ = &link; }
  // Stamps every batch from now on, with one reading of the clock per send, and reports departures to the
  // handler. nullptr: stops.
  void stamp(OrderedClock* clock, DepartureHandler* handler) {
    clock_ = clock;
    departure_handler_ = handler;
  }

  // The check before packets without acknowledgments (UC, UD); nullptr: they may always go.
  void set_receiver_room(ReceiverRoom* room) { receiver_room_ = room; }

  // Packets to processes of this host may go through shared memory. nullptr: none. With `only`, packets
  // that cannot are dropped and counted, except multicast, management and flows that are `sockets_only`.
  void set_rings(ShmLink* rings, bool only = false) {
    rings_ = rings;
    rings_only_ = only;
  }

  // The link that packets to that queue pair take. Undecided: the ring of its process has been requested,
  // by this call at the latest.
  enum class LinkState : uint8_t { undecided, sockets, rings };
  LinkState link_to(const Path& path, uint32_t dest_qpn);
  // With rings only: the reason why packets to that queue pair would be dropped, an errno that
  // shm::explain() knows; 0: no known reason; EAGAIN: undecided. `ask_again`: even if its process has
  // refused lately.
  int obstacle_to(const Path& path, uint32_t dest_qpn, bool ask_again);
  uint64_t unreachable() const { return unreachable_; }  // packets dropped for such a reason
  // Packets dropped because their ring had no room: its reader has stopped (admit()).
  uint64_t ring_drops() const { return ring_drops_; }

  uint32_t room() override;
  uint32_t room_to(const Path& path, uint32_t dest_qpn) override;
  bool room_returned() override;
  bool made_progress(const Path& path, uint32_t dest_qpn, uint64_t* position) override;
  bool admit(const Path& path, uint32_t dest_qpn, uint32_t bytes) override;
  bool emit(const transport::TxPacket& packet) override { return stage(packet, {}); }
  bool emit_marked(const transport::TxPacket& packet, const Mark& mark) override {
    return stage(packet, mark);
  }
  void flush() override;
  bool blocked() const override { return refused_; }
  bool waiting() const override;
  uint32_t receive(PacketHandler& handler, uint32_t max) override;
  // True if some packets that emit() took have not left.
  bool holds_packets() const { return open_ || ack_.held || first_ != open_batch_; }
  void on_time(uint64_t) override {}
  uint64_t next_wake() const override { return rings_ != nullptr ? rings_->next_wake() : kNever; }

  // Sends these bytes, BTH to ICRC, on the path to that queue pair. False: no room; nothing was sent.
  bool send_as_is(const Path& path, uint32_t dest_qpn, std::span<const uint8_t> packet);
  static constexpr std::size_t kShortest = IcrcCheck::kMinPacket;
  static constexpr std::size_t kLongest = kMaxMtu + 64;  // BTH and RETH and ImmDt, pad, ICRC, rounded up

  const IcrcCounters& icrc_counters() const { return icrc_.counters(); }
  // Datagrams of this host from another port than the device's, so not from a device: dropped.
  uint64_t foreign_ports() const { return foreign_ports_; }
  uint64_t batches_sent() const { return batches_sent_; }

 private:
  static constexpr uint32_t kBatches = 64;         // staged at most
  static constexpr uint32_t kBatchBytes = 65'507;  // largest UDP payload over IPv4
  static constexpr uint32_t kStagingBytes = 4 * 65'536;
  // Closed batches are sent once they hold this many bytes. The First packet of a WRITE, which is longer
  // than the rest, then shares a system call with the rest, and waiting batches stay in the cache.
  static constexpr uint32_t kEnough = 48 * 1024;

  struct BatchState {
    uint32_t slot = 0;
    uint32_t departures = 0;  // departures of its packets, in departures_
    bool sealed = false;      // a shorter packet has ended it
    bool ack_at_end = false;  // ack_ is to be its last packet
  };

  // An ACK that has no place in a batch yet.
  struct Ack {
    std::array<uint8_t, kAckHeader> header{};
    const Flow* flow = nullptr;
    uint32_t slot = 0;
    bool held = false;  // in no batch yet
  };

  // The channel to that queue pair, nullptr for the sockets.
  ShmChannel* channel_to(const Flow& flow, uint32_t dest_qpn);
  bool may_use_rings(const Flow& flow, uint32_t dest_qpn) const;
  bool stage(const transport::TxPacket& packet, const Mark& mark);
  bool put(const transport::TxPacket& packet, const Mark& mark, const Flow& flow, uint32_t slot);
  bool hold_ack(const transport::TxPacket& packet, const Mark& mark, const Flow& flow, uint32_t slot);
  bool takes_ack(const transport::TxPacket& packet, const Mark& mark, const Flow& flow, uint32_t slot) const;
  void release_ack();
  transport::TxPacket ack_packet() const;
  bool write_next(const transport::TxPacket& packet, const Mark& mark, const Flow& flow, uint32_t length);
  bool write(const transport::TxPacket& packet, const Mark& mark, const Flow& flow, uint32_t index,
             uint32_t length, uint8_t* out);
  bool send_through(ShmChannel& channel, const transport::TxPacket& packet, const Mark& mark,
                    const Flow& flow);
  bool fits(const Flow* flow, uint32_t slot, uint32_t length, uint8_t marks) const;
  void close();
  void push_out();
  void report_departures(uint32_t batch);
  void on_datagram(const Datagram& datagram) override;

  Link* link_;
  ReceiverRoom* receiver_room_ = nullptr;
  ShmLink* rings_ = nullptr;
  bool rings_only_ = false;
  uint64_t unreachable_ = 0;
  uint64_t ring_drops_ = 0;
  UdpFeatures features_;
  std::unique_ptr<uint8_t[]> staging_;
  std::array<GsoBatch, kBatches> batches_;
  std::array<BatchState, kBatches> batch_states_;  // bookkeeping of each batch
  // Batches first_ .. open_batch_-1 wait for the kernel; open_batch_ is being filled if open_. Filling
  // restarts at the front, where the cache is warm, whenever nothing is left.
  uint32_t first_ = 0;
  uint32_t open_batch_ = 0;
  uint32_t closed_bytes_ = 0;  // bytes of the batches that wait
  bool refused_ = false;       // the kernel had no room for them
  bool open_ = false;
  uint32_t used_ = 0;  // bytes of staging
  Ack ack_;
  OrderedClock* clock_ = nullptr;
  DepartureHandler* departure_handler_ = nullptr;
  std::vector<transport::TxTimestamp> departures_;  // departures of staged batches, in their order
  std::size_t reported_ = 0;                        // departures already reported
  uint64_t batches_sent_ = 0;
  uint64_t foreign_ports_ = 0;

  PacketHandler* handler_ = nullptr;
  IcrcCheck icrc_;
  PacketSplit split_;
};

}  // namespace uroce::net
