// Gathers the engine's packets into few sends, and takes datagrams apart into packets.
//
// Out: packets to one flow and slot, equal in length but a shorter last, make a run: one UDP_SEGMENT send of
// at most 65,507 bytes. Payload is copied once into the staging buffer and checksummed on the way, the copy
// being what is sent: the application may change its memory meanwhile. Packet k of a run is computed with
// IPv4 identification k, which the kernel will give it. A run is sent when the next packet does not fit in,
// or on flush().
//
// Staging has room for several runs: those that the kernel had no room for wait in order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "uroce/net/host/clock.h"
#include "uroce/net/udp/icrc_check.h"
#include "uroce/net/udp/link.h"
#include "uroce/net/udp/packet_split.h"
#include "uroce/net/udp/port.h"
#include "uroce/net/udp/receiver_room.h"
#include "uroce/net/udp/udp_socket.h"

namespace uroce {

class UdpPort final : public Port, private DatagramHandler {
 public:
  UdpPort(Link& link, const UdpFeatures& features);

  // Taps come and go.
  void set_link(Link& link) { link_ = &link; }
  // From now on every run has a time, one reading of the clock for each send, and the handler hears of
  // departures. nullptr: no more.
  void stamp(OrderedClock* clock, DepartureHandler* handler) {
    clock_ = clock;
    departure_handler_ = handler;
  }

  // Whom to ask before what nobody acknowledges; none: it always may go.
  void set_receiver_room(ReceiverRoom* room) { receiver_room_ = room; }

  uint32_t room() override;
  bool admit(const Path& path, uint32_t dest_qpn, uint32_t bytes) override;
  void emit(const TxPacket& packet) override { stage(packet, {}); }
  void emit_marked(const TxPacket& packet, const Mark& mark) override { stage(packet, mark); }
  void flush() override;
  bool blocked() const override { return first_ < closed_; }
  uint32_t receive(PacketHandler& handler, uint32_t max) override;
  void on_time(uint64_t) override {}
  uint64_t next_wake() const override { return kNever; }

  const IcrcCounters& icrc_counters() const { return icrc_.counters(); }
  // Datagrams of this host that did not come from the device's port, so not from a device: dropped.
  uint64_t foreign_ports() const { return foreign_ports_; }
  uint64_t runs_sent() const { return runs_sent_; }

 private:
  static constexpr uint32_t kRuns = 64;          // staged at most
  static constexpr uint32_t kRunBytes = 65'507;  // largest UDP payload over IPv4
  static constexpr uint32_t kStagingBytes = 4 * 65'536;

  struct Staged {
    Run run;
    uint32_t slot = 0;
    uint32_t departures = 0;  // of its packets, in departures_
    bool ended = false;       // a shorter packet closed it
  };

  void stage(const TxPacket& packet, const Mark& mark);
  bool fits(const Staged& staged, const Flow* flow, uint32_t slot, uint32_t length, uint8_t marks) const;
  void close();
  void push_out();
  void report_departures(const Staged& staged);
  void on_datagram(const Datagram& datagram) override;

  Link* link_;
  ReceiverRoom* receiver_room_ = nullptr;
  UdpFeatures features_;
  std::unique_ptr<uint8_t[]> staging_;
  std::array<Staged, kRuns> staged_;
  // Runs first_ .. closed_-1 wait for the kernel; run closed_ is being filled if open_. All start again at
  // the front, where the cache is warm, whenever nothing is left.
  uint32_t first_ = 0;
  uint32_t closed_ = 0;
  bool open_ = false;
  uint32_t used_ = 0;  // bytes of staging
  OrderedClock* clock_ = nullptr;
  DepartureHandler* departure_handler_ = nullptr;
  std::vector<Departure> departures_;  // of staged runs, in their order
  std::size_t reported_ = 0;           // of them
  uint64_t runs_sent_ = 0;
  uint64_t foreign_ports_ = 0;

  PacketHandler* handler_ = nullptr;
  IcrcCheck icrc_;
  PacketSplit split_;
};

}  // namespace uroce
